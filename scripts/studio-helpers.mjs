// What tests of the studio share: starting it, opening its page, and using it as a person would.
// CROWDLOOM and CHROMIUM name the programs.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";

const artefacts = resolve(process.argv[2]);
mkdirSync(artefacts, { recursive: true });
export const program = resolve(process.env.CROWDLOOM);
export const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});

/** A new folder for scenes. */
export const newFolder = () => mkdtempSync(join(tmpdir(), "crowdloom-studio-"));

/** Starts a studio in a folder; returns its link. */
export async function serve(folder, ...scene) {
  const server = spawn(program, ["studio", ...scene, "--no-browser"], { cwd: folder });
  let said = "";
  server.stderr.on("data", (bytes) => { said += bytes; });
  const link = await new Promise((found, fail) => {
    let text = "";
    server.stdout.on("data", (bytes) => { text += bytes; const match = text.match(/http:\S+/); if (match) found(match[0]); });
    server.on("exit", (code) => fail(new Error(`the studio ended with ${code}: ${said}`)));
  });
  server.removeAllListeners("exit");
  process.on("exit", () => server.kill());
  return { server, link };
}

export async function open(link) {
  const page = await browser.newPage({ viewport: { width: 1300, height: 640 }, colorScheme: "light" });
  const problems = [];
  page.on("console", (message) => { if (["error", "warning"].includes(message.type()) && !/GPU stall|GL Driver|WebSocket connection/.test(message.text())) problems.push(message.text()); });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.setDefaultTimeout(Number(process.env.TIMEOUT ?? 120000));
  await page.goto(link);
  await page.waitForFunction(() => window.studio?.app.live.shown.count > 0 && window.studio.app.schema, null, { timeout: 90000 });
  return { page, problems };
}
/** A picture of the page; with FINE as fine as it can be drawn, as those of docs/studio. */
export async function shot(page, name) {
  if (!process.env.FINE) {
    await page.screenshot({ path: join(artefacts, `${name}.png`), timeout: 120000 });
    return;
  }
  await page.evaluate(() => new Promise((drawn) => { void window.studio.app.finely(() => new Promise((taken) => { window.taken = taken; drawn(); })); }));
  await page.screenshot({ path: join(artefacts, `${name}.png`), timeout: 120000 });
  await page.evaluate(() => window.taken());
}
export const frameOf = (page) => page.evaluate(() => window.studio.timeline.frame);
export const ask = (page, question) => page.evaluate((own) => window.studio.app.ask(own), question);
export const until = (page, what, argument, timeout = Number(process.env.TIMEOUT ?? 120000)) => page.waitForFunction(what, argument, { timeout, polling: 100 });
/** Something about what the page knows of the scene: an expression of `state` and `own`. */
export const stateOf = (page, what, argument) => page.evaluate(([text, own]) => new Function("state", "own", `return ${text}`)(window.studio.app.state, own), [what, argument]);
/** Lets time pass to a frame as fast as it goes, then stands still. */
export async function runTo(page, frame) {
  await ask(page, { kind: "pause" });
  await ask(page, { kind: "go-to", frame });
  await until(page, (own) => window.studio.timeline.frame === own && window.studio.app.state["going-to"] === null, frame);
}
export const above = (page, at, height) => page.evaluate(async ([point, high]) => {
  window.studio.above(point, high);
  for (let frame = 0; frame < 30; frame++) await new Promise(requestAnimationFrame);
}, [at, height]);
/** Drags over points of the ground, and waits for what that leads to. */
export async function drag(page, points, pace = 0) {
  const places = await page.evaluate((own) => own.map((point) => window.studio.screen(point)), points);
  await page.mouse.move(...places[0]);
  await page.mouse.down();
  for (const place of places) { await page.mouse.move(...place, { steps: 4 }); if (pace) await page.waitForTimeout(pace); }
  await page.mouse.up();
  await page.evaluate(() => window.studio.tools.work);
}
export const people = (page) => page.evaluate(() => {
  const { live } = window.studio.app, { shown } = live;
  // Pictures may be late.
  live.sample(performance.now());
  return Array.from({ length: shown.count }, (_, slot) => ({ id: shown.id[slot], x: shown.place[slot * 4], y: shown.place[slot * 4 + 1], speed: shown.speed[slot], looks: shown.looks[slot] }));
});
export const within = (all, [x0, y0, x1, y1]) => all.filter(({ x, y }) => x >= x0 && x <= x1 && y >= y0 && y <= y1);

// ONLY names the tests to run, all without it; with GO_ON those after one that fails are run, too.
const only = new RegExp(process.env.ONLY ?? "");
export async function test(name, body) {
  if (!only.test(name)) return;
  const started = Date.now();
  try {
    await body();
  } catch (error) {
    if (!process.env.GO_ON) throw error;
    process.exitCode = 1;
    console.log(`NOT OK  ${name}: ${error.stack}`);
    return;
  }
  console.log(`ok  ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
}
