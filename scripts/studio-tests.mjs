// Works through the studio in a real browser as a person would: see scripts/browser-tests.
// Usage: node studio-tests.mjs FOLDER FOR SCREENSHOTS; CROWDLOOM and CHROMIUM name the programs, ONLY the tests.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { above, ask, browser, drag, frameOf, newFolder, open, people, program, runTo, serve, shot, test, until, within } from "./studio-helpers.mjs";

let folder = newFolder();
let { server, link } = await serve(folder, "street");
let { page, problems } = await open(link);
if (process.env.ONLY) await page.locator("#help .main").click();

await test("who does not know the link sees nothing", async () => {
  const answer = await page.request.get(link.split("?")[0]);
  assert.equal(answer.status(), 403);
});
await test("the first start shows what can be done", async () => {
  assert.ok(await page.locator("#help").isVisible());
  await shot(page, "1-first-start");
  await page.locator("#help .main").click();
});
await test("the crowd walks", async () => {
  const before = await people(page);
  await page.waitForTimeout(3000);
  const after = await people(page);
  const moved = after.filter((now) => { const then = before.find(({ id }) => id === now.id); return then && Math.hypot(now.x - then.x, now.y - then.y) > 0.5; });
  assert.ok(moved.length > 40, `only ${moved.length} moved`);
  await shot(page, "2-street");
});

