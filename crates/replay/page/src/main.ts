// The replay page: puts the run, the stage, the crowd and the controls together.
import * as THREE from "three";
import "./style.css";
import { PoseTexture, Wardrobe } from "./bodies";
import { Camera } from "./camera";
import { Cameras } from "./cameras";
import { Colours, escape, MODES, type Mode } from "./colours";
import { CrowdView } from "./crowd";
import { DAY, lightAt, NIGHT } from "./light";
import { Loom } from "./loom.js";
import { Overlays } from "./overlays";
import { ownSet } from "./own_set";
import { Parcels } from "./parcels";
import { Sampler } from "./sampler";
import { Stage } from "./stage";
import { drawsSlowly, Sun } from "./sun";
import { Vehicles } from "./vehicles";

const find = <T extends HTMLElement>(selector: string) => document.querySelector<T>(selector)!;
const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];
const HELP: [string, string][] = [
  ["Space", "play or pause"], ["← →", "one second back or on; with Shift ten"], [", .", "one frame back or on"], ["Home End", "the first, the last moment"], ["− +", "slower, faster"],
  ["Drag, wheel", "look around, come nearer"], ["Click", "choose somebody"], ["F", "follow the chosen one"], ["N", "follow from near, at the height of the eyes"],
  ["W", "walk among them: W A S D, Q E to turn, Esc to leave"], ["C", "next colouring"],
  ["P R D G", "paths, radii, density, regions"], ["L", "light or dark"], ["I", "hide or show all but the picture"], ["H", "this help"],
];

