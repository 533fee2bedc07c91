// The studio: a live crowd to paint and direct.
import * as THREE from "three";
import "../style.css";
import "./studio.css";
import { drawsSlowly, Sun } from "../sun";
import { PoseTexture, Wardrobe, type Clip, type Joint } from "../bodies";
import { Camera } from "../camera";
import { Cast } from "./cast";
import { CrowdView } from "../crowd";
import { Parcels } from "../parcels";
import { Stage, type Ring, type Wall } from "../stage";
import { Vehicles } from "../vehicles";
import type { App, Tool } from "./app";
import { Drawing } from "./drawing";
import type { Point, Schema } from "./form";
import { Frame, Live } from "./live";
import { Layers } from "./layers";
import { find, make } from "./make";
import { Measures } from "./measures";
import { Paint, Panels } from "./panels";
import { takePlans } from "./plan";
import type { Scene } from "./protocol/Scene";
import type { State } from "./protocol/State";
import { Sharpness } from "./sharpness";
import { Timeline } from "./timeline";
import { Tools, TOOLS } from "./tools";
import { Tour } from "./tour";
import { Wire } from "./wire";

const HELP: [string, string][] = [
  ["Space", "run or pause"], ["← →", "one second back or on; with Shift ten"], [".", "one frame on"], ["− +", "slower, faster"],
  ...TOOLS.map(([, key, title, about]): [string, string] => [key, `${title}: ${about}`]),
  ["Drag, wheel", "look around, come nearer; with Shift or Alt while a tool is taken"], ["Fingers, pen", "one finger draws, two look around; a pen paints as broadly as it is pressed"], ["F", "follow the chosen one"], ["Delete", "delete those who are selected"],
  ["Marks", "click one on the time line to go there and read it, drag it to another time, Delete takes it out"], ["Ctrl+Z, Ctrl+Y", "take back, make again"], ["Ctrl+S", "save"], ["G", "show regions or not"], ["L", "light or dark"], ["Esc", "put the tool down"], ["?", "this help"],
];
const FIRST = [
  "Press 6, paint over the ground where people walk, choose “pause” and press “Paint it”: some stop there.",
  "Press 3 and spray people; press 7 and drag a wall across their way: they go round it.",
  "Drag the time line back, change something there, and let it run on.",
  "Click a person to see what it wants and why it stands.",
  "The tab “Text” shows the scene's file with all you did; Save writes it.",
];

const canvas = find<HTMLCanvasElement>("#stage");
const token = new URLSearchParams(location.search).get("token") ?? "";
const renderer = new THREE.WebGLRenderer({ canvas, antialias: !drawsSlowly(), stencil: true, preserveDrawingBuffer: true });
const sharpness = new Sharpness(renderer);
const world = new THREE.Scene();
const sun = new Sun(new THREE.Vector3(0.45, -0.35, 0.82).normalize(), renderer), sunlight = sun.light, sky = new THREE.HemisphereLight("#ffffff", "#8a8f9c", 1.5);
world.add(sunlight, sky);
world.fog = new THREE.Fog("#dfe4e8", 100, 400);
const bodies = await Wardrobe.read();

let stage: Stage | null = null, crowd: CrowdView | null = null, vehicles: Vehicles | null = null, parcels: Parcels | null = null, camera: Camera | null = null, poses: PoseTexture | null = null;
let paint: Paint, dark = matchMedia("(prefers-color-scheme: dark)").matches, regionsShown = true, places = "", carried = "";
let early: [number, Clip[]][] = [];

