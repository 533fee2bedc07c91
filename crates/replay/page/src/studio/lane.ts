// The brush that draws a lane: a band of ground, and the way along it that people follow.
import { type App, toScene } from "./app";
import { band, crossesItself, simplify } from "./drawing";
import type { Point } from "./form";
import { numberField } from "./make";
import { between, Manner, type Operator } from "./operator";

const OPERATORS: [Operator, string][] = [["uniform", "as wide everywhere"], ["random", "now wider, now narrower"], ["gradient", "from one width to the other along the stroke"]];
/** The radius in metres of a lane for one after the other. */
const SINGLE_FILE = 0.4;

export class Lane {
  readonly manner = new Manner("a band", "one after the other");
  /** The radius at the other end, in metres. */
  private other = 1;

  constructor(private readonly app: App) {}

  fields(radius: HTMLElement, again: () => void): HTMLElement[] {
    const { manner } = this, wide = !manner.point;
    return [
      ...(wide ? [radius, manner.operatorField(OPERATORS, again)] : []),
      ...(wide && manner.operator !== "uniform" ? [numberField("to radius m", this.other, { min: 0.3, max: 30, step: 0.1, id: "brush-other" }, (value) => { this.other = value; })] : []),
      ...manner.fields(again),
    ];
  }

  outline(stroke: Point[], radius: number): Point[] {
    const { manner, other } = this;
    if (manner.point) return band(stroke, SINGLE_FILE);
    // Numbers that look like chance but are the same while one draws.
    const chance = (corner: number) => { const own = Math.sin(corner * 12.9898) * 43758.5453; return own - Math.floor(own); };
    return manner.operator === "uniform" ? band(stroke, radius)
      : band(stroke, Math.min(radius, other), (part, corner) => between(radius, other, manner.operator === "random" ? chance(corner + 1) : part));
  }

  async release(stroke: Point[], radius: number) {
    const { app } = this, way = simplify(stroke, 0.2), outline = simplify(this.outline(stroke, radius), 0.05);
    if (way.length < 2 || crossesItself(outline)) { app.say("draw a lane that does not cross itself", true); return; }
    const taken = new Set([...(app.state?.regions ?? []), ...(app.state?.situations ?? [])].map((each) => each.name));
    let number = 1;
    while (taken.has(`lane ${number}`)) number++;
    const name = `lane ${number}`, [share] = this.manner.strength;
    await app.enact({
      region: { name, polygon: outline.map((point) => toScene(app, point)) },
      "set-situation": { name, kind: "follow", region: name, way: way.map((point) => toScene(app, point)), ...(share < 1 ? { share } : {}) },
    });
  }
}