async function start() {
  const loom = await Loom.open();
  const { header } = loom;
  const first = loom.chunks.length ? 0 : -1;
  if (first === 0) await loom.fetch(0);
  const most = Math.max(16, ...[...loom.ready.values()].map((chunk) => chunk.count)) * 2 + 64;
  const canvas = find<HTMLCanvasElement>("#stage");
  const renderer = new THREE.WebGLRenderer({ canvas, antialias: !drawsSlowly(), stencil: true, preserveDrawingBuffer: true });
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
  const scene = new THREE.Scene();
  const stage = new Stage(header.ground, header.lines, header.signals, header.props, header.walls, header.floor);
  const poses = new PoseTexture(loom.clips, header.skeleton.joints);
  const crowd = new CrowdView(await Wardrobe.read(header.appearances?.length ?? 0), poses, most);
  const parcels = new Parcels(header.parcels ?? [], poses, header.frame_rate);
  const overlays = new Overlays(most, header.radius, stage.bounds);
  const vehicles = new Vehicles(header.vehicles);
  const colours = new Colours(header, loom.clips.map((clip) => clip.number), most);
  const sampler = new Sampler(loom, most);
  const camera = new Camera(canvas, stage.centre, stage.radius);
  const sun = new Sun(crowd.uniforms.sun.value as THREE.Vector3, renderer), sunlight = sun.light, sky = new THREE.HemisphereLight("#ffffff", "#8a8f9c", 1.5);
  if (!sun.soft) stage.drawPlainly();
  scene.add(stage.group, crowd.group, parcels.group, vehicles.group, overlays.group, sunlight, sky);
  stage.built.visible = !header.staging?.bare;
  if (header.staging?.model) scene.add(await ownSet(header.staging.model));
  scene.fog = new THREE.Fog("#dfe4e8", ...stage.haze);

  const state = { time: 0, playing: true, speed: 1, chosen: -1, following: false, dark: header.staging?.hour === undefined ? matchMedia("(prefers-color-scheme: dark)").matches : lightAt(header.staging.hour).dark };
  find("#title h1").textContent = header.name;
  document.title = `${header.name} · Crowdloom replay`;

  // Day and night.
  function setDark(dark: boolean) {
    state.dark = dark;
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    const hour = header.staging?.hour;
    const timely = hour === undefined ? null : lightAt(hour);
    const light = timely?.dark === dark ? timely : dark ? NIGHT() : DAY();
    const haze = new THREE.Color(light.haze);
    scene.background = haze;
    scene.fog!.color.copy(haze);
    stage.paint(dark, haze);
    stage.sky.shine(light.zenith, light.sun);
    sun.point(light.sun);
    sunlight.color.set(light.sunColour);
    sunlight.intensity = light.sunIntensity;
    sky.intensity = light.skyIntensity;
    (crowd.uniforms.sky.value as THREE.Color).set(light.sky);
    (crowd.uniforms.bounce.value as THREE.Color).set(light.bounce);
    (crowd.uniforms.haze.value as THREE.Color).copy(haze);
    (crowd.uniforms.sunColour.value as THREE.Color).set(light.sunColour);
    crowd.uniforms.sunlight.value = light.sunlight;
    crowd.uniforms.reach.value = stage.haze[1];
    crowd.uniforms.shade.value = light.shade;
  }

  // Switches.
  const switches: Record<string, { key: string; title: string; get: () => boolean; set: (on: boolean) => void }> = {
    paths: { key: "p", title: "Paths", get: () => overlays.show.paths, set: (on) => { overlays.show.paths = on; } },
    radii: { key: "r", title: "Radii", get: () => overlays.show.radii, set: (on) => { overlays.show.radii = on; } },
    density: { key: "d", title: "Density", get: () => overlays.show.density, set: (on) => { overlays.show.density = on; } },
    regions: { key: "g", title: "Regions", get: () => stage.regions.visible, set: (on) => { stage.regions.visible = stage.lines.visible = on; } },
    near: { key: "n", title: "Near", get: () => camera.near, set: (on) => { camera.near = on && state.chosen >= 0; if (camera.near) state.following = true; } },
    follow: { key: "f", title: "Follow", get: () => state.following, set: (on) => { state.following = on && state.chosen >= 0; if (!state.following) camera.near = false; } },
    walk: { key: "w", title: "Walk", get: () => camera.walking, set: (on) => { camera.setWalking(on); find("#pad").hidden = !on || !matchMedia("(pointer: coarse)").matches; } },
    dark: { key: "l", title: "Dark", get: () => state.dark, set: setDark },
    help: { key: "h", title: "Help", get: () => find<HTMLDialogElement>("#help").open, set: (on) => { const help = find<HTMLDialogElement>("#help"); if (on) help.show(); else help.close(); } },
  };
  const toggles = find("#toggles");
  function flip(name: string, on = !switches[name].get()) {
    switches[name].set(on);
    for (const [each, entry] of Object.entries(switches)) find(`#toggle-${each}`).setAttribute("aria-pressed", String(entry.get()));
  }
  for (const [name, entry] of Object.entries(switches)) {
    const button = document.createElement("button");
    button.id = `toggle-${name}`;
    button.textContent = entry.title;
    button.title = `Key ${entry.key.toUpperCase()}`;
    button.addEventListener("click", () => flip(name));
    toggles.append(button);
  }
  find("#help").innerHTML = `<table>${HELP.map(([key, what]) => `<tr><td><kbd>${key}</kbd></td><td>${what}</td></tr>`).join("")}</table>`;

  // Time.
  const slider = find<HTMLInputElement>("#time"), play = find("#play"), speed = find<HTMLSelectElement>("#speed");
  slider.max = String(loom.seconds);
  speed.innerHTML = SPEEDS.map((each) => `<option value="${each}"${each === 1 ? " selected" : ""}>${each} ×</option>`).join("");
  function setTime(seconds: number) { state.time = Math.min(Math.max(seconds, 0), loom.seconds); }
  function setPlaying(playing: boolean) {
    if (playing && state.time >= loom.seconds) state.time = 0;
    state.playing = playing;
    play.textContent = playing ? "❚❚" : "▶";
  }
  function setSpeed(value: number) { state.speed = value; speed.value = String(value); }
  slider.addEventListener("input", () => setTime(Number(slider.value)));
  play.addEventListener("click", () => setPlaying(!state.playing));
  speed.addEventListener("change", () => setSpeed(Number(speed.value)));
  find("#menu").addEventListener("click", () => { find("#panel").hidden = !find("#panel").hidden; });

  // Cameras of the scene.
  const cameras = new Cameras(header.cameras ?? []);
  let through: string | null = null;
  function look(name: string | null) {
    through = name;
    camera.held = name !== null;
    if (name === null && camera.eye.fov !== 50) { camera.eye.fov = 50; camera.eye.updateProjectionMatrix(); }
  }
  if (cameras.all.length) {
    const choice = document.createElement("select");
    choice.id = "camera";
    choice.setAttribute("aria-label", "Camera");
    choice.append(new Option("free camera", ""), ...cameras.all.map(({ name }) => new Option(name)));
    choice.addEventListener("change", () => look(choice.value || null));
    toggles.before(choice);
  }

  // Colours.
  const colour = find<HTMLSelectElement>("#colour");
  colour.innerHTML = MODES.map((mode) => `<option>${mode}</option>`).join("");
  function setMode(mode: Mode) { colours.mode = mode; colour.value = mode; slow = 0; }
  colour.addEventListener("change", () => setMode(colour.value as Mode));

  // Choosing.
  function slotOf(id: number): number {
    const { shown } = sampler;
    for (let slot = 0; slot < shown.count; slot++) if (shown.id[slot] === id) return slot;
    return -1;
  }
  function choose(id: number) {
    state.chosen = id;
    if (id < 0) state.following = false;
    slow = 0;
    flip("follow", state.following);
  }
  function pick(clientX: number, clientY: number): number {
    const box = canvas.getBoundingClientRect();
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2(((clientX - box.left) / box.width) * 2 - 1, 1 - ((clientY - box.top) / box.height) * 2), camera.eye);
    const low = new THREE.Vector3(), high = new THREE.Vector3(), near = new THREE.Vector3();
    let best = -1, nearest = Infinity;
    const { shown } = sampler;
    for (let slot = 0; slot < shown.count; slot++) {
      low.set(shown.place[slot * 4], shown.place[slot * 4 + 1], 0.15);
      high.copy(low).setZ(1.65);
      const gap = Math.sqrt(ray.ray.distanceSqToSegment(low, high, near));
      const away = near.distanceTo(ray.ray.origin);
      // Farther away a finger or a pointer needs more room.
      if (gap < Math.max(0.28, away * 0.006) && away < nearest) [best, nearest] = [shown.id[slot], away];
    }
    return best;
  }
  let down = { x: 0, y: 0 };
  canvas.addEventListener("pointerdown", (event) => { down = { x: event.clientX, y: event.clientY }; });
  canvas.addEventListener("pointerup", (event) => {
    if (Math.hypot(event.clientX - down.x, event.clientY - down.y) < 6) choose(pick(event.clientX, event.clientY));
  });

  // Keys.
  window.addEventListener("keydown", (event) => {
    if (event.target instanceof HTMLSelectElement || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toLowerCase();
    if (camera.walking && "wasdqe".includes(key)) { camera.keys.add(key); return; }
    if (key === "shift") { camera.keys.add("shift"); return; }
    const by = event.shiftKey ? 10 : 1;
    if (key === " ") setPlaying(!state.playing);
    else if (key === "arrowleft") setTime(state.time - by);
    else if (key === "arrowright") setTime(state.time + by);
    else if (key === "," || key === ".") {
      setPlaying(false);
      const step = header.stride / header.frame_rate;
      setTime((Math.round(state.time / step) + (key === "." ? 1 : -1)) * step);
    }
    else if (key === "home") setTime(0);
    else if (key === "end") setTime(loom.seconds);
    else if (key === "i") document.body.classList.toggle("bare");
    else if (key === "+" || key === "=") setSpeed(SPEEDS[Math.min(SPEEDS.indexOf(state.speed) + 1, SPEEDS.length - 1)]);
    else if (key === "-") setSpeed(SPEEDS[Math.max(SPEEDS.indexOf(state.speed) - 1, 0)]);
    else if (key === "c") setMode(MODES[(MODES.indexOf(colours.mode) + 1) % MODES.length]);
    else if (key === "escape") { if (camera.walking) flip("walk", false); else choose(-1); }
    else {
      const found = Object.entries(switches).find(([, entry]) => entry.key === key);
      if (!found) return;
      flip(found[0]);
    }
    event.preventDefault();
  });
  window.addEventListener("keyup", (event) => camera.keys.delete(event.key.toLowerCase()));
  for (const button of document.querySelectorAll<HTMLElement>("#pad button")) {
    const key = button.dataset.walk!;
    button.addEventListener("pointerdown", () => camera.keys.add(key));
    for (const end of ["pointerup", "pointerleave", "pointercancel"]) button.addEventListener(end, () => camera.keys.delete(key));
  }

  function resize() {
    renderer.setSize(canvas.clientWidth, canvas.clientHeight, false);
    camera.resize();
  }
  window.addEventListener("resize", resize);

  /** The card about the chosen one. */
  function describe(slot: number, frame: number) {
    const card = find("#agent");
    card.hidden = state.chosen < 0;
    if (state.chosen < 0) return;
    const { shown } = sampler;
    const gone = slot < 0;
    const rows: [string, string][] = gone ? [["where", "not there now"]] : [
      ["doing", header.clips[shown.clip[slot]]?.name ?? "?"], ["state", header.states[shown.state[slot]] ?? "?"],
      ["style", header.styles[shown.style[slot]] ?? "?"], ["speed", `${shown.speed[slot].toFixed(2)} m/s`],
      ["place", `${shown.place[slot * 4].toFixed(1)}, ${shown.place[slot * 4 + 1].toFixed(1)} m`],
    ];
    card.innerHTML = `<h2>Person ${state.chosen}<button aria-label="Choose nobody">×</button></h2><div>${escape(loom.aboutAgent(state.chosen, frame))}</div>
      <dl>${rows.map(([name, value]) => `<dt>${name}</dt><dd>${escape(value)}</dd>`).join("")}</dl>`;
    card.querySelector("button")!.addEventListener("click", () => choose(-1));
  }

  let before = performance.now(), slow = 0;
  function picture(passed: number, now: number) {
    const frame = loom.start + state.time * header.frame_rate;
    const ready = first === 0 && sampler.sample(frame);
    if (ready && state.playing) {
      setTime(state.time + passed * state.speed);
      if (state.time >= loom.seconds) setPlaying(false);
    }
    const { shown } = sampler;
    const slot = slotOf(state.chosen);
    if (state.following && slot >= 0) camera.follow(shown.place[slot * 4], shown.place[slot * 4 + 1], shown.place[slot * 4 + 2], passed);
    const seen = through === null ? undefined : cameras.find(through);
    if (seen) {
      const whom = seen.follow === undefined ? -1 : slotOf(seen.follow);
      const subject = whom < 0 ? null : { x: shown.place[whom * 4], y: shown.place[whom * 4 + 1], heading: shown.place[whom * 4 + 2] };
      cameras.place(seen, state.time, subject, camera.eye, camera.orbit.target);
    }
    camera.update(passed);
    camera.eye.updateMatrixWorld();
    colours.paint(crowd, shown, state.chosen, frame);
    crowd.uniforms.seconds.value = state.time;
    crowd.update(shown, camera.eye);
    parcels.update(shown, frame);
    crowd.fine = sun.soft;
    sun.fit(crowd.shaded);
    stage.nameRegions(camera.eye);
    vehicles.update(sampler.vehicles(frame));
    overlays.updateRadii(shown);
    overlays.setMark(shown, slot);
    if (document.activeElement !== slider || state.playing) slider.value = String(state.time);
    if (now - slow > 250) {
      slow = now;
      overlays.updateSlowly(loom, shown, frame, state.chosen);
      stage.setSignals(sampler.signals(frame));
      find("#legend").innerHTML = colours.legend(shown);
      find("#title p").textContent = `${shown.count.toLocaleString("en")} people · seed ${header.seed} · Crowdloom ${header.program}`;
      describe(slot, frame);
    }
    find("#clock").textContent = `${state.time.toFixed(1)} / ${loom.seconds.toFixed(0)} s`;
    renderer.render(scene, camera.eye);
  }
  function draw(now: number) {
    const passed = Math.min((now - before) / 1000, 0.1);
    before = now;
    picture(passed, now);
    requestAnimationFrame(draw);
  }

  /** Draws picture after picture and hands each to who asked for the film. */
  async function shoot(wish: URLSearchParams) {
    const number = (name: string, usual: number) => Number(wish.get(name) ?? usual);
    setPlaying(false);
    document.body.classList.add("bare");
    flip("regions", false);
    const [width, height] = [number("width", 1280), number("height", 720)];
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    renderer.setPixelRatio(1);
    renderer.setSize(width, height, false);
    camera.eye.aspect = width / height;
    camera.eye.updateProjectionMatrix();
    const name = wish.get("film")!;
    if (cameras.find(name)) look(name);
    for (let each = 0; each < number("pictures", 1); each++) {
      setTime(number("from", 0) + each / number("rate", 30));
      await loom.fetch(loom.chunkOf(loom.start + state.time * header.frame_rate));
      picture(1 / number("rate", 30), each * 1000);
      const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
      await fetch(`picture/${each}`, { method: "POST", body: blob });
    }
  }
  setDark(state.dark);
  stage.regions.visible = stage.lines.visible = true;
  flip("regions", true);
  setPlaying(true);
  resize();
  // A handle for tests and for the curious.
  Object.assign(window, { crowdloom: { state, sampler, camera, choose, setTime, setPlaying, setMode, setDark, flip, look, cameras, crowd, loom, renderer, stage, vehicles, parcels } });
  const wish = new URLSearchParams(location.search);
  if (wish.has("film")) shoot(wish).catch((error: unknown) => fetch("problem", { method: "POST", body: String(error) }));
  else requestAnimationFrame(draw);
}

start().catch((error: unknown) => {
  const title = find("#title");
  title.querySelector("h1")!.textContent = "This replay cannot be shown";
  title.querySelector("p")!.textContent = error instanceof Error ? error.message : String(error);
  console.error(error);
});
