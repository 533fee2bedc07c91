// Tools: what the pointer does on the ground, and their options.
import type { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { type App, type Tool, toScene } from "./app";
import { Ghost, Shapes } from "./directing";
import { Bitmap } from "./bitmap";
import { Brush } from "./brush";
import { band, circle, crossesItself, inside, rectangle } from "./drawing";
import { Fingers } from "./fingers";
import { type Point, situationForm } from "./form";
import { Lane } from "./lane";
import { choiceField, find, make, numberField } from "./make";
import type { Manner } from "./operator";
import { Scale } from "./plan";
import { Scenario } from "./scenario";
import { Seats } from "./seats";
import { SetTool } from "./set";
import { sign } from "./signs";
import { Spray } from "./spray";
import { Traffic } from "./traffic";

/** Tools: key, name, and what they do. */
export const TOOLS: [Tool, string, string, string][] = [
  ["look", "1", "Look", "drag to look around, click a person or a spot"],
  ["select", "2", "Select", "click people, or draw around them"],
  ["people", "3", "Spray", "press and move: people come under the brush"],
  ["brush", "4", "Brush", "press and move: changes the people under the brush"],
  ["goal", "5", "Send", "click where those who are selected shall go"],
  ["region", "6", "Paint", "paint where something happens, then say what"],
  ["wall", "7", "Walls", "draw, move, turn, cut walls, blocks and doors"],
  ["direct", "8", "Direct", "press on a person and drag its ghost to where it must be; its arrow turns it"],
  ["form", "9", "Shape", "draw a shape: those who are selected form it"],
  ["lane", "0", "Lane", "press and move: who comes onto it follows it to its end"],
  ["stops", "e", "Stops", "draw where people go and leave, and what comes after what"],
  ["seats", "t", "Seats", "drag over the ground: rows of seats, on a grid"],
  ["vehicle", "b", "Vehicle", "draw the way that a vehicle drives"],
  ["paste", "v", "Paste", "take layers of an area, and click where copies go"],
  ["scale", "m", "Scale", "click two points of a plan and say how far apart they are"],
  ["line", "c", "Count", "drag a line: who passes it is counted (tab People)"],
];

const SHAPES: [string, string][] = [["freehand", "round brush"], ["rectangle", "rectangle"], ["circle", "circle"], ["polygon", "polygon: click corners, double-click the last"]];

export class Tools {
  radius = 2;
  shape = "freehand";
  /** What is being painted, and whether the brush wipes. */
  private bitmap: Bitmap | null = null;
  /** What the form that is open is about. */
  private formOf: Bitmap | null = null;
  private wipes = false;
  private pressure = 1;
  readonly brush: Brush;
  readonly spray: Spray;
  readonly lane: Lane;
  readonly set: SetTool;
  readonly seats: Seats;
  readonly traffic: Traffic;
  readonly fingers: Fingers;
  readonly ghost: Ghost;
  readonly shapes: Shapes;
  readonly scenario: Scenario;
  readonly scale: Scale;
  private stroke: Point[] = [];
  private touched = new Set<number>();
  private down = false;
  private moved = false;
  private free = false;
  private start = { x: 0, y: 0 };

  constructor(private readonly app: App, private readonly canvas: HTMLCanvasElement, private readonly orbit: () => OrbitControls | null, text: () => string, runs: (text: string) => Promise<boolean>) {
    this.ghost = new Ghost(app);
    this.shapes = new Shapes(app);
    this.scenario = new Scenario(app);
    this.scale = new Scale(app, text, runs);
    this.brush = new Brush(app);
    this.spray = new Spray(app, this.brush);
    this.lane = new Lane(app);
    this.set = new SetTool(app);
    this.seats = new Seats(app);
    this.traffic = new Traffic(app, text, runs);
    this.fingers = new Fingers(canvas, orbit, () => this.drop());
    // Before the camera hears of it.
    canvas.addEventListener("pointerdown", (event) => this.press(event), { capture: true });
    canvas.addEventListener("pointermove", (event) => this.move(event), { capture: true });
    window.addEventListener("pointerup", (event) => { this.work = this.release(event); }, { capture: true });
    canvas.addEventListener("dblclick", () => { if (app.tool === "region" && this.shape === "polygon") this.closePolygon(); });
    const bar = find("#tools");
    for (const [tool, key, title, about] of TOOLS) {
      bar.append(make("button", { id: `tool-${tool}`, title: `${title}: ${about} (${key})`, "aria-pressed": tool === app.tool, click: () => app.setTool(tool) }, sign(tool), title, make("kbd", {}, key)));
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
    const [, , title, about] = TOOLS.find(([tool]) => tool === app.tool)!;
    const radius = numberField("radius m", this.radius, { min: 0.3, max: 30, step: 0.1, id: "brush-radius" }, (value) => { this.radius = value; });
    const again = () => this.show();
    if (app.tool !== "region") this.wipe();
    const parts: Record<Tool, () => HTMLElement[]> = {
      look: () => [], select: () => [], goal: () => [],
      people: () => this.spray.fields(radius, again),
      brush: () => this.brush.fields(radius, again),
      direct: () => this.ghost.fields(),
      form: () => this.shapes.fields(() => this.show()),
      lane: () => this.lane.fields(radius, again),
      stops: () => this.scenario.fields(),
      scale: () => this.scale.fields(),
      seats: () => this.seats.fields(),
      vehicle: () => this.traffic.fields(),
      paste: () => app.layers.fields(again),
      line: () => [],
      region: () => [
        choiceField("shape", SHAPES, this.shape, (value) => { this.shape = value; this.wipe(); this.show(); }),
        ...(this.shape === "freehand" ? [radius, choiceField("brush", [["paint", "paints"], ["wipe", "wipes"]], this.wipes ? "wipe" : "paint", (value) => { this.wipes = value === "wipe"; })] : []),
        ...(this.shape === "polygon" ? [make("button", { id: "polygon-done", click: () => this.closePolygon() }, "Close the polygon")] : []),
      ],
      wall: () => this.set.fields(again),
    };
    const chosen = parts[app.tool]();
    box.hidden = app.tool === "look";
    box.replaceChildren(make("h2", {}, title), make("p", { class: "quiet" }, about), ...chosen);
    this.canvas.style.cursor = app.tool === "look" ? "" : "crosshair";
  }

  private get draws() { return this.app.tool !== "look"; }

  /** A pen paints as broadly as it is pressed. */
  private get broad() { return this.radius * this.pressure; }

  /** Forgets what was painted. */
  private wipe() {
    this.bitmap = null;
    this.app.drawing.showBitmap(null);
  }

  /** Forgets the stroke: a second finger looks around. */
  private drop() {
    this.down = false;
    this.stroke = [];
    this.app.drawing.outline([], false);
    this.app.drawing.showDots([]);
  }

  private press(event: PointerEvent) {
    this.start = { x: event.clientX, y: event.clientY };
    this.moved = false;
    if (event.button !== 0) return;
    this.pressure = event.pointerType === "pen" && event.pressure > 0 ? 0.5 + event.pressure : 1;
    const looks = this.draws && this.fingers.press(event);
    if (looks) return;
    this.down = true;
    const orbit = this.orbit();
    // With Alt or Shift the camera turns as ever.
    if (!this.draws || ((event.altKey || event.shiftKey) && !(this.app.tool === "wall" && event.altKey))) { if (orbit) orbit.enabled = true; return; }
    if (orbit) orbit.enabled = false;
    const at = this.app.ground(event);
    if (!at) return;
    if (this.app.tool === "region" && this.shape === "polygon") {
      this.stroke.push(at);
      this.app.drawing.outline(this.stroke, this.stroke.length > 2);
      return;
    }
    this.stroke = [at];
    this.free = event.altKey;
    this.touched.clear();
    if (this.app.tool === "region" && this.shape === "freehand") this.bitmap ??= Bitmap.of(this.radius);
    if (this.app.tool === "wall") this.set.press(at);
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
    if (!this.draws || this.fingers.move(event)) return;
    if (event.pointerType === "pen" && event.pressure > 0) this.pressure = 0.5 + event.pressure;
    this.free = event.altKey;
    const at = this.app.ground(event);
    const brushes: Partial<Record<Tool, { manner: Manner }>> = { people: this.spray, brush: this.brush, lane: this.lane };
    const round = brushes[this.app.tool]?.manner.point === false || (this.app.tool === "region" && this.shape === "freehand");
    this.app.drawing.showBrush(round ? at : null, this.broad);
    if (!this.down || !at || this.stroke.length === 0 || (this.app.tool === "region" && this.shape === "polygon")) return;
    const last = this.stroke.at(-1)!;
    if (Math.hypot(at[0] - last[0], at[1] - last[1]) > 0.05) this.stroke.push(at);
    this.use(at, last);
  }

  /** While the pointer is down. */
  private use(at: Point, last = at) {
    const { app } = this;
    if (app.tool === "people" && this.spray.waits) app.drawing.outline(band(this.stroke, this.radius), true);
    else if (app.tool === "people") void this.spray.puff(at, this.broad);
    else if (app.tool === "direct") this.ghost.drag(at);
    else if (app.tool === "brush") {
      for (const id of this.brush.under(at, this.broad)) this.touched.add(id);
      app.drawing.ringAround("selected", app.live.shown, this.touched);
    } else if (this.bitmap && app.tool === "region" && this.shape === "freehand") {
      this.bitmap.stroke(last, at, this.broad, this.wipes);
      app.drawing.showBitmap(this.bitmap);
    } else app.drawing.outline(this.outlineOf(), this.closed);
  }

  /** Whether what is drawn is an area. */
  private get closed(): boolean {
    const { tool } = this.app;
    if (tool === "form") return this.shapes.closed;
    if (tool === "stops") return this.scenario.closed;
    if (tool === "paste") return this.app.layers.takes;
    if (tool === "wall") return this.set.closed && this.stroke.length > 1;
    return !["line", "vehicle"].includes(tool);
  }

  private outlineOf(): Point[] {
    const [first, last] = [this.stroke[0], this.stroke.at(-1)!];
    const { tool } = this.app;
    if (["select", "form", "vehicle"].includes(tool)) return this.stroke;
    if (tool === "line") return [first, last];
    if (tool === "paste") return this.app.layers.takes ? rectangle(first, last) : [first, last];
    if (tool === "stops") return this.scenario.outline(first, last);
    if (tool === "seats") return this.seats.outline(first, last);
    if (tool === "lane") return this.lane.outline(this.stroke, this.radius);
    if (tool === "wall") return this.set.outline(first, last, this.free);
    if (this.shape === "rectangle") return rectangle(first, last);
    return circle(first, Math.max(0.2, Math.hypot(last[0] - first[0], last[1] - first[1])));
  }

  /** What the last stroke led to, once all of it is done. */
  work: Promise<void> = Promise.resolve();

  private async release(event: PointerEvent) {
    this.fingers.release(event);
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
    else if (tool === "brush") await this.brush.paint([...this.touched]);
    else if (tool === "wall") await this.set.release(stroke[0], stroke.at(-1)!, this.free);
    else if (tool === "seats") await this.seats.release(stroke[0], stroke.at(-1)!);
    else if (tool === "vehicle") await this.traffic.release(stroke);
    else if (tool === "form") await this.shapes.make(stroke);
    else if (tool === "stops") await this.scenario.release(stroke[0], stroke.at(-1)!);
    else if (tool === "paste") { await app.layers.release(stroke[0], stroke.at(-1)!); this.show(); }
    else if (tool === "people") await this.spray.release(stroke, this.radius);
    else if (tool === "lane") await this.lane.release(stroke, this.radius);
    else if (tool === "line" && Math.hypot(stroke[0][0] - stroke.at(-1)![0], stroke[0][1] - stroke.at(-1)![1]) > 0.3) {
      app.measures.addLine([stroke[0], stroke.at(-1)!]);
    }
    else if (tool === "region") this.outlined(this.bitmap ? this.bitmap.size > 0 ? this.bitmap.corners() : [] : this.outlineOf());
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

  private closePolygon() {
    // A double click puts its corner twice.
    const corners = this.stroke.filter(([x, y], index) => index === 0 || Math.hypot(x - this.stroke[index - 1][0], y - this.stroke[index - 1][1]) > 0.05);
    this.stroke = [];
    if (corners.length > 2) this.outlined(corners); else this.app.drawing.outline([], false);
  }

  /** A region is drawn: what happens there? What is painted can be painted on until that is said. */
  private outlined(corners: Point[]) {
    const { app, bitmap } = this;
    if (corners.length < 3) return;
    if (!bitmap && crossesItself(corners)) {
      app.drawing.outline([], false);
      app.say("the outline crosses itself: draw it without crossings", true);
      return;
    }
    if (!app.schema || !app.state || (bitmap && this.formOf === bitmap)) return;
    this.formOf = bitmap;
    const scene = corners.map((point) => toScene(app, point));
    const xs = scene.map(([x]) => x), ys = scene.map(([, y]) => y);
    const [low, high] = [[Math.min(...xs), Math.min(...ys)], [Math.max(...xs), Math.max(...ys)]];
    const round = (value: number) => Math.round(value * 1000) / 1000;
    const drawn = this.shape === "rectangle" ? { rectangle: [...low, ...high] }
      : this.shape === "circle" ? { circle: [round((low[0] + high[0]) / 2), round((low[1] + high[1]) / 2), round((high[0] - low[0]) / 2)] } : { polygon: scene };
    const close = () => { app.showForm(null); app.drawing.outline([], false); this.formOf = null; this.wipe(); };
    const region = { get shape(): Record<string, unknown> { return bitmap ? { painted: bitmap.table(app) } : drawn; }, outline: scene };
    app.showForm(situationForm(app.schema, app.state, (app.scene?.vehicles ?? []).map(([name]) => name), region, async (event) => {
      if (bitmap && bitmap.size === 0) return "nothing is painted";
      if (bitmap && !bitmap.table(app)) return "this is too large for one bitmap: paint it in parts";
      const why = await app.enact(event);
      if (why === null) close();
      return why;
    }, close));
  }
}
