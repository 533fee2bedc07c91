// Every brush of the studio with its operators, shapes, places that are moved, and what is taken away: see scripts/browser-tests.
// Usage: node studio-brushes-tests.mjs FOLDER FOR SCREENSHOTS; CROWDLOOM and CHROMIUM name the programs, ONLY the tests.
import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { above, ask, browser, drag, frameOf, newFolder, open, people, runTo, serve, shot, stateOf, test, until, within } from "./studio-helpers.mjs";

const folder = newFolder();
writeFileSync(join(folder, "court.toml"), `name = "court"
seconds = 120
[world]
floor = [[0, 0], [44, 0], [44, 26], [0, 26]]
[[outfit]]
name = "stewards"
like = "leisure"
share = 0
top-colours = [{ hue = [48, 58], saturation = [90, 100], brightness = [90, 100] }]
accessories = [{ piece = "cap" }]
[[situation]]
name = "in a hurry"
kind = "hurry"
speed = 2.6
[[situation]]
name = "strollers"
kind = "hurry"
speed = 0.8
[[people]]
count = 70
`);
const { server, link } = await serve(folder, "court.toml");
const { page, problems } = await open(link);
await page.setViewportSize({ width: 1500, height: 860 });
await page.locator("#help .main").click();
await runTo(page, 60);

const option = (id, value) => page.locator(`#options ${id}`).selectOption(value);
const fill = (id, value) => page.locator(`#options ${id}`).fill(String(value));
const undo = async () => { const answer = await ask(page, { kind: "undo" }); assert.equal(answer.came, "done", answer.why); return answer.said; };
const counted = (count) => until(page, (own) => window.studio.app.live.shown.count === own, count);
const marked = (what) => until(page, (own) => window.studio.app.state.marks.some((mark) => mark.what.includes(own)), what);
const lastEvent = async () => {
  const answer = await ask(page, { kind: "event", mark: await stateOf(page, "state.marks.at(-1)") });
  return answer.said;
};
/** The headings of people by number, in degrees. */
const headings = () => page.evaluate(() => {
  const { live } = window.studio.app, { shown } = live;
  live.sample(performance.now());
  return Array.from({ length: shown.count }, (_, slot) => [shown.id[slot], (shown.place[slot * 4 + 2] * 180) / Math.PI]);
});
/** A picture from near by. */
const close = async (name, at) => {
  await above(page, at, 20);
  await shot(page, name);
  await above(page, [22, 12], 44);
};
/** A stroke along a line, and who is on it with that radius. */
const STROKE = [[10, 12], [14, 12], [18, 12], [22, 12], [26, 12], [30, 12]], RADIUS = 4;
const underStroke = async () => (await people(page)).filter(({ x, y }) => Math.hypot(x - Math.min(Math.max(x, 10), 30), y - 12) < RADIUS - 0.3);

/** The spot that is farthest from everybody. */
const freeSpot = async () => {
  const all = await people(page);
  const spots = Array.from({ length: 25 * 15 }, (_, place) => [10 + (place % 25), 4 + Math.floor(place / 25)]);
  const room = ([x, y]) => Math.min(...all.map((own) => Math.hypot(own.x - x, own.y - y)));
  return spots.reduce((best, spot) => (room(spot) > room(best) ? spot : best));
};

await test("a click says what holds on a spot, and whom one clicks", async () => {
  await above(page, [22, 12], 44);
  const all = await people(page), spot = await freeSpot();
  await page.mouse.click(...await page.evaluate((own) => window.studio.screen(own), spot));
  await page.locator("#toast", { hasText: "no situation holds here" }).waitFor();
  const who = within(all, [14, 6, 30, 18])[0];
  await page.mouse.click(...await page.evaluate((own) => window.studio.screen(own, 0.9), [who.x, who.y]));
  await until(page, () => window.studio.app.chosen >= 0);
  await page.locator("#person dl").waitFor();
  assert.match(await page.locator("#person").innerText(), /wants/);
  await page.keyboard.press("Escape");
});

