// Checks a replay page in a real browser: see scripts/browser-tests.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [folder, artefacts, styled, bus] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});

async function open(address, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1100, height: 700 }, ...options });
  const problems = [];
  page.on("console", (message) => { if (["error", "warning"].includes(message.type()) && !/GPU stall|GL Driver/.test(message.text())) problems.push(message.text()); });
  page.on("pageerror", (error) => problems.push(String(error)));
  await page.goto(address);
  await page.waitForFunction(() => window.crowdloom?.sampler.shown.count > 0, null, { timeout: 60000 });
  return { page, problems };
}
const shot = (page, name) => page.screenshot({ path: `${artefacts}/${name}.png` });
/** Time passes only when a test says so. */
const settle = (page, seconds) => page.evaluate(async (time) => {
  const { setTime, setPlaying, loom, state } = window.crowdloom;
  setPlaying(false);
  setTime(time);
  await loom.fetch(loom.chunkOf(loom.start + state.time * loom.header.frame_rate));
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
}, seconds);
const places = (page) => page.evaluate(() => {
  const { shown } = window.crowdloom.sampler;
  return Array.from(shown.place.subarray(0, shown.count * 4));
});

async function test(name, body) {
  await body();
  console.log(`ok  ${name}`);
}

const file = pathToFileURL(resolve(folder, "replay.html")).href;
const { page, problems } = await open(file);
await test("the page opens from disk and the canvas is not blank", async () => {
  await settle(page, 2);
  const colours = await page.evaluate(() => {
    const canvas = document.querySelector("#stage");
    const small = Object.assign(document.createElement("canvas"), { width: 64, height: 40 });
    const context = small.getContext("2d");
    context.drawImage(canvas, 0, 0, 64, 40);
    const { data } = context.getImageData(0, 0, 64, 40);
    const seen = new Set();
    for (let at = 0; at < data.length; at += 4) seen.add((data[at] >> 3) * 1024 + (data[at + 1] >> 3) * 32 + (data[at + 2] >> 3));
    return seen.size;
  });
  assert.ok(colours > 12, `only ${colours} colours`);
  await shot(page, "overview");
});
await test("scrubbing moves people", async () => {
  const before = await places(page);
  await page.locator("#time").fill("9");
  await settle(page, 9);
  const after = await places(page);
  assert.equal(before.length, after.length);
  const moved = before.filter((value, at) => at % 4 < 2 && Math.abs(value - after[at]) > 0.5).length;
  assert.ok(moved > 20, `only ${moved} coordinates changed`);
});
await test("people are where the export says", async () => {
  const table = resolve(artefacts, "run.csv");
  execFileSync(process.env.CROWDLOOM, ["export", folder, "--to", "csv", "--quiet", "-o", table]);
  const lines = readFileSync(table, "utf8").split("\n");
  for (const time of [0, 3.1, 7.9]) {
    await settle(page, time);
    const shown = await page.evaluate(() => {
      const { shown } = window.crowdloom.sampler;
      return Array.from({ length: shown.count }, (_, at) => [shown.id[at], shown.place[at * 4], shown.place[at * 4 + 1], shown.place[at * 4 + 2]]);
    });
    const frame = String(Math.round(time * 30));
    const said = new Map(lines.map((line) => line.split(",")).filter((row) => row[1] === frame).map((row) => [Number(row[0]), row.slice(3, 6).map(Number)]));
    assert.equal(shown.length, said.size);
    for (const [id, x, y, heading] of shown) {
      const [expectedX, expectedY, expectedHeading] = said.get(id);
      const turn = Math.abs(Math.atan2(Math.sin(heading - expectedHeading), Math.cos(heading - expectedHeading)));
      assert.ok(Math.hypot(x - expectedX, y - expectedY) < 0.003 && turn < 0.002, `agent ${id} after ${time} s`);
    }
  }
  await settle(page, 9);
});
await test("clicking somebody selects that one", async () => {
  const inSight = await page.evaluate(() => {
    const { sampler, camera } = window.crowdloom;
    const box = document.querySelector("#stage").getBoundingClientRect();
    const open = { left: 380, right: box.width - 260, top: 120, bottom: box.height - 90 };
    const all = [];
    for (let slot = 0; slot < sampler.shown.count; slot++) {
      const point = camera.eye.position.clone().set(sampler.shown.place[slot * 4], sampler.shown.place[slot * 4 + 1], 1.0).project(camera.eye);
      const x = (point.x + 1) / 2 * box.width, y = (1 - point.y) / 2 * box.height;
      if (point.z < 1 && x > open.left && x < open.right && y > open.top && y < open.bottom) all.push({ x, y, z: point.z, id: sampler.shown.id[slot] });
    }
    return all.sort((one, other) => one.z - other.z).slice(0, 12);
  });
  // Houses may hide those who are near.
  let spot = null;
  for (const one of inSight) {
    await page.mouse.click(one.x, one.y);
    await page.waitForTimeout(400);
    if (await page.evaluate((id) => window.crowdloom.state.chosen === id, one.id)) { spot = one; break; }
  }
  assert.ok(spot, `nobody of ${inSight.length} in sight is selected by a click`);
  await page.waitForFunction(() => !document.querySelector("#agent").hidden);
  assert.match(await page.locator("#agent").innerText(), new RegExp(`Person ${spot.id}`));
  await page.keyboard.press("f");
  assert.equal(await page.evaluate(() => window.crowdloom.state.following), true);
  await page.evaluate(() => {
    const { camera, sampler, state } = window.crowdloom;
    const slot = sampler.shown.id.indexOf(state.chosen);
    camera.approach(sampler.shown.place[slot * 4], sampler.shown.place[slot * 4 + 1]);
  });
  await settle(page, 9);
  await shot(page, "follow");
  const drawn = await page.evaluate(() => window.crowdloom.crowd.drawn);
  assert.ok(drawn[0] + drawn[1] > 0 && drawn[2] + drawn[3] > 0, `levels of detail: ${drawn}`);
});
await test("keys switch overlays, colours and the dark theme", async () => {
  for (const key of ["p", "r", "d", "l", "c", "c"]) await page.keyboard.press(key);
  await page.waitForTimeout(400);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  assert.equal(await page.locator("#colour").inputValue(), "action");
  assert.ok(await page.locator("#legend .key").count() > 0);
  await settle(page, 5);
  await page.waitForTimeout(400);
  await shot(page, "overlays-dark");
});
await test("one can walk among them", async () => {
  await page.keyboard.press("f");
  await page.keyboard.press("w");
  const before = await page.evaluate(() => window.crowdloom.camera.eye.position.toArray());
  await page.keyboard.down("w");
  await page.waitForTimeout(600);
  await page.keyboard.up("w");
  const after = await page.evaluate(() => window.crowdloom.camera.eye.position.toArray());
  assert.ok(Math.hypot(after[0] - before[0], after[1] - before[1]) > 0.2 && after[2] === 1.7);
  await page.keyboard.press("l");
  await settle(page, 5);
  await shot(page, "walk");
});
assert.deepEqual(problems, [], "console messages");
await page.close();