const app: App = {
  scene: null, state: null, schema: null, wardrobe: bodies, live: new Live(4096), drawing: new Drawing(4096), measures: new Measures(), layers: null as unknown as Layers, cast: null as unknown as Cast, selection: new Set(), locked: new Set(), chosen: -1, following: false, tool: "look",
  async ask(ask) {
    const answer = await wire.ask(ask);
    // Who is chosen is asked about all the time.
    if (ask.kind !== "person") wake();
    return answer;
  },
  async enact(event, joined = false) {
    const answer = await app.ask({ kind: "enact", event, joined });
    if (answer.came === "refused") {
      const problem = answer.problems[0];
      const why = problem ? `${problem.what}${problem.fix ? ` (${problem.fix})` : ""}` : answer.why;
      app.say(why, true);
      return why;
    }
    if (answer.came === "done" && answer.said) app.say(answer.said);
    return null;
  },
  say(text, wrong = false) {
    const toast = find("#toast");
    toast.textContent = text;
    toast.classList.toggle("wrong", wrong);
    toast.hidden = false;
    clearTimeout(hush);
    hush = window.setTimeout(() => { toast.hidden = true; }, wrong ? 7000 : 4500);
  },
  choose(id) {
    wake();
    app.chosen = id;
    if (id < 0) app.following = false;
    else panels.open("people");
    slow = 0;
  },
  select(ids) {
    wake();
    app.selection = new Set(ids);
    panels.showSelected();
    if (app.selection.size > 0) panels.open("people");
    if (app.state) panels.takeState(app.state);
  },
  ground(event) {
    if (!camera) return null;
    const hit = rayAt(event).intersectPlane(new THREE.Plane(new THREE.Vector3(0, 0, 1), 0), new THREE.Vector3());
    return hit && hit.distanceTo(camera.eye.position) < 3000 ? [hit.x, hit.y] : null;
  },
  pick(event) {
    const ray = rayAt(event), { shown } = app.live;
    const low = new THREE.Vector3(), high = new THREE.Vector3(), near = new THREE.Vector3();
    let best = -1, nearest = Infinity;
    for (let slot = 0; slot < shown.count; slot++) {
      low.set(shown.place[slot * 4], shown.place[slot * 4 + 1], 0.15);
      high.copy(low).setZ(1.65);
      const gap = Math.sqrt(ray.distanceSqToSegment(low, high, near)), away = near.distanceTo(ray.origin);
      if (gap < Math.max(0.28, away * 0.006) && away < nearest) [best, nearest] = [shown.id[slot], away];
    }
    return best;
  },
  setTool(tool: Tool) { app.tool = tool; tools.show(); },
  showForm(form) { panels.showForm(form); },
  async finely(then) {
    sharpness.keep(true);
    wake();
    for (const before = pictures; pictures === before;) await new Promise(requestAnimationFrame);
    await then();
    sharpness.keep(false);
  },
};
let hush = 0, slow = 0;

function rayAt(event: PointerEvent): THREE.Ray {
  const box = canvas.getBoundingClientRect(), caster = new THREE.Raycaster();
  caster.setFromCamera(new THREE.Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2), camera!.eye);
  return caster.ray;
}

/** Bodies for as many people. */
function makeRoom(capacity: number) {
  if (!poses) return;
  if (crowd) world.remove(crowd.group);
  world.remove(app.drawing.group);
  crowd = new CrowdView(bodies, poses, capacity);
  const { before, now, looks, sizes, dresses, corner } = app.live;
  app.live = Object.assign(new Live(capacity), { before, now, looks, sizes, dresses, corner });
  app.drawing = new Drawing(capacity);
  const { mode } = paint;
  paint = new Paint(app, capacity);
  paint.mode = mode;
  world.add(crowd.group, app.drawing.group);
  setDark(dark);
}

function takeScene(scene: Scene) {
  app.scene = scene;
  app.live.corner = scene.corner;
  app.live.now = app.live.before = null;
  app.cast.clear();
  poses = new PoseTexture([], (scene.skeleton as { joints: Joint[] }).joints);
  places = carried = "";
  if (vehicles) world.remove(vehicles.group);
  vehicles = new Vehicles(scene.vehicles.map(([name, length, width]) => ({ name, length, width })));
  world.add(vehicles.group);
  makeRoom(app.live.capacity);
  for (const [generation, clips] of early) if (generation === scene.generation) poses.add(clips);
  early = [];
  find("#title h1").textContent = scene.name;
  document.title = `${scene.name} · Crowdloom studio`;
}

