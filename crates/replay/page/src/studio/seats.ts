// Seats in rows: a rectangle is filled with them, on a grid, in line with what is there already.
import { type App, toScene } from "./app";
import { rectangle } from "./drawing";
import type { Point } from "./form";
import { choiceField, make, numberField } from "./make";

const WAYS: [string, string][] = [["90", "north (up)"], ["0", "east (right)"], ["270", "south (down)"], ["180", "west (left)"]];
/** Metres of the grid that corners snap to, and from where they snap to corners of other places. */
const GRID = 0.25, NEAR = 0.6;

export class Seats {
  private between = 0.8;
  private rowsApart = 1.1;
  private facing = "90";
  private stay = 60;

  constructor(private readonly app: App) {}

  fields(): HTMLElement[] {
    return [
      numberField("seat to seat m", this.between, { min: 0.5, max: 3, step: 0.05, id: "seat-step" }, (value) => { this.between = value; }),
      numberField("row to row m", this.rowsApart, { min: 0.6, max: 5, step: 0.05 }, (value) => { this.rowsApart = value; }),
      choiceField("they face", WAYS, this.facing, (value) => { this.facing = value; }),
      numberField("sit for s", this.stay, { min: 1, max: 3600, step: 1 }, (value) => { this.stay = value; }),
      make("p", { class: "quiet" }, "corners snap to a grid and to corners of other places"),
    ];
  }

  /** A corner where it snaps to. */
  snap([x, y]: Point): Point {
    const corners = (this.app.state?.regions ?? []).flatMap((region) => region.areas.flat(2) as Point[]);
    const near = corners.map((corner): [number, Point] => [Math.hypot(corner[0] - x, corner[1] - y), corner]).sort((a, b) => a[0] - b[0])[0];
    if (near && near[0] < NEAR) return near[1];
    return [Math.round(x / GRID) * GRID, Math.round(y / GRID) * GRID];
  }

  /** Where seats go in a rectangle. */
  private places(first: Point, last: Point): Point[] {
    const [low, , high] = rectangle(this.snap(first), this.snap(last)), upright = ["90", "270"].includes(this.facing);
    const [stepX, stepY] = upright ? [this.between, this.rowsApart] : [this.rowsApart, this.between];
    const count = (length: number, step: number) => Math.max(1, Math.floor(length / step + 1e-6));
    const [columns, rows] = [count(high[0] - low[0], stepX), count(high[1] - low[1], stepY)];
    if (columns * rows > 2000) return [];
    return Array.from({ length: rows * columns }, (_, index): Point => [low[0] + ((index % columns) + 0.5) * stepX, low[1] + (Math.floor(index / columns) + 0.5) * stepY]);
  }

  outline(first: Point, last: Point): Point[] {
    this.app.drawing.showDots(this.places(first, last));
    return rectangle(this.snap(first), this.snap(last));
  }

  async release(first: Point, last: Point) {
    const { app } = this, places = this.places(first, last);
    app.drawing.showDots([]);
    if (Math.hypot(first[0] - last[0], first[1] - last[1]) < 0.5) return;
    if (places.length === 0) { app.say("these are too many seats at once: draw a smaller part", true); return; }
    const taken = new Set([...(app.state?.situations ?? []), ...(app.state?.regions ?? [])].map((each) => each.name));
    let number = 1;
    while (taken.has(`seats ${number}`)) number++;
    const name = `seats ${number}`, [low, , high] = rectangle(this.snap(first), this.snap(last)).map((point) => toScene(app, point));
    const spots = places.map((point) => [...toScene(app, point), Number(this.facing)]);
    if (await app.enact({ region: { name, rectangle: [...low, ...high] }, "set-situation": { name, kind: "seat-rows", region: name, spots, stay: [this.stay, this.stay], share: 0.7 } }) === null) app.say(`${spots.length} seats in “${name}”`);
  }
}