if (styled) await test("people are coloured by style, and different styles are posed differently", async () => {
  const { page, problems } = await open(pathToFileURL(resolve(styled, "replay.html")).href);
  await settle(page, 3);
  await page.locator("#colour").selectOption("style");
  await settle(page, 3);
  const seen = await page.evaluate(() => {
    const { crowd, loom, sampler: { shown } } = window.crowdloom;
    const colours = new Map(), clips = new Set();
    let mixed = 0;
    for (let slot = 0; slot < shown.count; slot++) {
      const colour = [...crowd.tint.subarray(slot * 4, slot * 4 + 4)].join(), style = shown.style[slot];
      if (colours.has(style) && colours.get(style) !== colour) mixed++;
      colours.set(style, colour);
      clips.add(shown.clip[slot]);
    }
    const known = loom.clips.map((clip) => clip.number);
    return { styles: colours.size, colours: new Set(colours.values()).size, mixed, clips: clips.size,
      unknown: [...clips].filter((clip) => !known.includes(clip)).length, names: loom.header.styles.length };
  });
  assert.ok(seen.styles >= 10 && seen.names >= seen.styles, JSON.stringify(seen));
  assert.equal(seen.mixed, 0, "one style has one colour");
  assert.equal(seen.colours, seen.styles, "two styles have two colours");
  assert.ok(seen.clips >= seen.styles && seen.unknown === 0, JSON.stringify(seen));
  await page.waitForTimeout(400);
  assert.ok(await page.locator("#legend .key").count() >= 5);
  await shot(page, "styles");
  assert.deepEqual(problems, []);
  await page.close();
});

await test("a bus drives, stops and takes people along", async () => {
  const { page, problems } = await open(pathToFileURL(resolve(bus, "replay.html")).href);
  const ride = async (seconds) => {
    await settle(page, seconds);
    return page.evaluate(() => {
      const { vehicles: { group }, loom, sampler: { shown } } = window.crowdloom;
      const body = group.children[0], { length, width } = loom.header.vehicles[0];
      const inside = (x, y) => Math.abs(x - body.position.x) < length / 2 && Math.abs(y - body.position.y) < width / 2;
      let riders = 0;
      for (let slot = 0; slot < shown.count; slot++) riders += inside(shown.place[slot * 4], shown.place[slot * 4 + 1]);
      return { there: body.visible, x: body.position.x, riders };
    });
  };
  const [before, early, stopped, boarded] = [await ride(0.5), await ride(5), await ride(12), await ride(26)];
  await page.evaluate(() => {
    const { camera, vehicles } = window.crowdloom, { x, y } = vehicles.group.children[0].position;
    camera.approach(x, y);
  });
  await settle(page, 26);
  await shot(page, "bus");
  const late = await ride(36);
  const all = JSON.stringify({ before, early, stopped, boarded, late });
  assert.ok(!before.there && early.there && early.riders === 0, all);
  // Somebody may stand in its way just before the stop: doors open up to 1.5 m before it.
  assert.ok(stopped.x > early.x + 1 && Math.abs(boarded.x - stopped.x) < 1.5 && late.x > stopped.x + 5, all);
  assert.ok(boarded.riders >= 3 && late.riders >= 3, all);
  assert.deepEqual(problems, []);
  await page.close();
});

await test("it fits a telephone and obeys touch", async () => {
  const { page, problems } = await open(file, { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true });
  await page.tap("#play");
  assert.equal(await page.evaluate(() => window.crowdloom.state.playing), false);
  await shot(page, "telephone");
  assert.deepEqual(problems, []);
  await page.close();
});

await test("a server streams the same run", async () => {
  const server = spawn(process.env.CROWDLOOM, ["view", folder], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const address = await new Promise((found) => server.stdout.on("data", (text) => found(/http:\S+/.exec(String(text))[0])));
    const { page, problems } = await open(address);
    await settle(page, 5);
    assert.ok((await places(page)).length > 0);
    assert.deepEqual(problems, []);
    await page.close();
  } finally {
    server.kill();
  }
});
await test("the report has plots", async () => {
  const page = await browser.newPage({ viewport: { width: 1100, height: 1400 } });
  await page.goto(pathToFileURL(resolve(folder, "report.html")).href);
  assert.ok(await page.locator("svg").count() >= 4);
  await shot(page, "report");
  await page.close();
});
await browser.close();