function takeState(state: State) {
  app.state = state;
  app.locked = new Set(state.locked);
  app.live.looks = new Map(state.looks);
  app.live.sizes = new Map(state.sizes);
  app.live.dresses = new Map(state.dresses);
  void app.cast.refresh();
  const drawn = JSON.stringify([state.areas, state.floor, state.regions, state.signals.map((each) => each.at), state.props, [...panels.hidden]]);
  if (drawn !== places) { places = drawn; layStage(state); }
  const boxes = JSON.stringify(state.parcels);
  if (boxes !== carried) { carried = boxes; takeParcels(state); }
  app.drawing.showComing(state.obstacles.filter((each) => each.coming).flatMap((each) => each.outlines));
  panels.takeState(state);
  timeline.takeState(state);
  const undo = find<HTMLButtonElement>("#undo"), redo = find<HTMLButtonElement>("#redo");
  undo.disabled = state.undo === null;
  redo.disabled = state.redo === null;
  undo.title = state.undo ? `Take back: ${state.undo} (Ctrl+Z)` : "Nothing to take back";
  redo.title = state.redo ? `Make again: ${state.redo} (Ctrl+Y)` : "Nothing to make again";
  find("#save").textContent = state.unsaved ? "Save •" : "Save";
  if (state.notice) app.say(state.notice);
  if (state.recoverable && !offered) { offered = true; offerRecovery(); }
  const scenario = JSON.stringify([state.stops, state.scenario]);
  if (scenario !== stops) {
    stops = scenario;
    tools.show();
  }
}
let offered = false, stops = "";

/** Boxes are on the ground or in hands. */
function takeParcels({ parcels: all }: State) {
  if (parcels) world.remove(parcels.group);
  parcels = poses && new Parcels(all, poses, app.scene?.["frame-rate"] ?? 30);
  if (parcels) world.add(parcels.group);
}

function layStage(state: State) {
  if (stage) { world.remove(stage.group); stage.dispose(); }
  const regions = state.regions.filter((region) => region.areas.length > 0 && !panels.hidden.has(region.name));
  const signals = state.signals.map((signal) => ({ name: signal.name, at: signal.at ?? [1e6, 1e6] as [number, number], values: ["wait", "go"] }));
  stage = new Stage({ areas: state.areas as Ring[][], regions: regions as { name: string; areas: Ring[][] }[] }, [], signals, state.props, state.walls as Wall[], state.floor as Ring[][]);
  // Obstacles that come and go are holes in the areas, but not in the floor.
  if (state.floor.length) for (const { outlines } of state.obstacles.filter((each) => each.there)) for (const ring of outlines) stage.raise(ring as Ring);
  if (!sun.soft) stage.drawPlainly();
  stage.regions.visible = regionsShown;
  stage.layNames(0.6);
  world.add(stage.group);
  if (!camera) {
    camera = new Camera(canvas, stage.centre, stage.radius);
    [(world.fog as THREE.Fog).near, (world.fog as THREE.Fog).far] = stage.haze;
    resize();
  }
  setDark(dark);
}

function setDark(on: boolean) {
  wake();
  dark = on;
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  const haze = new THREE.Color(dark ? "#141924" : "#dfe4e8");
  world.background = haze;
  world.fog!.color.copy(haze);
  stage?.paint(dark);
  sunlight.intensity = dark ? 0.9 : 2.2;
  sky.intensity = dark ? 0.9 : 1.5;
  if (!crowd) return;
  (crowd.uniforms.sky.value as THREE.Color).set(dark ? "#6d7ea6" : "#b9c6dc");
  (crowd.uniforms.bounce.value as THREE.Color).set(dark ? "#3a3d4c" : "#8a8276");
  (crowd.uniforms.haze.value as THREE.Color).copy(haze);
  crowd.uniforms.sunlight.value = dark ? 0.55 : 0.85;
  crowd.uniforms.reach.value = stage?.haze[1] ?? 400;
  crowd.uniforms.shade.value = dark ? 0.42 : 0.26;
}

