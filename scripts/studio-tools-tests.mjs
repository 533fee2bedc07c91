// Works through the studio's tools in a real browser: see scripts/browser-tests.
// Usage: node studio-tools-tests.mjs FOLDER FOR SCREENSHOTS; CROWDLOOM and CHROMIUM name the programs, ONLY the tests.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { above, ask, browser, drag, frameOf, newFolder, open, people, runTo, serve, shot, stateOf, test, until, within } from "./studio-helpers.mjs";

const folder = newFolder();
writeFileSync(join(folder, "yard.toml"), `# A yard to try tools in.
name = "yard"
seconds = 120
[world]
floor = [[0, 0], [44, 0], [44, 26], [0, 26]]
[[region]]
name = "plaza"
rectangle = [22, 2, 34, 12]
[[situation]]
name = "slowly"
kind = "hurry"
region = "plaza"
speed = 0.7
priority = 2
[[situation]]
name = "quickly"
kind = "hurry"
region = "plaza"
speed = 2.4
[[situation]]
name = "bench"
kind = "bench"
region = "seat"
spots = [[40, 13, 180]]
share = 0
[[region]]
name = "seat"
rectangle = [38.5, 12, 41, 14]
[[people]]
count = 60
`);
let { server, link } = await serve(folder, "yard.toml");
let { page, problems } = await open(link);
await page.setViewportSize({ width: 1500, height: 860 });
const spot = async (x, y) => (await ask(page, { kind: "spot", x, y })).situations;
const choose = (id) => page.evaluate((own) => window.studio.app.choose(own), id);
const undo = async () => { const answer = await ask(page, { kind: "undo" }); assert.equal(answer.came, "done", answer.why); return answer.said; };

await test("a minute's tour shows what can be done", async () => {
  assert.ok(await page.locator("#help").isVisible());
  await page.locator("#tour-start").click();
  assert.ok(await page.locator("#tour").isVisible());
  // It goes on by itself, too: what counts is that it comes to its end.
  let last = "";
  for (let stops = 0; await page.locator("#tour").isVisible(); stops++) {
    last = await page.locator("#tour small").innerText();
    if (stops === 2) await shot(page, "16-tour");
    await page.locator("#tour-next").click({ timeout: 5000 }).catch(() => {});
  }
  assert.match(last, /^(\d) of \1$/);
  assert.equal(await page.evaluate(() => window.studio.app.tool), "look");
});
if (await page.locator("#help").isVisible()) await page.locator("#help .main").click();

await test("tools leave the crowd in sight", async () => {
  await page.keyboard.press("4");
  const right = await page.evaluate(() => Math.max(...["#tools", "#options"].map((each) => document.querySelector(each).getBoundingClientRect().right)));
  assert.ok(right <= 350, `tools reach to ${right} px`);
  await page.keyboard.press("Escape");
});

await test("a round brush paints a bitmap, with a hole, and wipes", async () => {
  await runTo(page, 60);
  await above(page, [10, 13], 26);
  await page.keyboard.press("6");
  await page.locator("#brush-radius").fill("1");
  const ring = Array.from({ length: 25 }, (_, step) => [10 + 3.5 * Math.cos((step / 24) * 2 * Math.PI), 13 + 3.5 * Math.sin((step / 24) * 2 * Math.PI)]);
  await drag(page, ring);
  await page.locator(".form select").first().selectOption("hurry");
  // What is painted is painted on while the form is open: a tail, of which the end is wiped.
  await drag(page, [[13.5, 13], [15, 13], [17, 13]]);
  await page.locator("#options select").nth(1).selectOption("wipe");
  await drag(page, [[18.2, 12], [18.2, 14]]);
  await shot(page, "17-painting");
  await page.locator("#form-done").click();
  await until(page, () => window.studio.app.state.situations.some((each) => each.name === "hurry 1" && each.on));
  assert.deepEqual(await spot(13.5, 13), ["hurry 1"]);
  assert.deepEqual(await spot(16, 13), ["hurry 1"]);
  assert.deepEqual(await spot(10, 13), [], "its middle is a hole");
  assert.deepEqual(await spot(17.8, 13), [], "what was wiped is gone");
  assert.equal(await stateOf(page, "state.regions.find((each) => each.name === 'hurry 1').areas[0].length"), 2);
  await page.keyboard.press("Escape");
  await runTo(page, 150);
  await page.waitForTimeout(500);
  await shot(page, "18-painted");
});
await test("an outline that crosses itself is refused, a bitmap that does is none", async () => {
  await page.keyboard.press("6");
  await page.locator("#options select").first().selectOption("polygon");
  for (const corner of [[7, 10], [13, 15], [7, 15], [13, 10]]) await drag(page, [corner, corner]);
  await page.locator("#polygon-done").click();
  assert.match(await page.locator("#toast").innerText(), /crosses itself/);
  await page.locator("#options select").first().selectOption("freehand");
  await page.keyboard.press("Escape");
});