await above(page, [22, 12], 44);
await test("people come evenly, one by one, or thinner along the stroke", async () => {
  await page.keyboard.press("3");
  const before = (await people(page)).length;
  const come = async (points) => {
    const known = new Set((await people(page)).map(({ id }) => id));
    const marks = await stateOf(page, "state.marks.length");
    await drag(page, points, 150);
    await until(page, (own) => window.studio.app.state.marks.length > own, marks);
    await page.waitForTimeout(600);
    return (await people(page)).filter(({ id }) => !known.has(id));
  };
  const undoAll = async () => { for (let marks = await stateOf(page, "state.marks.length"); marks > 0; marks--) await undo().catch(() => {}); await counted(before); };
  const apart = (all) => Math.min(...all.flatMap((one, index) => all.slice(index + 1).map((other) => Math.hypot(one.x - other.x, one.y - other.y))));
  await fill("#brush-radius", 3);
  await option("#brush-operator", "uniform");
  await fill("#brush-strength", 25);
  const even = await come([[14, 12], [20, 12], [26, 12]]);
  // A quarter as dense as they can be: twice as far apart.
  assert.ok(even.length > 15 && apart(even) > 1.2, `${even.length} people ${apart(even)} m apart`);
  await shot(page, "32-evenly");
  await undoAll();
  await option("#brush-operator", "gradient");
  await fill("#brush-strength", 100);
  await fill("#brush-weak", 5);
  const thinner = await come([[10, 12], [14, 12], [18, 12], [22, 12], [26, 12], [30, 12], [34, 12]]);
  const [dense, thin] = [thinner.filter(({ x }) => x < 16).length, thinner.filter(({ x }) => x > 28).length];
  assert.ok(dense > 2 * thin && thin > 0, `${dense} at the beginning, ${thin} at the end`);
  await shot(page, "33-thinner");
  await undoAll();
  await option("#brush-whom", "point");
  const spot = await freeSpot();
  const [one] = await come([spot, spot]);
  assert.ok(Math.hypot(one.x - spot[0], one.y - spot[1]) < 0.1, "it stands where it was put");
  await undoAll();
  await option("#brush-whom", "area");
  await option("#brush-operator", "random");
  await page.keyboard.press("Escape");
});

await test("a brush turns people: all the same way, or further along the stroke", async () => {
  await page.keyboard.press("4");
  await option("#brush-what", "orient");
  await fill("#brush-radius", RADIUS);
  await fill("#brush-value", 90);
  const off = (a, b) => Math.abs(((a - b + 540) % 360) - 180);
  const touched = (await underStroke()).length;
  await drag(page, STROKE);
  await marked("another way round for");
  await page.waitForTimeout(300);
  const same = (await headings()).filter(([, own]) => off(own, 90) < 2).length;
  assert.ok(same > touched * 0.6, `${same} of ${touched} face north`);
  await undo();
  await option("#brush-operator", "gradient");
  await fill("#brush-value", 0);
  await fill("#brush-other", 180);
  await drag(page, STROKE);
  await marked("another way round for");
  const facing = (await lastEvent()).match(/facing = \[([^\]]*)\]/)[1].split(",").map(Number);
  assert.ok(facing[0] === 0 && facing.at(-1) === 180 && facing.every((own, index) => index === 0 || own >= facing[index - 1]), String(facing));
  await close("34-turned", [20, 12]);
  await undo();
  await option("#brush-operator", "uniform");
  await page.keyboard.press("Escape");
});

await test("a brush deletes half of those under it, evenly, or more of them along the stroke", async () => {
  await page.keyboard.press("4");
  await option("#brush-what", "leave");
  await fill("#brush-radius", RADIUS);
  await fill("#brush-strength", 50);
  const before = (await people(page)).length, touched = (await underStroke()).length;
  await drag(page, STROKE);
  await until(page, (own) => window.studio.app.live.shown.count < own, before);
  const gone = before - (await people(page)).length;
  assert.ok(Math.abs(gone - touched / 2) <= touched * 0.2 + 1, `${gone} of ${touched} went`);
  assert.match(await undo(), /leave/);
  await counted(before);
  await option("#brush-operator", "gradient");
  await fill("#brush-strength", 1);
  await fill("#brush-weak", 100);
  const places = new Map((await people(page)).map(({ id, x }) => [id, x]));
  await drag(page, STROKE);
  await until(page, (own) => window.studio.app.live.shown.count < own, before);
  const left = new Set((await people(page)).map(({ id }) => id)), went = [...places].filter(([id]) => !left.has(id)).map(([, x]) => x);
  assert.ok(went.filter((x) => x > 20).length > went.filter((x) => x < 20).length, String(went));
  await undo();
  await counted(before);
  await option("#brush-operator", "uniform");
  await page.keyboard.press("Escape");
});

await test("a lock is taken back and made again like everything else", async () => {
  await page.keyboard.press("4");
  await option("#brush-what", "lock");
  await fill("#brush-strength", 100);
  await drag(page, STROKE);
  await until(page, () => window.studio.app.locked.size > 3);
  const locked = await page.evaluate(() => [...window.studio.app.locked]);
  await option("#brush-what", "size");
  await option("#brush-operator", "uniform");
  const answer = await ask(page, { kind: "enact", event: { numbers: locked, size: 1.5 } });
  assert.match(answer.why, /locked/);
  await page.keyboard.press("Escape");
  assert.match(await page.locator("#undo").getAttribute("title"), /a lock for/);
  await page.keyboard.press("Control+z");
  await until(page, () => window.studio.app.locked.size === 0);
  await page.keyboard.press("Control+y");
  await until(page, (count) => window.studio.app.locked.size === count, locked.length);
  await page.locator("#tab-people").click();
  await page.locator("#reshuffle-others").click();
  await until(page, () => { const { live, locked } = window.studio.app; return live.looks.size === live.shown.count - locked.size; });
  await undo();
  await page.keyboard.press("Control+z");
  await until(page, () => window.studio.app.locked.size === 0);
});

