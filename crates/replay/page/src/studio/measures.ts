// What is counted on the page: how dense the crowd is about everybody, and who passes lines that are drawn on the ground.
import type { Shown } from "../crowd";
import type { Point } from "./form";
import type { Frame } from "./live";

/** Neighbours within so many metres make up the density about somebody. */
const AROUND = 2;
/** Flows are means over so many seconds. */
const OVER_SECONDS = 10;

interface Line { name: string; ends: [Point, Point]; passed: number; times: number[] }

export class Measures {
  /** People a square metre about everybody, by slot. */
  density = new Float32Array(0);
  readonly lines: Line[] = [];
  private before = new Map<number, Point>();
  private frame = -1;

  /** The densities about everybody who is shown. */
  measureDensity(shown: Shown) {
    const { count, place } = shown;
    if (this.density.length < count) this.density = new Float32Array(Math.ceil(count * 1.5));
    const cells = new Map<string, number[]>();
    const cell = (slot: number) => [Math.floor(place[slot * 4] / AROUND), Math.floor(place[slot * 4 + 1] / AROUND)];
    for (let slot = 0; slot < count; slot++) {
      const key = cell(slot).join();
      const own = cells.get(key);
      if (own) own.push(slot); else cells.set(key, [slot]);
    }
    for (let slot = 0; slot < count; slot++) {
      const [column, row] = cell(slot);
      let near = 0;
      for (let dx = -1; dx <= 1; dx++) for (let dy = -1; dy <= 1; dy++) {
        for (const other of cells.get(`${column + dx},${row + dy}`) ?? []) {
          if (Math.hypot(place[other * 4] - place[slot * 4], place[other * 4 + 1] - place[slot * 4 + 1]) <= AROUND) near++;
        }
      }
      this.density[slot] = near / (Math.PI * AROUND * AROUND);
    }
  }

  meanDensity(count: number): number {
    return count > 0 ? this.density.subarray(0, count).reduce((sum, each) => sum + each, 0) / count : 0;
  }

  addLine(ends: [Point, Point]) {
    this.lines.push({ name: `line ${this.lines.length + 1}`, ends, passed: 0, times: [] });
  }

  removeLine(index: number) { this.lines.splice(index, 1); }

  /** Counts who has passed a line since the frame that came before, whether pictures were drawn of both or not. */
  count(told: Frame, corner: Point, seconds: number) {
    const { frame } = told;
    if (frame === this.frame || this.lines.length === 0) return;
    const goesOn = frame > this.frame && frame - this.frame < 30;
    this.frame = frame;
    const now = new Map<number, Point>();
    for (let index = 0; index < told.count; index++) now.set(told.id(index), [told.metres(index, 0, corner), told.metres(index, 1, corner)]);
    for (const line of this.lines) {
      // Who went back in time counts anew.
      line.times = line.times.filter((time) => time <= seconds && time > seconds - OVER_SECONDS);
      if (!goesOn) continue;
      for (const [id, at] of now) {
        const from = this.before.get(id);
        if (from && crosses(from, at, line.ends)) { line.passed++; line.times.push(seconds); }
      }
    }
    this.before = now;
  }

  /** People a second through a line. */
  flow(line: Line): number { return line.times.length / OVER_SECONDS; }
}

function crosses(a: Point, b: Point, [c, d]: [Point, Point]): boolean {
  const side = (p: Point, q: Point, r: Point) => Math.sign((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]));
  return side(a, b, c) !== side(a, b, d) && side(c, d, a) !== side(c, d, b);
}