await test("a circle is a region; its light is made from nothing and stops people", async () => {
  await above(page, [12, 6], 22);
  await page.locator("#tab-layers").click();
  await page.locator("#new-signal").click();
  await page.locator(".form input").nth(0).fill("lamp");
  await page.locator(".form input").nth(1).fill("0");
  await page.locator(".form input").nth(2).fill("600");
  await page.locator(".form").getByRole("button", { name: "Make it" }).click();
  await until(page, () => window.studio.app.state.signals.some((each) => each.name === "lamp"));
  await page.keyboard.press("6");
  await page.locator("#options select").first().selectOption("circle");
  await drag(page, [[12, 6], [14, 6], [16, 6]]);
  await page.locator(".form select").first().selectOption("traffic-light");
  await page.locator(".form select").nth(1).selectOption("lamp");
  await page.locator("#form-done").click();
  await until(page, () => window.studio.app.state.situations.some((each) => each.name === "traffic-light 1" && each.on));
  await page.locator("#options select").first().selectOption("freehand");
  await page.keyboard.press("Escape");
  assert.deepEqual(await spot(15, 8), ["traffic-light 1"]);
  assert.deepEqual(await spot(15.5, 9), [], "its corner is outside");
  const circle = (await ask(page, { kind: "table", of: "region", name: "traffic-light 1" })).table.circle;
  assert.ok(Math.abs(circle[0] - 12) < 0.1 && Math.abs(circle[1] - 6) < 0.1 && Math.abs(circle[2] - 4) < 0.1, String(circle));
  await runTo(page, 900);
  const waits = async () => {
    const there = within(await people(page), [8, 2, 16, 10]).filter(({ speed }) => speed < 0.1);
    const told = await Promise.all(there.map(({ id }) => ask(page, { kind: "person", number: id })));
    return told.filter(({ stands }) => /signal “lamp”/.test(stands ?? "")).length;
  };
  const stopped = await waits();
  assert.ok(stopped >= 2, `${stopped} wait`);
  await page.waitForTimeout(500);
  await shot(page, "29-circle");
  // Switched by hand, it lets them go.
  await page.locator(".layer", { hasText: "lamp" }).getByRole("button", { name: "on", exact: true }).click();
  await runTo(page, 990);
  assert.equal(await waits(), 0);
  await undo();
  await undo();
  await until(page, () => !window.studio.app.state.situations.some((each) => each.name === "traffic-light 1" && each.on));
});

await test("layers are put in another order: the highest has its way", async () => {
  const pace = async () => {
    await runTo(page, (await frameOf(page)) + 240);
    const there = within(await people(page), [23, 3, 33, 11]).filter(({ speed }) => speed > 0.2);
    return there.reduce((sum, { speed }) => sum + speed, 0) / Math.max(1, there.length);
  };
  const slow = await pace();
  await page.locator("#tab-layers").click();
  const names = () => page.locator("#layers details").first().locator(".layer span").allInnerTexts();
  assert.match((await names())[0], /^slowly/);
  await page.locator(".layer", { hasText: /^quickly/ }).getByRole("button", { name: "▲" }).click();
  await until(page, () => window.studio.app.state.situations.find((each) => each.name === "quickly").priority > 2);
  await page.waitForTimeout(300);
  assert.match((await names())[0], /^quickly/);
  const quick = await pace();
  assert.ok(quick > slow * 1.4, `${slow} m/s, then ${quick} m/s`);
});