/** Looks at a region. */
function lookAt(region: number) {
  const points = app.state?.regions[region]?.areas.flat(2) ?? [];
  if (!camera || points.length === 0) return;
  const middle = points.reduce(([x, y], [px, py]) => [x + px / points.length, y + py / points.length], [0, 0]);
  camera.approach(middle[0], middle[1]);
}

function offerRecovery() {
  const dialog = find<HTMLDialogElement>("#lost");
  const answer = (keep: boolean) => () => { dialog.close(); void app.ask({ kind: "recover", keep }); };
  dialog.replaceChildren(make("h2", {}, "There are changes that were not saved"), make("p", {}, "The studio ended before they were saved; it kept them."),
    make("div", { class: "row" }, make("button", { class: "main", click: answer(true) }, "Go on with them"), make("button", { click: answer(false) }, "Let go of them")));
  dialog.show();
}

function showHelp(open = !find<HTMLDialogElement>("#help").open) {
  const dialog = find<HTMLDialogElement>("#help");
  if (!open) { dialog.close(); return; }
  dialog.replaceChildren(make("h2", {}, "First steps"), make("ol", {}, ...FIRST.map((each) => make("li", {}, each))),
    make("div", { class: "row" }, make("button", { class: "main", click: () => dialog.close() }, "Begin"), make("button", { id: "tour-start", click: () => { dialog.close(); tour.start(); } }, "Show me around (one minute)")), make("h2", {}, "Keys"),
    make("div", { class: "keys" }, ...HELP.map(([key, what]) => make("div", {}, make("kbd", {}, key), make("span", {}, what)))));
  dialog.show();
}

async function save() {
  const answer = await app.ask({ kind: "save" });
  if (answer.came === "refused") app.say(answer.why, true);
  else if (answer.came === "done" && answer.said) app.say(answer.said);
}

async function history(kind: "undo" | "redo") {
  const answer = await app.ask({ kind });
  if (answer.came === "refused") app.say(answer.why, true);
  else if (answer.came === "done" && answer.said) app.say(answer.said);
}

app.layers = new Layers(app);
app.cast = new Cast(app, (person) => { crowd?.forget(person); wake(); });
paint = new Paint(app, app.live.capacity);
const panels = new Panels(app, (colour) => { paint.mode = colour; slow = 0; }, lookAt, () => { places = ""; if (app.state) takeState(app.state); });
const timeline = new Timeline(app);
const runs = (text: string) => panels.text.runText(text);
const tour = new Tour(app);
const tools = new Tools(app, canvas, () => camera?.orbit ?? null, () => panels.text.editor.value, runs);
takePlans(app, runs);
const wire = new Wire(token, {
  scene: (scene) => { wake(); takeScene(scene); }, state: (state) => { wake(); takeState(state); }, text: (text) => panels.takeText(text),
  frame: (bytes) => {
    const frame = new Frame(bytes);
    if (frame.generation !== app.scene?.generation) return;
    if (frame.count > app.live.capacity) makeRoom(Math.ceil(frame.count * 1.5));
    if (frame.frame !== app.live.now?.frame) wake();
    app.live.take(frame);
    app.measures.count(frame, app.live.corner, frame.frame / (app.scene["frame-rate"] ?? 30));
  },
  clips: (generation, clips) => { wake(); if (poses && generation === app.scene?.generation) poses.add(clips); else early.push([generation, clips]); },
  connected: (on) => {
    document.body.classList.toggle("offline", !on);
    offered = false;
    if (on) find("#toast").hidden = true;
    else { app.say("The server has gone. This page comes back by itself when it does.", true); clearTimeout(hush); }
  },
});
void fetch(`/schema.json?token=${encodeURIComponent(token)}`).then((answer) => answer.json()).then((schema: Schema) => { app.schema = schema; tools.show(); });

