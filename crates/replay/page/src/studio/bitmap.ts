// A region painted with a round brush: a bitmap of small cells over the ground.
import * as THREE from "three";
import { type App, toScene } from "./app";
import type { Point } from "./form";

/** The most cells of a painted region's box: more would not fit into a message. */
const MOST = 1_000_000;
const HALF = 32768, WIDE = 65536;

export class Bitmap {
  private readonly cells = new Set<number>();

  /** `cell`: the side of a cell in metres. */
  constructor(readonly cell: number) {}

  /** Cells that are fine enough for a brush. */
  static of(radius: number) { return new Bitmap(radius < 0.8 ? 0.1 : radius > 6 ? 0.5 : 0.25); }

  get size() { return this.cells.size; }

  /** Paints along a stroke with a round brush, or wipes. */
  stroke([ax, ay]: Point, [bx, by]: Point, radius: number, wipes: boolean) {
    const steps = Math.max(1, Math.ceil(Math.hypot(bx - ax, by - ay) / this.cell));
    for (let step = 0; step <= steps; step++) this.stamp([ax + ((bx - ax) * step) / steps, ay + ((by - ay) * step) / steps], radius, wipes);
  }

  private stamp([x, y]: Point, radius: number, wipes: boolean) {
    const { cell } = this, from = (at: number) => Math.floor((at - radius) / cell), to = (at: number) => Math.floor((at + radius) / cell);
    for (let row = from(y); row <= to(y); row++) {
      for (let column = from(x); column <= to(x); column++) {
        if (Math.hypot((column + 0.5) * cell - x, (row + 0.5) * cell - y) > Math.max(radius, cell * 0.5)) continue;
        const key = (row + HALF) * WIDE + column + HALF;
        if (wipes) this.cells.delete(key); else this.cells.add(key);
      }
    }
  }

  /** Runs of painted cells beside each other: row, first column, and the column after the last. */
  private runs(): [number, number, number][] {
    const runs: [number, number, number][] = [];
    for (const key of [...this.cells].sort((a, b) => a - b)) {
      const row = Math.floor(key / WIDE) - HALF, column = (key % WIDE) - HALF, last = runs.at(-1);
      if (last && last[0] === row && last[2] === column) last[2]++; else runs.push([row, column, column + 1]);
    }
    return runs;
  }

  /** The box around it: left, low, right and high, in cells. */
  private box(): [number, number, number, number] {
    const runs = this.runs();
    return [Math.min(...runs.map(([, from]) => from)), runs[0][0], Math.max(...runs.map(([, , to]) => to)), runs.at(-1)![0] + 1];
  }

  /** The corners of the box around it, in metres of the ground. */
  corners(): Point[] {
    const [left, low, right, high] = this.box().map((each) => each * this.cell);
    return [[left, low], [right, low], [right, high], [left, high]];
  }

  /** What the scene says of it; null where it is too large. */
  table(app: App): Record<string, unknown> | null {
    const [left, low, right, high] = this.box();
    if ((right - left) * (high - low) > MOST) return null;
    const rows = Array.from({ length: high - low }, () => new Array<string>(right - left).fill("."));
    for (const [row, from, to] of this.runs()) rows[high - 1 - row].fill("#", from - left, to - left);
    return { at: toScene(app, [left * this.cell, low * this.cell]), cell: this.cell, rows: rows.map((row) => row.join("")) };
  }

  /** It as triangles at a height. */
  geometry(height: number): THREE.BufferGeometry {
    const { cell } = this, corners: number[] = [];
    for (const [row, from, to] of this.runs()) {
      const [x0, x1, y0, y1] = [from * cell, to * cell, row * cell, (row + 1) * cell];
      for (const [x, y] of [[x0, y0], [x1, y0], [x1, y1], [x0, y0], [x1, y1], [x0, y1]]) corners.push(x, y, height);
    }
    return new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(corners, 3));
  }
}