await test("a size brush makes people larger along its stroke; a point takes one", async () => {
  await above(page, [14, 13], 26);
  await page.keyboard.press("4");
  await page.locator("#options select").first().selectOption("size");
  await page.locator("#options select").nth(1).selectOption("gradient");
  await page.locator("#brush-radius").fill("4");
  await page.locator("#brush-value").fill("0.6");
  await page.locator("#brush-other").fill("1.8");
  await drag(page, [[5, 13], [9, 13], [13, 13], [17, 13], [21, 13]]);
  await until(page, () => window.studio.app.live.sizes.size > 4);
  const sizes = await page.evaluate(() => [...window.studio.app.live.sizes.values()]);
  assert.ok(Math.min(...sizes) < 0.7 && Math.max(...sizes) > 1.7, String(sizes));
  await page.waitForTimeout(500);
  await shot(page, "19-sizes");
  const said = await undo();
  assert.match(said, /another size/);
  await until(page, () => window.studio.app.live.sizes.size === 0);
  await page.locator("#options select").first().selectOption("speed");
  await page.locator("#options select").nth(1).selectOption("uniform");
  await page.locator("#options select").last().selectOption("point");
  const who = within(await people(page), [8, 6, 18, 20])[0];
  await drag(page, [[who.x, who.y], [who.x, who.y]]);
  await until(page, () => window.studio.app.state.marks.some((mark) => mark.what === "another speed for one person"));
  await page.locator("#options select").last().selectOption("area");
  await page.keyboard.press("Escape");
});

await test("a brush dresses people in a colour, from one to another along its stroke", async () => {
  await page.keyboard.press("4");
  await page.locator("#options select").first().selectOption("colour");
  await page.locator("#options select").nth(1).selectOption("gradient");
  await page.locator("#brush-colour-1").fill("#d02020");
  await page.locator("#brush-colour-2").fill("#2040d0");
  await page.locator("#brush-radius").fill("4");
  await drag(page, [[5, 13], [9, 13], [13, 13], [17, 13], [21, 13]]);
  await until(page, () => window.studio.app.live.looks.size > 4);
  const tops = await page.evaluate(() => { const { app } = window.studio; return [...app.live.looks.values()].map((looks) => app.wardrobe.colour(looks, 4)); });
  assert.ok(tops.some(([r, , b]) => r > b + 60) && tops.some(([r, , b]) => b > r + 40), JSON.stringify(tops));
  await page.waitForTimeout(500);
  await shot(page, "31-colours");
  await undo();
  await until(page, () => window.studio.app.live.looks.size === 0);
  await page.keyboard.press("Escape");
});