find("#undo").addEventListener("click", () => { void history("undo"); });
find("#redo").addEventListener("click", () => { void history("redo"); });
find("#save").addEventListener("click", () => { void save(); });
find("#dark").addEventListener("click", () => setDark(!dark));
find("#help-button").addEventListener("click", () => showHelp());
window.addEventListener("keydown", (event) => {
  const typing = event.target instanceof HTMLElement && event.target.isContentEditable || event.target instanceof HTMLInputElement && event.target.type !== "range" || event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLSelectElement;
  const key = event.key.toLowerCase();
  if (event.ctrlKey || event.metaKey) {
    if (key === "z" && !typing) void history(event.shiftKey ? "redo" : "undo");
    else if (key === "y" && !typing) void history("redo");
    else if (key === "s") void save();
    else return;
    event.preventDefault();
    return;
  }
  if (typing || event.altKey) return;
  const tool = TOOLS.find(([, own]) => own === key);
  if (tool) app.setTool(tool[0]);
  else if (key === " ") timeline.toggle();
  else if (key === "arrowleft") timeline.by(event.shiftKey ? -10 : -1);
  else if (key === "arrowright") timeline.by(event.shiftKey ? 10 : 1);
  else if (key === ".") void app.ask({ kind: "step", frames: 1 });
  else if (key === "+" || key === "=") timeline.speedBy(1);
  else if (key === "-") timeline.speedBy(-1);
  else if (key === "f") app.following = !app.following && app.chosen >= 0;
  else if (key === "g") { regionsShown = !regionsShown; if (stage) stage.regions.visible = regionsShown; }
  else if (key === "l") setDark(!dark);
  else if (key === "delete" && app.selection.size > 0) void app.enact({ numbers: [...app.selection], leave: true }).then(() => app.select([]));
  else if (key === "?" || key === "h") showHelp();
  else if (key === "escape") { if (tour.running) tour.stop(); else if (find<HTMLDialogElement>("#help").open) showHelp(false); else if (app.tool !== "look") app.setTool("look"); else { app.choose(-1); app.select([]); } }
  else return;
  event.preventDefault();
});

let told = -1;
async function refresh() {
  void app.cast.refresh();
  await panels.refresh(paint.legend(), getComputedStyle(document.documentElement).getPropertyValue("--ink"));
  if (told !== app.chosen) { told = app.chosen; wake(); }
}

function resize() {
  sharpness.resize();
  camera?.resize();
}
window.addEventListener("resize", resize);
resize();

/** Whether the server is told how fast pictures are drawn. */
const reports = new URLSearchParams(location.search).has("report");
const rendererName = () => renderer.getContext().getParameter(renderer.getContext().getExtension("WEBGL_debug_renderer_info")?.UNMASKED_RENDERER_WEBGL ?? 0x1f01) as string;

/** Pictures are drawn while something may look otherwise, and for so many milliseconds and pictures after. */
const AWAKE = 700, AT_LEAST = 5;
let awakeUntil = 0, toDraw = AT_LEAST, lookedFrom = "";
function wake() { [awakeUntil, toDraw] = [performance.now() + AWAKE, AT_LEAST]; }
for (const kind of ["pointerdown", "pointermove", "pointerup", "wheel", "keydown", "input", "change", "click", "resize"]) window.addEventListener(kind, wake, { capture: true, passive: true });
/** Whether the picture may be another than the last one. */
function changes(): boolean {
  const from = camera ? [...camera.eye.matrixWorld.elements, camera.eye.aspect].join() : "";
  if (from !== lookedFrom) { lookedFrom = from; wake(); }
  return toDraw-- > 0 || performance.now() < awakeUntil;
}

