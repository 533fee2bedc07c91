// Several tabs, fingers and a pen, many people, and a server that dies, in a real browser: see scripts/browser-tests.
// Usage: node studio-together-tests.mjs FOLDER FOR SCREENSHOTS; CROWDLOOM and CHROMIUM name the programs, ONLY the tests.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { above, ask, browser, drag, newFolder, open, people, runTo, serve, shot, stateOf, test, until, within } from "./studio-helpers.mjs";

const folder = newFolder();
// It ends soon: what is changed after its end makes it longer.
writeFileSync(join(folder, "yard.toml"), `# A yard to share.
name = "yard"
seconds = 2
[world]
floor = [[0, 0], [44, 0], [44, 26], [0, 26]]
[[people]]
count = 60
`);
let { server, link } = await serve(folder, "yard.toml");
let { page, problems } = await open(link);
await page.setViewportSize({ width: 1500, height: 860 });
if (await page.locator("#help").isVisible()) await page.locator("#help .main").click();
await runTo(page, 90);

await test("two tabs edit at once and lose nothing", async () => {
  const other = await open(link);
  const second = other.page;
  if (await second.locator("#help").isVisible()) await second.locator("#help .main").click();
  await second.locator("#tab-text").click();
  await second.locator("#text .cm-content").click();
  await second.keyboard.press("Control+Home");
  await second.keyboard.type("# mine\n");
  const ids = (await people(page)).slice(0, 8).map(({ id }) => id);
  const before = await stateOf(page, "state.marks.length");
  const events = await second.evaluate(() => window.studio.panels.text.editor.value.split("[[event]]").length);
  const answers = await Promise.all(ids.flatMap((id) => [page, second].map((each, tab) => ask(each, { kind: "enact", event: { numbers: [id], speed: 1 + tab * 0.3 } }))));
  assert.ok(answers.every(({ came }) => came === "done"));
  await until(page, (count) => window.studio.app.state.marks.length === count, before + 16);
  // What was typed is on top of what came in the meantime.
  await until(second, (count) => window.studio.panels.text.editor.value.split("[[event]]").length === count && window.studio.panels.text.editor.value.startsWith("# mine\n"), events + 16);
  await second.locator("#run-text").click();
  await until(page, () => window.studio.panels.text.editor.value.startsWith("# mine\n"));
  assert.equal(await stateOf(page, "state.marks.length"), before + 16);
  const stale = await ask(page, { kind: "text", text: "name = 'other'", onto: "something else" });
  assert.match(stale.why, /changed meanwhile/);
  await until(second, () => window.studio.app.state["going-to"] === null);
  assert.deepEqual(other.problems, []);
  await second.close();
  await page.bringToFront();
});

await test("a finger draws, two look around, and a pen paints as broadly as it is pressed", async () => {
  await above(page, [10, 8], 24);
  await page.locator("#tool-region").click();
  await page.locator("#brush-radius").fill("1");
  const points = await page.evaluate(() => [[7, 7], [10, 8], [13, 7]].map((point) => window.studio.screen(point)));
  /** What a browser tells of a finger or a pen. */
  const point = (type, [x, y], pointerId, pointerType = "touch", pressure = 0.5) => page.evaluate((own) => {
    const target = own.type === "pointerup" ? window : document.querySelector("#stage");
    target.dispatchEvent(new PointerEvent(own.type, { bubbles: true, isPrimary: true, button: own.type === "pointermove" ? -1 : 0, buttons: 1, ...own }));
    return window.studio.tools.broad / window.studio.tools.radius;
  }, { type, pointerId, pointerType, pressure, clientX: x, clientY: y });
  await point("pointerdown", points[0], 5);
  for (const each of points) await point("pointermove", each, 5);
  await point("pointerup", points[2], 5);
  await page.locator("#form-done").waitFor();
  const painted = await page.evaluate(() => window.studio.tools.bitmap.size);
  assert.ok(painted > 100, `${painted} cells`);
  const away = () => page.evaluate(() => window.studio.camera.eye.position.distanceTo(window.studio.camera.orbit.target));
  const before = await away(), [x, y] = points[1];
  await point("pointerdown", [x - 40, y], 6);
  await point("pointerdown", [x + 40, y], 7);
  for (let step = 1; step <= 6; step++) {
    await point("pointermove", [x - 40 - step * 12, y], 6);
    await point("pointermove", [x + 40 + step * 12, y], 7);
  }
  await point("pointerup", [x - 112, y], 6);
  await point("pointerup", [x + 112, y], 7);
  await page.waitForTimeout(300);
  assert.ok((await away()) < before * 0.75, `${before} m, then ${await away()} m`);
  const after = await page.evaluate(() => window.studio.tools.bitmap.size);
  assert.ok(after < painted * 1.3, "two fingers paint nothing but where the first came down");
  await above(page, [10, 8], 24);
  const light = await point("pointerdown", points[1], 8, "pen", 0.1), hard = await point("pointermove", points[1], 8, "pen", 0.9);
  await point("pointerup", points[1], 8, "pen", 0);
  assert.ok(light < 0.7 && hard > 1.3, `${light}, ${hard}`);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.keyboard.press("Escape");
});