await test("outfits, the scene's own too, are put on with the brush, and seen on the page", async () => {
  await page.keyboard.press("4");
  await option("#brush-what", "outfit");
  await option("#brush-word-1", "stewards");
  await fill("#brush-radius", RADIUS);
  await drag(page, STROKE);
  await marked("another outfit for");
  const capped = () => page.evaluate(() => {
    const { app } = window.studio, { wardrobe, cast, live } = app;
    return [...live.dresses.keys()].filter((id) => wardrobe.worn(cast.personOf(id)).some((piece) => wardrobe.pieces[piece].name === "cap")).length;
  });
  await until(page, () => { const { wardrobe, cast, live } = window.studio.app; return live.dresses.size > 3 && [...live.dresses.keys()].every((id) => wardrobe.worn(cast.personOf(id)).some((piece) => wardrobe.pieces[piece].name === "cap")); });
  assert.ok((await capped()) > 3);
  await page.waitForTimeout(500);
  await close("35-outfits", [20, 12]);
  await option("#brush-operator", "gradient");
  await option("#brush-word-2", "business");
  await drag(page, STROKE);
  await until(page, () => new Set(window.studio.app.live.dresses.values()).size === 2);
  await undo();
  await until(page, () => new Set(window.studio.app.live.dresses.values()).size === 1);
  await undo();
  await until(page, () => window.studio.app.live.dresses.size === 0);
  await page.keyboard.press("Escape");
});

await test("styles and movers by chance and along the stroke; groups by brush, and for those who are selected", async () => {
  await page.keyboard.press("4");
  const styles = await page.evaluate(() => window.studio.app.scene.styles);
  await option("#brush-what", "style");
  await option("#brush-operator", "gradient");
  await option("#brush-word-1", styles[0]);
  await option("#brush-word-2", styles.find((each) => /march|jog|old|tired/.test(each)) ?? styles[1]);
  await drag(page, STROKE);
  await marked("another style for");
  assert.match(await undo(), /another style/);
  await option("#brush-what", "mover");
  await option("#brush-operator", "random");
  await drag(page, STROKE);
  await marked("another mover for");
  await undo();
  await option("#brush-what", "mood");
  await option("#brush-operator", "gradient");
  await option("#brush-word-1", "strollers");
  await option("#brush-word-2", "in a hurry");
  await drag(page, STROKE);
  await marked("a group for");
  await undo();
  await option("#brush-operator", "uniform");
  await page.keyboard.press("2");
  await drag(page, [[12, 6], [32, 6], [32, 18], [12, 18], [12, 6.4]]);
  const chosen = await page.evaluate(() => [...window.studio.app.selection]);
  assert.ok(chosen.length > 3);
  await page.getByRole("button", { name: "Group …" }).click();
  await page.locator(".form select").first().selectOption("friends");
  await page.locator("#form-done").click();
  await marked("a group for");
  const told = await ask(page, { kind: "person", number: chosen[0] });
  assert.ok(told.situations.some((each) => each.includes("friends 1")), JSON.stringify(told.situations));
  await undo();
  await undo();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
});

await test("a lane is as wide as its stroke says, and as many follow it as it is strong", async () => {
  await page.keyboard.press("0");
  await option("#brush-operator", "gradient");
  await fill("#brush-radius", 2);
  await fill("#brush-other", 0.6);
  await fill("#brush-strength", 40);
  await drag(page, [[10, 20], [16, 20], [22, 20], [30, 20]]);
  await until(page, () => window.studio.app.state.regions.some((each) => each.name === "lane 1" && each.areas.length > 0));
  const outline = await stateOf(page, "state.regions.find((each) => each.name === 'lane 1').areas[0][0]");
  const wide = (x) => { const ys = outline.filter((corner) => Math.abs(corner[0] - x) < 1.5).map(([, y]) => y); return Math.max(...ys) - Math.min(...ys); };
  assert.ok(wide(11) > 3 && wide(29) < 2.2, `${wide(11)} m, then ${wide(29)} m`);
  assert.equal((await ask(page, { kind: "table", of: "situation", name: "lane 1" })).table.share, 0.4);
  await shot(page, "36-lane");
  await undo();
  await option("#brush-operator", "uniform");
  await page.keyboard.press("Escape");
});