let last = performance.now(), noted = -1, drawnFrames = 0, drawnSince = performance.now(), rate = 0, pictures = 0;
function draw(now: number) {
  requestAnimationFrame(draw);
  const passed = Math.min((now - last) / 1000, 0.1);
  last = now;
  if (!stage || !crowd || !camera || !app.live.now) return;
  camera.update(passed);
  camera.eye.updateMatrixWorld();
  if (!sharpness.isFree(now)) return;
  if (!changes()) { [drawnFrames, drawnSince] = [0, now]; if (now - slow > 250) { slow = now; void refresh(); } return; }
  app.live.sample(performance.now());
  const { shown } = app.live, frame = app.live.now;
  const slot = app.chosen >= 0 ? frame.find(app.chosen) : -1;
  if (app.following && slot >= 0) { camera.follow(shown.place[slot * 4], shown.place[slot * 4 + 1]); camera.eye.updateMatrixWorld(); }
  paint.apply(crowd);
  [crowd.fine, crowd.nearness] = [sun.soft, sharpness.share];
  crowd.update(shown, camera.eye);
  sun.fit(crowd.shaded);
  stage.nameRegions(camera.eye);
  stage.setSignals(frame.signals());
  vehicles?.update(frame.vehicles());
  parcels?.update(shown, frame.frame);
  const around = slot >= 0 && !app.selection.has(app.chosen) ? new Set([...app.selection, app.chosen]) : app.selection;
  app.drawing.ringAround("selected", shown, around);
  app.drawing.ringAround("locked", shown, app.locked);
  timeline.draw();
  drawnFrames++;
  if (now - slow > 250) {
    slow = now;
    if (now - drawnSince > 1000) { rate = (drawnFrames * 1000) / (now - drawnSince); drawnFrames = 0; drawnSince = now; sharpness.fit(rate); if (reports) void app.ask({ kind: "drawn", drawn: { pictures: rate, renderer: rendererName() } }); }
    const speed = shown.count > 0 ? shown.speed.subarray(0, shown.count).reduce((sum, each) => sum + each, 0) / shown.count : 0;
    if (frame.frame !== noted) {
      noted = frame.frame;
      app.measures.measureDensity(shown);
      panels.plots.add(frame.frame, [shown.count, speed, app.measures.meanDensity(shown.count), ...app.measures.lines.map((line) => app.measures.flow(line))]);
    }
    app.drawing.showLines(app.measures.lines.map((line) => ({ ends: line.ends, said: `${line.passed} passed, ${app.measures.flow(line).toFixed(2)} /s` })));
    find("#title p").textContent = `${shown.count.toLocaleString("en")} people · ${(frame.took / 1000).toFixed(1)} ms a step · ${rate.toFixed(0)} pictures/s`;
    void refresh();
  }
  renderer.render(world, camera.eye);
  sharpness.begin(now);
  pictures++;
}
setDark(dark);
tools.show();
requestAnimationFrame(draw);
try {
  if (!localStorage.getItem("crowdloom-studio")) { localStorage.setItem("crowdloom-studio", "seen"); showHelp(true); }
} catch { /* Without storage the first steps are behind the question mark. */ }

// A handle for tests and for the curious.
Object.assign(window, { studio: {
  app, panels, timeline, tools, wire, wake,
  get camera() { return camera; }, get parcels() { return parcels; }, get stage() { return stage; }, get rate() { return rate; },
  /** How many pictures were drawn so far. */
  get pictures() { return pictures; },
  get renderer() { return rendererName(); },
  /** Where a point of the ground is on the page. */
  screen([x, y]: Point, height = 0): Point {
    const at = new THREE.Vector3(x, y, height).project(camera!.eye), box = canvas.getBoundingClientRect();
    return [box.left + ((at.x + 1) / 2) * box.width, box.top + ((1 - at.y) / 2) * box.height];
  },
  /** Looks straight down on a point from a height in metres. */
  above([x, y]: Point, height: number) {
    camera!.orbit.target.set(x, y, 0);
    camera!.eye.position.set(x, y - height * 0.12, height);
    camera!.orbit.update();
  },
} });