const wallNamed = (name) => until(page, (own) => window.studio.app.state.obstacles.some((each) => each.name === own && each.there), name, 60000);
await test("walls are moved, turned, cut, and get a door; one undo takes a cut back", async () => {
  await above(page, [9, 20], 22);
  await page.keyboard.press("7");
  const what = page.locator("#options select").first();
  await drag(page, [[5, 17], [8, 17], [13, 17]]);
  await ask(page, { kind: "play" });
  await wallNamed("wall 1");
  await what.selectOption("move");
  await drag(page, [[9, 17], [9, 19], [9, 21]]);
  await wallNamed("wall 1 (2)");
  const outline = (name) => stateOf(page, "state.obstacles.find((each) => each.name === own).outlines[0]", name);
  assert.ok((await outline("wall 1 (2)")).every(([, y]) => Math.abs(y - 21) < 0.3));
  await what.selectOption("turn");
  await drag(page, [[12.5, 21], [12, 22.5], [11.5, 23.6]]);
  await wallNamed("wall 1 (3)");
  const turned = await outline("wall 1 (3)"), length = Math.hypot(turned[2][0] - turned[0][0], turned[2][1] - turned[0][1]);
  assert.ok(Math.abs(length - 8) < 0.2 && Math.max(...turned.map(([, y]) => y)) > 22.5, String(turned));
  await what.selectOption("door");
  await drag(page, [[9.9, 19.6], [9, 21], [8.1, 22.4]]);
  await wallNamed("door 1");
  await wallNamed("wall 1 (4)");
  await wallNamed("wall 1 (4) b");
  await ask(page, { kind: "pause" });
  await page.waitForTimeout(400);
  await shot(page, "20-door");
  await page.locator("#tab-layers").click();
  await page.locator(".layer", { hasText: "door 1" }).getByRole("button", { name: "Open" }).click();
  await until(page, () => window.studio.app.state.obstacles.some((each) => each.name === "door 1" && !each.there));
  await undo();
  await undo();
  await until(page, () => !window.studio.app.state.obstacles.some((each) => ["door 1", "wall 1 (4)", "wall 1 (4) b"].includes(each.name) && each.there));
  await ask(page, { kind: "play" });
  await wallNamed("wall 1 (3)");
  await ask(page, { kind: "pause" });
  await page.keyboard.press("Escape");
});

await test("a plain cut leaves a gap in a wall, which people can walk through", async () => {
  await above(page, [9, 8], 22);
  await page.keyboard.press("7");
  const what = page.locator("#options select").first();
  await what.selectOption("wall");
  await drag(page, [[6, 9], [9, 9], [15, 9]]);
  await ask(page, { kind: "play" });
  await wallNamed("wall 2");
  const floor = async (x, y) => (await ask(page, { kind: "spot", x, y })).floor;
  assert.equal(await floor(10, 9), false);
  await what.selectOption("cut");
  await page.locator("#set-gap").fill("1.5");
  await drag(page, [[10, 7.5], [10, 9], [10, 10.5]]);
  await wallNamed("wall 2 (2)");
  await wallNamed("wall 2 (2) b");
  assert.deepEqual([await floor(10, 9), await floor(10.6, 9), await floor(11, 9), await floor(9, 9)], [true, true, false, false]);
  await undo();
  await until(page, () => window.studio.app.state.obstacles.some((each) => each.name === "wall 2" && each.there) && !window.studio.app.state.obstacles.some((each) => each.name.startsWith("wall 2 (2)") && each.there));
  assert.equal(await floor(10, 9), false);
  await undo();
  await ask(page, { kind: "pause" });
  await page.keyboard.press("Escape");
});

await test("seats come in rows on a grid, and people sit down", async () => {
  await above(page, [27, 18], 24);
  await page.keyboard.press("t");
  await drag(page, [[23.1, 15.1], [26, 17], [29.9, 20.4]]);
  await until(page, () => window.studio.app.state.situations.some((each) => each.name === "seats 1" && each.on));
  const table = (await ask(page, { kind: "table", of: "situation", name: "seats 1" })).table;
  assert.equal(table.spots.length, 8 * 5);
  assert.ok(table.spots.every(([x, y]) => Math.abs(((x - 23.4) / 0.8) % 1) < 0.01 || Math.abs(((x - 23.4) / 0.8) % 1) > 0.99), String(table.spots));
  // The next block snaps to the corner of the first.
  await drag(page, [[30.2, 15.2], [32, 17], [34, 20.3]]);
  await until(page, () => window.studio.app.state.regions.some((each) => each.name === "seats 2"));
  const corner = await stateOf(page, "state.regions.find((each) => each.name === 'seats 2').areas[0][0]");
  assert.ok(corner.some(([x, y]) => Math.abs(x - 30) < 0.01 && Math.abs(y - 15) < 0.01), String(corner));
  await page.keyboard.press("Escape");
  await runTo(page, (await frameOf(page)) + 900);
  const seated = await page.evaluate(() => { const { app } = window.studio; return Array.from({ length: app.live.shown.count }, (_, slot) => app.scene.clips[app.live.shown.clip[slot]]).filter((clip) => /sit|seat/i.test(clip)).length; });
  assert.ok(seated >= 2, `${seated} sit`);
  await shot(page, "21-seats");
});

