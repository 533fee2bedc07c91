// Tools: what the pointer does on the ground, and their options.
import type { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { type App, type Tool, toScene } from "./app";
import { Ghost, makeLane, Shapes } from "./directing";
import { band, circle, crossesItself, inside, rectangle, simplify } from "./drawing";
import { type Point, situationForm } from "./form";
import { choiceField, find, make, numberField } from "./make";
import { Scale } from "./plan";
import { Scenario } from "./scenario";

export const TOOLS: [Tool, string, string, string][] = [
  ["look", "1", "Look", "drag to look around, click a person or a spot"],
  ["select", "2", "Select", "click people, or draw around them"],
  ["people", "3", "Spray people", "press and move: people come under the brush"],
  ["brush", "4", "Brush", "press and move: changes the people under the brush"],
  ["goal", "5", "Send", "click where those who are selected shall go"],
  ["region", "6", "Paint a place", "draw where something happens, then say what"],
  ["wall", "7", "Draw a wall", "drag from end to end"],
  ["direct", "8", "Direct", "press on a person and drag its ghost to where it must be; its arrow turns it"],
  ["form", "9", "Form a shape", "draw a shape: those who are selected form it"],
  ["lane", "0", "Draw a lane", "press and move: who comes onto it follows it to its end"],
  ["stops", "e", "Stops", "draw where people go and leave, and what comes after what"],
  ["paste", "v", "Paste", "click where the copied layer goes"],
  ["scale", "m", "Scale", "click two points of a plan and say how far apart they are"],
  ["line", "c", "Count", "drag a line: who passes it is counted (tab People)"],
];

const BRUSHES: [string, string][] = [["looks", "other clothes for everybody"], ["clothes", "the clothes of the chosen person"], ["speed", "speed"], ["orient", "turn"], ["style", "style of motion"], ["mover", "mover"], ["mood", "join a group (mood, behaviour)"], ["calm", "leave a group"], ["lock", "lock"], ["unlock", "unlock"], ["leave", "delete"]];
const OPERATORS: [string, string][] = [["uniform", "the same for all"], ["random", "by chance between two"], ["gradient", "from one to the other along the stroke"]];
const SHAPES: [string, string][] = [["freehand", "freehand brush"], ["rectangle", "rectangle"], ["circle", "circle"], ["polygon", "polygon: click corners, double-click the last"]];

/** Metres between people who are sprayed. */
const APART = 0.62;
/** Sprayed people come this often, in milliseconds, while the brush is down. */
const PUFF = 120;

export class Tools {
  radius = 2;
  shape = "freehand";
  brush = "looks";
  /** People of each puff of the spray. */
  amount = 6;
  mover = "graph";
  speed = 1.3;
  style = "plain";
  group = "";
  operator = "uniform";
  /** The other end of what is random or goes along the stroke. */
  otherSpeed = 2;
  turn = 0;
  otherTurn = 180;
  /** The part of those under the brush who are changed. */
  strength = 1;
  to = "";
  thickness = 0.4;
  solid = "wall";
  readonly ghost: Ghost;
  readonly shapes: Shapes;
  readonly scenario: Scenario;
  readonly scale: Scale;
  private stroke: Point[] = [];
  private touched = new Set<number>();
  private down = false;
  private moved = false;
  private start = { x: 0, y: 0 };
  private puffed = 0;
  private busy = false;

  constructor(private readonly app: App, private readonly canvas: HTMLCanvasElement, private readonly orbit: () => OrbitControls | null, text: () => string, runs: (text: string) => Promise<void>) {
    this.ghost = new Ghost(app);
    this.shapes = new Shapes(app);
    this.scenario = new Scenario(app);
    this.scale = new Scale(app, text, runs);
    // Before the camera hears of it.
    canvas.addEventListener("pointerdown", (event) => this.press(event), { capture: true });
    canvas.addEventListener("pointermove", (event) => this.move(event), { capture: true });
    window.addEventListener("pointerup", (event) => this.release(event), { capture: true });
    canvas.addEventListener("dblclick", () => { if (app.tool === "region" && this.shape === "polygon") this.closePolygon(); });
    const bar = find("#tools");
    for (const [tool, key, title, about] of TOOLS) {
      bar.append(make("button", { id: `tool-${tool}`, title: `${about} (${key})`, "aria-pressed": tool === app.tool, click: () => app.setTool(tool) }, title));
    }
  }

  /** Shows the options of the tool that is taken. */
  show() {
    const { app } = this;
    for (const [tool] of TOOLS) find(`#tool-${tool}`).setAttribute("aria-pressed", String(tool === app.tool));
    this.stroke = [];
    app.drawing.outline([], false);
    app.drawing.showBrush(null, 1);
    if (app.tool !== "direct") this.ghost.hide();
    this.scenario.show(app.tool === "stops");
    const box = find("#options");
    const about = TOOLS.find(([tool]) => tool === app.tool)![3];
    const radius = numberField("radius m", this.radius, { min: 0.3, max: 30, step: 0.1, id: "brush-radius" }, (value) => { this.radius = value; });
    const movers = (app.schema?.$defs.Mover.oneOf ?? []).map((each) => each.const).filter((each) => !["planned", "recorded"].includes(each)).map((each): [string, string] => [each, each === "graph" ? "clips" : each]);
    const mover = () => choiceField("mover", movers, this.mover, (value) => { this.mover = value; });
    const speed = () => numberField("speed m/s", this.speed, { min: 0.1, max: 8, step: 0.1 }, (value) => { this.speed = value; });
    const parts: Record<Tool, () => HTMLElement[]> = {
      look: () => [], select: () => [], goal: () => [],
      people: () => [
        radius, numberField("people a puff", this.amount, { min: 1, max: 200, step: 1, id: "spray-amount" }, (value) => { this.amount = value; }), mover(), speed(),
        choiceField("go to", [["", "wander"], ...(app.state?.stops ?? []).map((stop): [string, string] => [stop, stop])], this.to, (value) => { this.to = value; }),
      ],
      brush: () => [
        radius, choiceField("what", BRUSHES, this.brush, (value) => { this.brush = value; this.show(); }),
        ...(this.brush === "speed" ? [speed()] : []), ...(this.brush === "mover" ? [mover()] : []),
        ...(this.brush === "orient" ? [numberField("degrees", this.turn, { min: -360, max: 360, step: 15, id: "brush-turn" }, (value) => { this.turn = value; })] : []),
        ...(["speed", "orient"].includes(this.brush) ? [choiceField("operator", OPERATORS, this.operator, (value) => { this.operator = value; this.show(); })] : []),
        ...(this.operator !== "uniform" && this.brush === "speed" ? [numberField("to m/s", this.otherSpeed, { min: 0.1, max: 8, step: 0.1, id: "brush-other" }, (value) => { this.otherSpeed = value; })] : []),
        ...(this.operator !== "uniform" && this.brush === "orient" ? [numberField("to degrees", this.otherTurn, { min: -360, max: 360, step: 15, id: "brush-other" }, (value) => { this.otherTurn = value; })] : []),
        ...(["mood", "calm"].includes(this.brush) ? [choiceField("group", [["", "…"], ...(app.state?.situations ?? []).filter((each) => each.members).map((each): [string, string] => [each.name, each.name])], this.group, (value) => { this.group = value; })] : []),
        numberField("strength %", this.strength * 100, { min: 1, max: 100, step: 1, id: "brush-strength" }, (value) => { this.strength = value / 100; }),
        ...(this.brush === "style" ? [choiceField("style", (app.scene?.styles ?? []).map((style): [string, string] => [style, style]), this.style, (value) => { this.style = value; })] : []),
      ],
      direct: () => this.ghost.fields(),
      form: () => this.shapes.fields(() => this.show()),
      lane: () => [radius],
      stops: () => this.scenario.fields(),
      scale: () => this.scale.fields(),
      paste: () => [make("b", {}, app.layers.copied ? `“${String(app.layers.copied.situation.name)}” is copied` : "nothing is copied: tab Layers")],
      line: () => [],
      region: () => [choiceField("shape", SHAPES, this.shape, (value) => { this.shape = value; this.show(); }), ...(this.shape === "freehand" ? [radius] : [])],
      wall: () => [
        choiceField("what", [["wall", "wall"], ["block", "block"]], this.solid, (value) => { this.solid = value; this.show(); }),
        ...(this.solid === "wall" ? [numberField("thickness m", this.thickness, { min: 0.1, max: 5, step: 0.1 }, (value) => { this.thickness = value; })] : []),
      ],
    };
    const chosen = parts[app.tool]();
    box.hidden = app.tool === "look";
    box.replaceChildren(make("p", { class: "quiet" }, about), ...chosen);
    this.canvas.style.cursor = app.tool === "look" ? "" : "crosshair";
  }

  private get draws() { return this.app.tool !== "look"; }

  private press(event: PointerEvent) {
    this.start = { x: event.clientX, y: event.clientY };
    this.moved = false;
    if (event.button !== 0) return;
    this.down = true;
    const orbit = this.orbit();
    // With Alt or Shift the camera turns as ever.
    if (!this.draws || event.altKey || event.shiftKey) { if (orbit) orbit.enabled = true; return; }
    if (orbit) orbit.enabled = false;
    const at = this.app.ground(event);
    if (!at) return;
    if (this.app.tool === "region" && this.shape === "polygon") {
      this.stroke.push(at);
      this.app.drawing.outline(this.stroke, this.stroke.length > 2);
      return;
    }
    this.stroke = [at];
    this.touched.clear();
    if (this.app.tool === "scale") {
      this.scale.press(at);
      this.show();
      this.app.drawing.outline(this.scale.shown, false);
      return;
    }
    if (this.app.tool === "stops") this.scenario.press(at);
    if (this.app.tool === "direct") this.ghost.press(event, at);
    else this.use(at);
  }

  private move(event: PointerEvent) {
    if (Math.hypot(event.clientX - this.start.x, event.clientY - this.start.y) > 5) this.moved = true;
    if (!this.draws) return;
    const at = this.app.ground(event);
    const round = ["people", "brush", "lane"].includes(this.app.tool) || (this.app.tool === "region" && this.shape === "freehand");
    this.app.drawing.showBrush(round ? at : null, this.radius);
    if (!this.down || !at || this.stroke.length === 0 || (this.app.tool === "region" && this.shape === "polygon")) return;
    const last = this.stroke.at(-1)!;
    if (Math.hypot(at[0] - last[0], at[1] - last[1]) > 0.05) this.stroke.push(at);
    this.use(at);
  }

  /** While the pointer is down. */
  private use(at: Point) {
    const { app } = this;
    if (app.tool === "people") this.spray(at);
    else if (app.tool === "direct") this.ghost.drag(at);
    else if (app.tool === "brush") {
      const { shown } = app.live;
      for (let slot = 0; slot < shown.count; slot++) {
        if (Math.hypot(shown.place[slot * 4] - at[0], shown.place[slot * 4 + 1] - at[1]) < this.radius) this.touched.add(shown.id[slot]);
      }
      app.drawing.ringAround("selected", shown, this.touched);
    } else app.drawing.outline(this.outlineOf(), app.tool === "form" ? this.shapes.closed : app.tool === "stops" ? this.scenario.closed : !["line", "paste"].includes(app.tool) && (app.tool !== "wall" || this.solid !== "wall" || this.stroke.length > 1));
  }

  private outlineOf(): Point[] {
    const [first, last] = [this.stroke[0], this.stroke.at(-1)!];
    const { tool } = this.app;
    if (tool === "select" || tool === "form") return this.stroke;
    if (tool === "line" || tool === "paste") return [first, last];
    if (tool === "stops") return this.scenario.outline(first, last);
    if (tool === "lane") return band(this.stroke, this.radius);
    if (tool === "wall") return this.solid === "block" ? rectangle(first, last) : wall(first, last, this.thickness);
    if (this.shape === "rectangle") return rectangle(first, last);
    if (this.shape === "circle") return circle(first, Math.max(0.2, Math.hypot(last[0] - first[0], last[1] - first[1])));
    return band(this.stroke, this.radius);
  }

  private async release(event: PointerEvent) {
    if (!this.down || event.button !== 0) return;
    this.down = false;
    const orbit = this.orbit();
    if (orbit) orbit.enabled = true;
    const { app } = this, { tool } = app;
    const onCanvas = event.target === this.canvas;
    if (tool === "look") {
      if (!this.moved && onCanvas) await this.click(event);
      return;
    }
    if (this.stroke.length === 0) return;
    if (tool === "region" && this.shape === "polygon") return;
    const stroke = this.stroke;
    if (tool === "select") this.lasso(event, stroke);
    else if (tool === "goal") await this.send(stroke.at(-1)!);
    else if (tool === "brush") await this.paint([...this.touched]);
    else if (tool === "wall") await this.build();
    else if (tool === "form") await this.shapes.make(stroke);
    else if (tool === "stops") await this.scenario.release(stroke[0], stroke.at(-1)!);
    else if (tool === "paste") await app.layers.paste(stroke.at(-1)!);
    else if (tool === "lane") await makeLane(app, stroke, this.radius);
    else if (tool === "line" && Math.hypot(stroke[0][0] - stroke.at(-1)![0], stroke[0][1] - stroke.at(-1)![1]) > 0.3) {
      app.measures.addLine([stroke[0], stroke.at(-1)!]);
    }
    else if (tool === "region") this.outlined(this.outlineOf());
    this.stroke = [];
    if (tool !== "region") app.drawing.outline([], false);
  }

  /** A click in look mode: a person, or a spot and what holds there. */
  private async click(event: PointerEvent) {
    const { app } = this;
    const id = app.pick(event);
    app.choose(id);
    const at = app.ground(event);
    if (id >= 0 || !at) return;
    const [x, y] = toScene(app, at);
    const answer = await app.ask({ kind: "spot", x, y });
    if (answer.came !== "spot") return;
    const holds = answer.situations.length > 0 ? `here hold: ${answer.situations.join(", ")}` : "no situation holds here";
    app.say(`${x.toFixed(1)}, ${y.toFixed(1)} m: ${answer.floor ? holds : "no floor"}${answer.regions.length > 0 ? ` (in ${answer.regions.join(", ")})` : ""}`);
  }

  private lasso(event: PointerEvent, stroke: Point[]) {
    const { app } = this, { shown } = app.live;
    if (!this.moved || stroke.length < 4) {
      const id = app.pick(event), next = new Set(app.selection);
      if (id < 0) next.clear(); else if (next.has(id)) next.delete(id); else next.add(id);
      app.select(next);
      return;
    }
    const found: number[] = [];
    for (let slot = 0; slot < shown.count; slot++) if (inside([shown.place[slot * 4], shown.place[slot * 4 + 1]], stroke)) found.push(shown.id[slot]);
    app.select(found);
    app.say(`${found.length} people are selected`);
  }

  private async send(at: Point) {
    const { app } = this;
    if (app.selection.size === 0) { app.say("select somebody first", true); return; }
    await app.enact({ numbers: [...app.selection], goal: toScene(app, at) });
  }

  private async paint(touched: number[]) {
    const { app, brush } = this;
    const people = touched.filter((id) => (this.strength >= 1 || Math.random() < this.strength) && !(app.locked.has(id) && brush !== "unlock"));
    if (people.length === 0) { if (touched.length > 0) app.say("nobody of them is changed"); return; }
    if (brush === "lock" || brush === "unlock") await app.ask({ kind: "lock", people, on: brush === "lock" });
    else if (brush === "looks") await reshuffle(app, people);
    else if (brush === "clothes") {
      if (app.chosen < 0) { app.say("choose the person with the clothes first (tool 1)", true); return; }
      await app.enact({ numbers: people, looks: app.live.looks.get(app.chosen) ?? app.chosen });
    } else if (brush === "leave") await app.enact({ numbers: people, leave: true });
    else if (brush === "speed") await app.enact({ numbers: people, speed: this.values(people.length, this.speed, this.otherSpeed) });
    else if (brush === "orient") await app.enact({ numbers: people, facing: this.values(people.length, this.turn, this.otherTurn) });
    else if (brush === "mover") await app.enact({ numbers: people, mover: this.mover });
    else if (brush === "mood" || brush === "calm") {
      if (!this.group) { app.say("choose a group; a situation without a place has members", true); return; }
      await app.enact({ numbers: people, [brush === "mood" ? "joins" : "parts"]: this.group });
    } else await app.enact({ numbers: people, style: this.style });
  }

  /** A value for all, or one for each in the order of the stroke. */
  private values(count: number, first: number, last: number): number | number[] {
    if (this.operator === "uniform") return first;
    const part = (index: number) => this.operator === "random" ? Math.random() : count > 1 ? index / (count - 1) : 0;
    return Array.from({ length: count }, (_, index) => Math.round((first + (last - first) * part(index)) * 100) / 100);
  }

  /** A puff of people at free spots under the brush. */
  private async spray(at: Point) {
    const { app } = this, now = performance.now();
    if (this.busy || now - this.puffed < PUFF) return;
    this.puffed = now;
    const { shown } = app.live;
    const near: Point[] = [];
    for (let slot = 0; slot < shown.count; slot++) {
      const place: Point = [shown.place[slot * 4], shown.place[slot * 4 + 1]];
      if (Math.hypot(place[0] - at[0], place[1] - at[1]) < this.radius + APART) near.push(place);
    }
    const places: Point[] = [];
    for (let tries = 0; tries < this.amount * 12 && places.length < this.amount; tries++) {
      const angle = Math.random() * 2 * Math.PI, away = this.radius * Math.sqrt(Math.random());
      const place: Point = [at[0] + Math.cos(angle) * away, at[1] + Math.sin(angle) * away];
      if ([...near, ...places].every(([x, y]) => Math.hypot(x - place[0], y - place[1]) > APART)) places.push(place);
    }
    if (places.length === 0) return;
    const people: Record<string, unknown> = { at: places.map((place) => toScene(app, place)), speed: this.speed, mover: this.mover };
    if (this.to) people.to = this.to;
    this.busy = true;
    await app.enact({ people });
    this.busy = false;
  }

  private async build() {
    const { app } = this;
    const [first, last] = [this.stroke[0], this.stroke.at(-1)!];
    if (Math.hypot(last[0] - first[0], last[1] - first[1]) < 0.3) return;
    const taken = new Set((app.state?.obstacles ?? []).map((each) => each.name));
    let number = 1;
    while (taken.has(`${this.solid} ${number}`)) number++;
    await app.enact({ obstacle: { name: `${this.solid} ${number}`, polygon: this.outlineOf().map((point) => toScene(app, point)) } });
  }

  private closePolygon() {
    // A double click puts its corner twice.
    const corners = this.stroke.filter(([x, y], index) => index === 0 || Math.hypot(x - this.stroke[index - 1][0], y - this.stroke[index - 1][1]) > 0.05);
    this.stroke = [];
    if (corners.length > 2) this.outlined(corners); else this.app.drawing.outline([], false);
  }

  /** A region is drawn: what happens there? */
  private outlined(outline: Point[]) {
    const { app } = this;
    const corners = this.shape === "freehand" ? simplify([...outline, outline[0]], 0.05).slice(0, -1) : outline;
    if (corners.length < 3) return;
    if (crossesItself(corners)) {
      app.drawing.outline([], false);
      app.say("the stroke crosses itself: paint it without crossings, or in two", true);
      return;
    }
    if (!app.schema || !app.state) return;
    const scene = corners.map((point) => toScene(app, point));
    const xs = scene.map(([x]) => x), ys = scene.map(([, y]) => y);
    const shape = this.shape === "rectangle" ? { rectangle: [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)] } : { polygon: scene };
    const close = () => { app.showForm(null); app.drawing.outline([], false); };
    app.showForm(situationForm(app.schema, app.state, { shape, outline: scene }, async (event) => {
      const why = await app.enact(event);
      if (why === null) close();
      return why;
    }, close));
  }
}

/** Other looks for people, as they come. */
export async function reshuffle(app: App, people: number[]) {
  const free = people.filter((id) => !app.locked.has(id));
  if (free.length === 0) { app.say("all of them are locked", true); return; }
  await app.enact({ numbers: free, reshuffle: Math.floor(Math.random() * 1_000_000) });
}

function wall([ax, ay]: Point, [bx, by]: Point, thickness: number): Point[] {
  const length = Math.max(0.01, Math.hypot(bx - ax, by - ay));
  const [nx, ny] = [(-(by - ay) / length) * thickness / 2, ((bx - ax) / length) * thickness / 2];
  return [[ax + nx, ay + ny], [ax - nx, ay - ny], [bx - nx, by - ny], [bx + nx, by + ny]];
}