const PLACE = [30.5, 7, 35.5, 15];
await test("a painted light stops people, on the page and on the server", async () => {
  await runTo(page, 300);
  await above(page, [33, 11], 26);
  await page.keyboard.press("6");
  await page.locator("#options select").first().selectOption("rectangle");
  await drag(page, [[30.2, 6.2], [33, 10], [35.8, 15.8]]);
  await page.locator(".form select").first().selectOption("traffic-light");
  await page.locator(".form select").nth(1).selectOption({ label: "a new one …" });
  const seconds = page.locator(".form .indent input");
  await seconds.nth(0).fill("0");
  await seconds.nth(1).fill("600");
  await shot(page, "3-paint-form");
  await page.locator("#form-done").click();
  await until(page, () => window.studio.app.state.situations.some((each) => each.name === "traffic-light 1" && each.on));
  await runTo(page, 900);
  const standing = within(await people(page), PLACE).filter(({ speed }) => speed < 0.1);
  assert.ok(standing.length >= 3, `only ${standing.length} stand in it`);
  const told = await ask(page, { kind: "person", number: standing[0].id });
  assert.match(told.stands, /waits in “traffic-light 1” for the signal/);
  await page.keyboard.press("Escape");
  await page.evaluate((id) => window.studio.app.choose(id), standing[0].id);
  await page.waitForTimeout(800);
  await shot(page, "4-they-wait");
});
await test("a click on a spot says what holds there", async () => {
  await page.evaluate(() => window.studio.app.choose(-1));
  const answer = await ask(page, { kind: "spot", x: 33, y: 11 });
  assert.deepEqual(answer.situations.sort(), ["in a hurry", "traffic-light 1"]);
});
await test("undo lets them go", async () => {
  await page.keyboard.press("Control+z");
  await until(page, () => !window.studio.app.state.situations.find((each) => each.name === "traffic-light 1").on);
  // The crowd that has gathered needs a while to go.
  await runTo(page, 1500);
  const standing = within(await people(page), PLACE).filter(({ speed }) => speed < 0.1);
  for (const { id } of standing) assert.doesNotMatch((await ask(page, { kind: "person", number: id })).stands ?? "", /traffic-light 1/);
  assert.ok(standing.length <= 3, `${standing.length} still stand`);
});
await test("people are sprayed, some are locked, the others reshuffled", async () => {
  await runTo(page, 1200);
  await page.locator("#tab-layers").click();
  // Between the panels.
  await above(page, [20, 11], 34);
  const before = new Set((await people(page)).map(({ id }) => id));
  await page.keyboard.press("3");
  await page.locator("#spray-amount").fill("12");
  await drag(page, [[14, 11], [16, 12], [18, 10], [20, 11], [22, 12], [24, 10], [26, 11], [27, 11], [15, 11], [19, 12], [23, 11]], 400);
  await until(page, (count) => window.studio.app.live.shown.count > count + 30, before.size);
  await shot(page, "5-sprayed");
  const sprayed = (await people(page)).filter(({ id }) => !before.has(id));
  const left = within(sprayed, [11.4, 8.6, 19.5, 13.6]).map(({ id }) => id), right = within(sprayed, [20.3, 8.6, 28, 13.6]).map(({ id }) => id);
  assert.ok(left.length > 5 && right.length > 5);
  await page.keyboard.press("2");
  await drag(page, [[11, 8.2], [19.9, 8.2], [19.9, 14], [11, 14], [11, 8.4]]);
  await page.getByRole("button", { name: "Lock", exact: true }).first().click();
  await until(page, (ids) => ids.every((id) => window.studio.app.locked.has(id)), left, 20000);
  const looks = new Map((await people(page)).map(({ id, looks }) => [id, looks]));
  await page.keyboard.press("4");
  await page.locator("#brush-radius").fill("4");
  await drag(page, [[13, 11], [17, 11], [20, 11], [24, 11], [29, 11]]);
  await until(page, (ids) => ids.every((id) => window.studio.app.live.looks.has(id)), right);
  const after = new Map((await people(page)).map(({ id, looks }) => [id, looks]));
  assert.ok(left.every((id) => after.get(id) === looks.get(id)), "the locked look as before");
  assert.ok(right.every((id) => after.get(id) !== looks.get(id)), "the others look otherwise");
  await page.waitForTimeout(300);
  await shot(page, "6-locked-and-reshuffled");
});
// From here on in a street that nobody has changed.
if (!process.env.ONLY) {
  await page.close();
  server.kill();
  folder = newFolder();
  ({ server, link } = await serve(folder, "street"));
  const opened = await open(link);
  page = opened.page;
  assert.deepEqual(problems, []);
  problems = opened.problems;
  await page.locator("#help .main").click();
}
await test("a wall across a flow sends people round it", async () => {
  await page.keyboard.press("Escape");
  await above(page, [45, 19], 24);
  await page.keyboard.press("7");
  await drag(page, [[45, 17.2], [45, 19], [45, 21]]);
  await until(page, () => window.studio.app.state.obstacles.some((each) => each.name === "wall 1"));
  await page.keyboard.press("Escape");
  await ask(page, { kind: "go-to", frame: 1500 });
  await until(page, () => window.studio.app.state.obstacles.some((each) => each.name === "wall 1" && each.there));
  await runTo(page, 1500);
  const solid = (all) => within(all, [44.8, 17.2, 45.2, 21]).length;
  for (let frame = 1500; frame < 1800; frame += 60) {
    await runTo(page, frame);
    assert.equal(solid(await people(page)), 0, "nobody is in the wall");
  }
  const passed = (await people(page)).filter(({ y }) => y > 17);
  assert.ok(passed.some(({ x }) => x < 44) && passed.some(({ x }) => x > 46), "people are on both sides");
  await shot(page, "7-wall");
});
await test("going back 20 s and changing something there runs on from there", async () => {
  await runTo(page, 1800);
  const once = await people(page);
  await runTo(page, 1200);
  await page.locator("#tab-layers").click();
  await ask(page, { kind: "pause" });
  const answer = await ask(page, { kind: "enact", event: { numbers: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], goal: [60, 3] } });
  assert.equal(answer.came, "done");
  // The page is told of it a moment after the answer.
  await until(page, () => {
    const marks = window.studio.app.state.marks.map((mark) => mark.what);
    return marks.includes("another goal for 10 people") && marks.includes("wall “wall 1”");
  }, null, 30000);
  await runTo(page, 1800);
  const again = new Map((await people(page)).map((own) => [own.id, own]));
  assert.ok(once.filter((own) => { const now = again.get(own.id); return !now || Math.hypot(now.x - own.x, now.y - own.y) > 0.5; }).length > 5, "it is another future");
  await shot(page, "8-another-future");
  // The wall comes again as soon as nobody has promised to be there.
  await ask(page, { kind: "go-to", frame: 5400 });
  await until(page, () => window.studio.app.state.obstacles.some((each) => each.name === "wall 1" && each.there));
  await runTo(page, 1800);
});
await test("problems of the text are marked in their lines, and words are completed", async () => {
  await page.locator("#tab-text").click();
  const editor = (what, own) => page.evaluate(([name, text]) => {
    const { editor } = window.studio.panels.text;
    if (name === "set") editor.value = text;
    return editor.value;
  }, [what, own]);
  const text = await editor("get");
  assert.match(text, /\[\[event\]\]/);
  await editor("set", text.replace('kind = "hurry"', 'kind = "hury"'));
  await until(page, () => document.querySelectorAll("#problems .wrong").length > 0);
  await page.locator("#problems li").first().click();
  await page.waitForSelector("#text .cm-lint-marker-error");
  // A new table at the end: keys, then words for a value, come from the schema.
  await editor("set", `${text}\n[[people]]\ncount = 1\n`);
  await page.locator("#text .cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("mov");
  await page.locator(".cm-tooltip-autocomplete li", { hasText: "mover" }).first().waitFor();
  await shot(page, "9-text");
  await page.waitForTimeout(200);
  await page.keyboard.press("Enter");
  await page.keyboard.type('"orc');
  await page.locator(".cm-tooltip-autocomplete li", { hasText: "orca" }).first().waitFor();
  await page.waitForTimeout(200);
  await page.keyboard.press("Enter");
  assert.match(await editor("get"), /mover = "orca$/);
  await page.getByRole("button", { name: "As it runs" }).click();
  assert.equal(await editor("get"), text);
});
await test("people are coloured by what they do", async () => {
  await page.locator("#tab-people").click();
  await page.locator("#pages select").first().selectOption("situation");
  await above(page, [33, 11], 40);
  await page.waitForTimeout(700);
  assert.ok((await page.locator("#legend .key").count()) > 1);
  await page.keyboard.press("l");
  await page.waitForTimeout(500);
  await shot(page, "10-dark");
  await page.keyboard.press("l");
});
let bits;
await test("what is saved runs on the command line to the same crowd", async () => {
  // A fresh run of what is saved: nothing was taken back in it.
  const answer = await ask(page, { kind: "save-as", name: "mine.toml" });
  assert.equal(answer.came, "done", answer.why);
  await page.close();
  server.kill();
  ({ server, link } = await serve(folder, "mine.toml"));
  ({ page } = await open(link));
  await runTo(page, 1650);
  const shown = await people(page);
  bits = shown.length;
  execFileSync(program, ["run", join(folder, "mine.toml"), "--seconds", "60", "--quiet", "-o", join(folder, "run")]);
  execFileSync(program, ["export", join(folder, "run"), "--to", "csv", "--quiet", "-o", join(folder, "run.csv")]);
  const rows = readFileSync(join(folder, "run.csv"), "utf8").split("\n").map((line) => line.split(",")).filter((row) => row[1] === "1650");
  assert.equal(rows.length, shown.length);
  const said = new Map(rows.map((row) => [Number(row[0]), row.slice(3, 5).map(Number)]));
  for (const { id, x, y } of shown) {
    const own = said.get(id);
    assert.ok(own && Math.hypot(own[0] - x, own[1] - y) < 0.003, `person ${id}: ${own} on the command line, ${x}, ${y} in the studio`);
  }
});
await test("a server that dies is told of, and what was not saved is offered", async () => {
  await ask(page, { kind: "enact", event: { numbers: [1, 2, 3], speed: 2 } });
  await page.waitForTimeout(4500);
  const port = new URL(link).port;
  server.kill("SIGKILL");
  await until(page, () => document.body.classList.contains("offline"));
  assert.match(await page.locator("#toast").innerText(), /server has gone/);
  await page.close();
  ({ server, link } = await serve(folder, "mine.toml", "--port", port));
  ({ page } = await open(link));
  await page.locator("#lost").getByRole("button", { name: "Go on with them" }).click();
  await until(page, () => window.studio.app.state.marks.some((mark) => mark.what.includes("speed for 3 people")));
});

// Directing, shapes, lanes and brushes, in a hall.
await page.close();
server.kill();
folder = newFolder();
writeFileSync(join(folder, "hall.toml"), `name = "hall"
seconds = 120
[world]
floor = [[0, 0], [30, 0], [30, 20], [0, 20]]
[[people]]
count = 40
[[situation]]
name = "in a hurry"
kind = "hurry"
speed = 2.6
`);
({ server, link } = await serve(folder, "hall.toml"));
({ page, problems } = await open(link));
if (await page.locator("#help").isVisible()) await page.locator("#help .main").click();
// Room beside the panels.
await page.setViewportSize({ width: 1500, height: 860 });
const marked = (what) => until(page, (own) => window.studio.app.state.marks.some((mark) => mark.what.includes(own)), what, 60000);

await test("one person is directed to a place, a heading and a second", async () => {
  await runTo(page, 90);
  await above(page, [13, 10], 26);
  const who = (await people(page)).filter(({ x, y }) => x > 6 && x < 20 && y > 4 && y < 16).sort((a, b) => a.id - b.id)[0];
  await page.keyboard.press("8");
  await drag(page, [[who.x, who.y], [12, 12], [14, 14]]);
  // Its arrow, taken by the tip, turns it.
  await drag(page, [[15, 14], [14.8, 14.8], [14, 15]]);
  await page.locator("#direct-within").fill("22");
  await page.locator("#direct-stay").fill("6");
  await shot(page, "11-ghost");
  await page.locator("#direct-go").click();
  await marked("directions for one person");
  await until(page, (id) => window.studio.app.chosen === id, who.id);
  // Where others are in the way it is planned a while later.
  let told, waited = 0;
  for (; waited <= 600; waited += 15) {
    told = await ask(page, { kind: "person", number: who.id });
    if (told.plan.length > 0) break;
    await runTo(page, 90 + waited + 15);
  }
  // The page asks a few times a second.
  await page.waitForTimeout(900);
  await shot(page, "12-planned");
  const last = told.plan.at(-1);
  assert.ok(last, `nothing is planned: ${JSON.stringify(told)}`);
  const left = 22 - waited / 30;
  assert.ok(Math.hypot(last[0] - 14, last[1] - 14) < 0.05 && Math.abs(last[2] - left) < 0.1, `it plans to be at ${last}`);
  const target = last;
  await runTo(page, 90 + 660 + 30);
  const there = (await people(page)).find(({ id }) => id === who.id);
  assert.ok(Math.hypot(there.x - target[0], there.y - target[1]) < 0.2, `it is at ${there.x}, ${there.y}`);
  await page.keyboard.press("Escape");
});
await test("what cannot be is told with its reason", async () => {
  const id = (await people(page)).find(({ x }) => x < 15).id;
  const answer = await ask(page, { kind: "enact", event: { numbers: [id], direct: { at: [29, 10], by: (await frameOf(page)) / 30 + 2 } } });
  assert.equal(answer.came, "refused");
  assert.match(answer.why, /too little/);
});
await test("those who are selected form a word", async () => {
  await page.keyboard.press("2");
  await drag(page, [[5, 2], [21, 2], [21, 18], [5, 18], [5, 2.4]]);
  const count = await page.evaluate(() => window.studio.app.selection.size);
  assert.ok(count > 5, `${count} are selected`);
  await page.keyboard.press("9");
  await page.locator("#options select").first().selectOption("word");
  await page.locator("#form-word").fill("HI");
  await page.locator("#direct-within").fill("30");
  const frame = await frameOf(page);
  await drag(page, [[9, 7], [9, 7]]);
  await marked("directions for");
  await runTo(page, frame + 930);
  const standing = within(await people(page), [8.8, 6.8, 19.2, 13]).filter(({ speed }) => speed < 0.1);
  assert.ok(standing.length >= count * 0.6, `${standing.length} of ${count} stand in it`);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await above(page, [14, 10], 24);
  await shot(page, "13-word");
});
await test("a lane is drawn, and people who come onto it follow it", async () => {
  await page.keyboard.press("0");
  await page.locator("#brush-radius").fill("1.2");
  await drag(page, [[6, 3], [10, 3], [14, 3.5], [18, 3], [21, 3]]);
  await until(page, () => window.studio.app.state.situations.some((each) => each.name === "lane 1" && each.on));
  await page.keyboard.press("Escape");
});
await test("a layer is copied and put down elsewhere", async () => {
  await page.locator("#tab-layers").click();
  await page.locator(".layer", { hasText: "lane 1" }).first().getByRole("button", { name: "Copy" }).click();
  await until(page, () => window.studio.app.tool === "paste");
  await drag(page, [[13.5, 16.5], [13.5, 16.5]]);
  await until(page, () => window.studio.app.state.situations.some((each) => each.name === "lane 1 2" && each.on));
  const [first, second] = await page.evaluate(() => ["lane 1", "lane 1 2"].map((name) => window.studio.app.state.regions.find((each) => each.name === name).areas[0][0]));
  assert.equal(first.length, second.length);
  assert.ok(second.every(([, y]) => y > 14), "it lies where it was put down");
  await page.keyboard.press("Escape");
});
await test("stops are drawn, and what comes after what", async () => {
  await page.keyboard.press("e");
  await drag(page, [[6, 6], [8, 8], [9, 9]]);
  await until(page, () => window.studio.app.state.stops.includes("stop 1"));
  await page.locator("#options select").selectOption("exit");
  await drag(page, [[18, 11], [19, 12], [21, 14]]);
  await until(page, () => window.studio.app.state.stops.includes("exit 1"));
  await drag(page, [[7.5, 7.5], [12, 10], [19.5, 12.5]]);
  await until(page, () => {
    const { stops, scenario } = window.studio.app.state;
    return scenario[stops.indexOf("stop 1")].next.some(([next]) => stops[next] === "exit 1");
  });
  await page.waitForTimeout(400);
  await shot(page, "15-stops");
  await page.keyboard.press("Escape");
});
await test("a brush gives speeds along its stroke, and its group a mood", async () => {
  await page.keyboard.press("4");
  await page.locator("#options select").first().selectOption("speed");
  await page.locator("#options select").nth(1).selectOption("gradient");
  await page.locator("#brush-radius").fill("3");
  await page.locator("#options input").nth(1).fill("0.8");
  await page.locator("#brush-other").fill("2.2");
  await drag(page, [[6, 10], [9, 10], [12, 10], [15, 10], [18, 10], [21, 10]]);
  await marked("another speed for");
  const event = (await ask(page, { kind: "save-as", name: "brushed.toml" }), readFileSync(join(folder, "brushed.toml"), "utf8")).match(/numbers = \[([^\]]*)\]\s*speed = \[([^\]]*)\]/);
  assert.ok(event, "the speeds are saved");
  const [numbers, speeds] = event.slice(1).map((list) => list.split(",").map(Number));
  assert.equal(numbers.length, speeds.length);
  assert.ok(Math.abs(speeds[0] - 0.8) < 0.01 && Math.abs(speeds.at(-1) - 2.2) < 0.01 && speeds.every((speed, index) => index === 0 || speed >= speeds[index - 1]));
  assert.ok(Math.abs((await ask(page, { kind: "person", number: numbers.at(-1) })).likes - speeds.at(-1)) < 0.01);
  await page.locator("#options select").first().selectOption("mood");
  await page.locator("#options select").nth(1).selectOption("in a hurry");
  await drag(page, [[8, 10], [12, 10], [16, 10]]);
  await marked("a group for");
  await page.keyboard.press("Escape");
});
await test("people are counted through a line, and coloured by density", async () => {
  await page.keyboard.press("c");
  // Not from below the time line.
  await drag(page, [[14, 4], [14, 8], [14, 18]]);
  assert.equal(await page.evaluate(() => window.studio.app.measures.lines.length), 1);
  await page.keyboard.press("Escape");
  await page.locator("#tab-people").click();
  await page.locator("#pages select").first().selectOption("density");
  await ask(page, { kind: "play" });
  await until(page, () => window.studio.app.measures.lines[0]?.passed > 3, null, 90000);
  await ask(page, { kind: "pause" });
  await page.waitForTimeout(600);
  await shot(page, "14-counted");
});
await test("a short film is made on the page", async () => {
  await page.locator("#tab-text").click();
  await page.locator("#film-seconds").fill("2");
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#film").click()]);
  const bytes = readFileSync(await download.path());
  assert.ok(bytes.length > 10000 && bytes.readUInt32BE(0) === 0x1a45dfa3, `${bytes.length} bytes of ${download.suggestedFilename()}`);
});
await test("a plan is dropped on the page, and scaled by two clicks", async () => {
  // A grey room of 40 x 30 cells with a black frame, as a portable grey map.
  const rows = Array.from({ length: 30 }, (_, y) => Array.from({ length: 40 }, (_, x) => (x === 0 || y === 0 || x === 39 || y === 29 ? 0 : 255)));
  const bytes = [...Buffer.from("P5\n40 30\n255\n"), ...rows.flat()];
  await page.evaluate((own) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([new Uint8Array(own)], "room.pgm"));
    document.querySelector("#stage").dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer }));
  }, bytes);
  await until(page, () => window.studio.app.scene.name === "room" && window.studio.app.live.shown.count > 0);
  await until(page, () => window.studio.app.tool === "scale");
  const size = () => page.evaluate(() => { const xs = window.studio.app.state.areas.flat(2).map(([x]) => x); return Math.max(...xs) - Math.min(...xs); });
  const before = await size();
  await above(page, [2, 1.5], 6);
  await drag(page, [[1, 1], [1, 1]]);
  await drag(page, [[2, 1], [2, 1]]);
  await page.locator("#scale-metres").fill("5");
  await page.locator("#scale-go").click();
  await until(page, (own) => { const xs = window.studio.app.state.areas.flat(2).map(([x]) => x); return Math.max(...xs) - Math.min(...xs) > own * 4; }, before);
  assert.ok(Math.abs((await size()) / before - 5) < 0.3, `${before} m became ${await size()} m`);
});
assert.deepEqual(problems, []);
const [rate, renderer] = await page.evaluate(() => [window.studio.rate, window.studio.renderer]);
console.log(`${rate.toFixed(0)} pictures a second, drawn by ${renderer}`);
await browser.close();
server.kill();