await test("all layers of an area are copied at once, and one undo takes the copies back", async () => {
  await above(page, [27, 13], 34);
  await page.keyboard.press("v");
  await drag(page, [[22.5, 14.5], [30, 18], [34.5, 21]]);
  await until(page, () => window.studio.app.layers.copied?.situations.length === 2);
  await drag(page, [[20, 23.2], [20, 23.2]]);
  const copies = ["seats 1 2", "seats 2 2"];
  await until(page, (names) => names.every((name) => window.studio.app.state.situations.some((each) => each.name === name && each.on)), copies);
  await shot(page, "22-copied");
  await undo();
  await until(page, (names) => !window.studio.app.state.situations.some((each) => names.includes(each.name) && each.on), copies);
  await page.keyboard.press("Escape");
});

await test("a person tells the weights of its last decision", async () => {
  await ask(page, { kind: "play" });
  const who = (await people(page)).find(({ speed }) => speed > 0.8);
  await choose(who.id);
  await page.locator("#weights summary").click();
  await page.locator("#weights .move.taken").first().waitFor();
  await ask(page, { kind: "pause" });
  await page.waitForTimeout(500);
  const { decision } = await ask(page, { kind: "person", number: who.id });
  assert.ok(decision.moves > 5 && decision.likeliest.length > 0);
  assert.ok(decision.likeliest.some((move) => move.weights.some(([name]) => name === "do not turn")));
  await shot(page, "23-weights");
  await choose(-1);
});
await test("people are coloured by the style that they were given", async () => {
  const some = (await people(page)).slice(0, 12).map(({ id }) => id);
  const style = await page.evaluate(() => window.studio.app.scene.styles.find((each) => /jog|march|tired|old|proud/.test(each)) ?? window.studio.app.scene.styles[1]);
  assert.equal((await ask(page, { kind: "enact", event: { numbers: some, style } })).came, "done");
  await runTo(page, (await frameOf(page)) + 30);
  await page.locator("#tab-people").click();
  await page.locator("#pages select").first().selectOption("style");
  await page.waitForTimeout(700);
  const keys = await page.locator("#legend .key").allInnerTexts();
  assert.ok(keys.some((key) => key.startsWith("plain")) && keys.some((key) => key.replace(/\s*12$/, "") === style), String(keys));
  await shot(page, "24-styles");
  await page.locator("#pages select").first().selectOption("clothes");
});

await test("an event of the time line is told, moved by dragging, deleted, and all of that taken back", async () => {
  const frame = await frameOf(page);
  await runTo(page, frame - 300);
  assert.equal((await ask(page, { kind: "enact", event: { numbers: (await people(page)).slice(0, 5).map(({ id }) => id), size: 1.7 } })).came, "done");
  await runTo(page, frame);
  const own = (what) => page.evaluate((name) => window.studio.app.state.marks.filter((mark) => mark.what === name).map((mark) => mark.frame), what);
  const there = (frames) => until(page, (wanted) => JSON.stringify(window.studio.app.state.marks.filter((mark) => mark.what === "another size for 5 people").map((mark) => mark.frame)) === JSON.stringify(wanted), frames);
  await there([frame - 300]);
  const mark = page.locator("#marks .mark[aria-label='another size for 5 people']");
  await mark.click();
  await page.locator("#event").waitFor();
  assert.match(await page.locator("#event pre").innerText(), /size = 1\.7/);
  await until(page, (own) => window.studio.timeline.frame === own && window.studio.app.state["going-to"] === null, frame - 300);
  await shot(page, "30-event");
  const box = await mark.boundingBox(), [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 30, y, { steps: 5 });
  await page.mouse.up();
  await until(page, (old) => { const [now] = window.studio.app.state.marks.filter((mark) => mark.what === "another size for 5 people").map((each) => each.frame); return now > old + 30; }, frame - 300);
  const [moved] = await own("another size for 5 people");
  await runTo(page, moved + 30);
  assert.equal(await page.evaluate(() => window.studio.app.live.sizes.size), 5);
  await mark.click();
  await page.locator("#event-delete").click();
  await there([]);
  await runTo(page, moved + 30);
  assert.equal(await page.evaluate(() => window.studio.app.live.sizes.size), 0);
  for (const frames of [[moved], [frame - 300], []]) { await undo(); await there(frames); }
  await runTo(page, frame);
});