await test("five hundred people are sprayed, some locked, and the others repainted", async () => {
  await above(page, [22, 12], 44);
  await page.locator("#tool-people").click();
  await page.locator("#brush-radius").fill("4");
  await page.locator("#spray-amount").fill("40");
  const before = (await people(page)).length, way = Array.from({ length: 30 }, (_, step) => [8 + (step % 10) * 3, 5 + Math.floor(step / 10) * 6]);
  for (let round = 0; round < 4 && (await people(page)).length < before + 500; round++) await drag(page, way, 250);
  await until(page, (count) => window.studio.app.live.shown.count >= count, before + 500);
  await page.keyboard.press("2");
  await drag(page, [[4, 1], [18, 1], [18, 24], [4, 24], [4, 1.4]]);
  await page.getByRole("button", { name: "Lock", exact: true }).first().click();
  await until(page, () => window.studio.app.locked.size > 100);
  const looks = new Map((await people(page)).map(({ id, looks }) => [id, looks])), locked = new Set(await page.evaluate(() => [...window.studio.app.locked]));
  await page.keyboard.press("4");
  await page.locator("#options select").first().selectOption("looks");
  await page.locator("#brush-radius").fill("7");
  await drag(page, [[6, 12], [12, 12], [18, 12], [24, 12], [30, 12], [36, 12]]);
  await until(page, () => window.studio.app.live.looks.size > 50);
  const after = await people(page);
  assert.ok(after.filter(({ id }) => locked.has(id)).every(({ id, looks: own }) => own === looks.get(id)), "the locked look as before");
  const painted = within(after, [22, 8, 34, 16]).filter(({ id }) => looks.has(id) && !locked.has(id));
  assert.ok(painted.length > 30 && painted.every(({ id, looks: own }) => own !== looks.get(id)), "the others look otherwise");
  await page.waitForTimeout(600);
  await shot(page, "27-five-hundred");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
});

await test("a server that is killed while somebody paints: the page says so, comes back, and offers what was not saved", async () => {
  await ask(page, { kind: "pause" });
  await ask(page, { kind: "enact", event: { numbers: [(await people(page))[0].id], speed: 1.1 } });
  // What is not saved is kept three seconds after the last change.
  await page.waitForTimeout(4500);
  const before = await stateOf(page, "state.marks.length");
  await above(page, [10, 8], 24);
  await page.locator("#tool-region").click();
  const places = await page.evaluate(() => [[7, 7], [10, 8], [13, 7]].map((point) => window.studio.screen(point)));
  await page.mouse.move(...places[0]);
  await page.mouse.down();
  await page.mouse.move(...places[1], { steps: 4 });
  server.kill("SIGKILL");
  await until(page, () => document.body.classList.contains("offline"));
  await page.mouse.move(...places[2], { steps: 4 });
  await page.mouse.up();
  assert.match(await page.locator("#toast").innerText(), /server has gone/);
  await shot(page, "28-server-gone");
  const old = link;
  ({ server, link } = await serve(folder, "yard.toml"));
  assert.equal(link, old, "the studio is where it was");
  await until(page, () => !document.body.classList.contains("offline"));
  await page.locator("#lost").getByRole("button", { name: "Go on with them" }).click();
  await until(page, (count) => window.studio.app.state.marks.length === count, before);
  // What was painted is still there.
  await page.locator(".form select").first().selectOption("hurry");
  await page.locator("#form-done").click();
  await until(page, (count) => window.studio.app.state.marks.length === count, before + 1);
});

await test("a box is on the ground, in hands and put down, and back where it was when time goes back", async () => {
  const own = newFolder();
  writeFileSync(join(own, "box.toml"), `name = "box"
seconds = 40
[world]
floor = [[0, 0], [20, 0], [20, 12], [0, 12]]
[[prop]]
kind = "box"
name = "crate"
at = [8, 6]
[[people]]
mover = "planned"
name = "Ann"
at = [3, 6]
[[constraint]]
person = "Ann"
take = "crate"
[[constraint]]
person = "Ann"
put-down = [15, 6]
`);
  const shop = await serve(own, "box.toml"), { page: view, problems: wrong } = await open(shop.link);
  if (await view.locator("#help").isVisible()) await view.locator("#help .main").click();
  /** Where the only box is drawn. */
  const box = async () => {
    const from = await view.evaluate(() => { window.studio.wake(); return window.studio.pictures; });
    await until(view, (own) => window.studio.pictures > own + 2, from);
    return view.evaluate(() => window.studio.parcels.group.children.map(({ position: { x, y, z } }) => [x, y, z]));
  };
  const near = ([x, y, z], at) => Math.hypot(x - at[0], y - at[1]) < 0.1 && Math.abs(z) < 0.01;
  await runTo(view, 20);
  assert.ok(near((await box())[0], [8, 6]), String(await box()));
  const stages = () => stateOf(view, "state.parcels[0].stages");
  await runTo(view, 1150);
  const [first, taken, down, ...rest] = await stages();
  assert.ok(first.holder === null && taken.holder === 0 && down.holder === null && rest.length === 0, JSON.stringify(await stages()));
  assert.ok(near((await box())[0], [15, 6]), String(await box()));
  await runTo(view, Math.round((taken.frame + down.frame) / 2));
  const [carried] = await box(), [ann] = await people(view);
  assert.ok(carried[2] > 0.5 && Math.hypot(carried[0] - ann.x, carried[1] - ann.y) < 0.7, `${carried} in the hands of ${JSON.stringify(ann)}`);
  assert.equal((await stages()).length, 2);
  await above(view, [carried[0], carried[1]], 5);
  await shot(view, "29-box");
  assert.deepEqual(wrong, []);
  await view.close();
  shop.server.kill();
});
assert.deepEqual(problems, []);
await browser.close();
server.kill();