await test("those who are selected fill an outline, or stand along a line", async () => {
  await page.keyboard.press("2");
  await drag(page, [[13, 6], [31, 6], [31, 18], [13, 18], [13, 6.4]]);
  await page.keyboard.press("9");
  await option("select", "fill");
  await fill("#direct-within", 30);
  const count = await page.evaluate(() => window.studio.app.selection.size), frame = await frameOf(page);
  await drag(page, [[19, 9], [25, 9], [25, 15], [19, 15], [19, 9.3]]);
  await marked("directions for");
  await runTo(page, frame + 930);
  const there = within(await people(page), [18.9, 8.9, 25.1, 15.1]).filter(({ speed }) => speed < 0.1);
  assert.ok(there.length >= count * 0.6, `${there.length} of ${count} are in it`);
  await close("37-outline", [22, 12]);
  await option("select", "along");
  const later = await frameOf(page);
  await drag(page, [[10, 20], [16, 21], [22, 20], [30, 21]]);
  await until(page, (own) => window.studio.app.state.marks.filter((mark) => mark.what.includes("directions for")).length >= own, 2);
  await runTo(page, later + 930);
  const line = within(await people(page), [9.5, 19.5, 30.5, 21.5]).filter(({ speed }) => speed < 0.1);
  assert.ok(line.length >= count * 0.5, `${line.length} of ${count} stand along it`);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
});

await test("seats and exits are moved, turned and taken away like walls", async () => {
  await page.keyboard.press("t");
  await drag(page, [[12.1, 5.1], [14, 6], [16, 8]]);
  await until(page, () => window.studio.app.state.situations.some((each) => each.name === "seats 1" && each.on));
  const before = (await ask(page, { kind: "table", of: "situation", name: "seats 1" })).table.spots;
  await page.keyboard.press("7");
  const deed = (value) => page.locator("#options select").first().selectOption(value);
  await deed("move");
  await drag(page, [[14, 6.5], [18, 6.5], [24, 6.5]]);
  const table = async () => (await ask(page, { kind: "table", of: "situation", name: "seats 1" })).table;
  await until(page, () => window.studio.app.state.regions.find((each) => each.name === "seats 1").areas[0][0].every(([x]) => x > 21));
  const moved = (await table()).spots;
  assert.ok(moved.every(([x, y], index) => Math.abs(x - before[index][0] - 10) < 0.2 && Math.abs(y - before[index][1]) < 0.2), JSON.stringify(moved));
  await deed("turn");
  await drag(page, [[25.5, 6.6], [25, 8], [24, 8.5]]);
  await until(page, () => { const xs = window.studio.app.state.regions.find((each) => each.name === "seats 1").areas[0][0].map(([x]) => x); return Math.max(...xs) - Math.min(...xs) < 3.6; });
  const turn = ((((await table()).spots[0][2] - before[0][2]) % 360) + 360) % 360;
  assert.ok(turn % 15 === 0 && turn >= 45 && turn <= 135, `turned by ${turn}`);
  await close("38-seats-turned", [23, 8]);
  await deed("remove");
  await drag(page, [[24, 6.5], [24, 6.5]]);
  await until(page, () => !window.studio.app.state.situations.some((each) => each.name === "seats 1" && each.on));
  await page.keyboard.press("e");
  await page.locator("#options select").selectOption("exit");
  await drag(page, [[12, 20], [13, 21], [14, 22]]);
  await until(page, () => window.studio.app.state.stops.includes("exit 1"));
  await page.keyboard.press("7");
  await deed("move");
  await drag(page, [[13, 21], [20, 21], [27, 21]]);
  await until(page, () => { const { stops, scenario } = window.studio.app.state; const at = scenario[stops.indexOf("exit 1")].at; return at && Math.abs(at[0] - 27) < 0.3; });
  await undo();
  await until(page, () => { const { stops, scenario } = window.studio.app.state; const at = scenario[stops.indexOf("exit 1")].at; return at && Math.abs(at[0] - 13) < 0.3; });
  await page.keyboard.press("Escape");
});

await test("a picture, a run, its report and an export are taken away", async () => {
  await page.locator("#tab-text").click();
  const [picture] = await Promise.all([page.waitForEvent("download"), page.locator("#picture").click()]);
  assert.equal(readFileSync(await picture.path()).readUInt32BE(0), 0x89504e47);
  await page.locator("#export-to").selectOption("csv");
  await page.getByLabel("Seconds", { exact: true }).fill("4");
  await page.locator("#take-away").click();
  await page.locator("#toast", { hasText: "people are in" }).waitFor();
  for (const name of ["run.loom", "replay.html", "report.html", "crowd.csv"]) assert.ok(statSync(join(folder, "court-run", name)).size > 1000, name);
  await shot(page, "39-taken-away");
});
assert.deepEqual(problems, []);
await browser.close();
server.kill();