await test("one person is directed to a bench at a given second, and sits there", async () => {
  await above(page, [34, 13], 26);
  const pose = await page.evaluate(() => window.studio.app.scene.poses.find((each) => /sit/.test(each)));
  assert.ok(pose, "there is a pose for sitting");
  await page.keyboard.press("8");
  // Whoever cannot be there in time is told so: then it is somebody else.
  const walk = within(await people(page), [24, 6, 38, 20]).filter(({ speed }) => speed > 0.5);
  let who = null, frame = 0;
  for (const one of walk.slice(0, 5)) {
    frame = await frameOf(page);
    await drag(page, [[one.x, one.y], [38, 13], [40, 13]]);
    await drag(page, [[41, 13], [40, 14], [39, 13]]);
    await page.locator("#options select").first().selectOption(pose);
    await page.locator("#direct-within").fill("30");
    await page.locator("#direct-stay").fill("10");
    await page.locator("#direct-go").click();
    await page.waitForTimeout(1500);
    if (await page.evaluate(() => window.studio.app.state.marks.some((mark) => mark.what === "directions for one person"))) { who = one; break; }
    await page.keyboard.press("Escape");
    await page.keyboard.press("8");
  }
  assert.ok(who, `nobody of ${walk.length} can: ${await page.locator("#toast").innerText()}`);
  await page.keyboard.press("Escape");
  await runTo(page, frame + 30 * 30 + 45);
  const there = (await people(page)).find(({ id }) => id === who.id);
  assert.ok(Math.hypot(there.x - 40, there.y - 13) < 0.3, `it is at ${there.x}, ${there.y}`);
  const clip = await page.evaluate((id) => { const { app } = window.studio; return app.scene.clips[app.live.shown.clip[app.live.now.find(id)]]; }, who.id);
  await shot(page, "25-on-the-bench");
  assert.match(clip, /sit|seat|directed|planned/i, `it shows ${clip}`);
});

await test("a vehicle drives the way that was drawn; undo and redo go over texts", async () => {
  await above(page, [22, 10], 40);
  await page.keyboard.press("b");
  await page.locator("#vehicle-every").fill("20");
  await drag(page, [[6, 1.6], [14, 1.7], [24, 1.6], [38, 1.5]]);
  await until(page, () => window.studio.app.scene.vehicles.length === 1);
  await page.keyboard.press("Escape");
  await until(page, () => window.studio.app.state["going-to"] === null && window.studio.app.live.shown.count > 0, null, 120000);
  await ask(page, { kind: "play" });
  await until(page, () => (window.studio.app.live.now?.vehicles().length ?? 0) > 0);
  await shot(page, "26-vehicle");
  await ask(page, { kind: "pause" });
  const marks = await stateOf(page, "state.marks.length");
  assert.match(await undo(), /another text/);
  await until(page, () => window.studio.app.scene.vehicles.length === 0 && window.studio.app.state["going-to"] === null);
  assert.equal(await stateOf(page, "state.marks.length"), marks);
  const again = await ask(page, { kind: "redo" });
  assert.match(again.said, /made again: another text/);
  await until(page, () => window.studio.app.scene.vehicles.length === 1 && window.studio.app.state["going-to"] === null);
});

await test("comments of the file survive", async () => {
  const answer = await ask(page, { kind: "save-as", name: "kept.toml" });
  assert.equal(answer.came, "done", answer.why);
  assert.match(readFileSync(join(folder, "kept.toml"), "utf8"), /# A yard to try tools in\./);
});
assert.deepEqual(problems, []);
await browser.close();
server.kill();
