// The set: walls, blocks and doors are drawn, moved, turned, cut and taken away; seats, exits and other places are moved, too.
import { type App, toScene } from "./app";
import { inside, rectangle } from "./drawing";
import type { Point } from "./form";
import { choiceField, make, numberField } from "./make";
import { type Placing, placedAt } from "./placing";
import type { ObstacleState } from "./protocol/ObstacleState";
import type { RegionState } from "./protocol/RegionState";

const DEEDS: [string, string][] = [
  ["wall", "draw a wall"], ["block", "draw a block"], ["door", "draw a door: across a wall it is cut into it"],
  ["move", "move: drag one"], ["turn", "turn: drag around one"], ["cut", "cut: drag across one"], ["remove", "take away: click one"],
];
/** Degrees that turning snaps to; Alt turns freely. */
const SNAP = 15;
/** Metres within which an obstacle is taken hold of. */
const NEAR = 0.4;

export class SetTool {
  deed = "wall";
  private thickness = 0.4;
  private gap = 1.2;
  private held: ObstacleState | null = null;
  /** The place that is held where no wall is. */
  private region: RegionState | null = null;

  constructor(private readonly app: App) {}

  fields(again: () => void): HTMLElement[] {
    const draws = ["wall", "door"].includes(this.deed);
    return [
      choiceField("what", DEEDS, this.deed, (value) => { this.deed = value; again(); }),
      ...(draws ? [numberField("thickness m", this.thickness, { min: 0.1, max: 5, step: 0.1 }, (value) => { this.thickness = value; })] : []),
      ...(["cut", "door"].includes(this.deed) ? [numberField("width m", this.gap, { min: 0.3, max: 20, step: 0.1, id: "set-gap" }, (value) => { this.gap = value; })] : []),
      ...(["move", "turn", "cut", "remove"].includes(this.deed) ? [make("p", { class: "quiet" }, this.deed === "cut" ? "walls with a name and those that were drawn here" : "walls with a name and those that were drawn here, seats, stops, exits and painted places; walls of the plan stay")] : []),
    ];
  }

  press(at: Point) {
    this.held = this.find(at);
    this.region = this.held ? null : this.regionAt(at);
  }

  /** Whether what is drawn is filled. */
  get closed() { return !["cut", "remove"].includes(this.deed); }

  /** What is drawn while the pointer moves. */
  outline(first: Point, last: Point, free = false): Point[] {
    if (this.deed === "block") return rectangle(first, last);
    if (this.deed === "wall") return strip(first, last, this.thickness);
    if (this.deed === "door") return this.crossed(first, last) ? [first, last] : strip(first, last, this.thickness * 0.5);
    const outline = this.outlineHeld;
    if (this.deed === "cut" || !outline) return [first, last];
    const placing = this.placing(outline, first, last, free);
    return outline.map((corner) => placedAt(corner, placing));
  }

  /** The outline of what is held, if anything is. */
  private get outlineHeld(): Point[] | null { return ((this.held?.outlines[0] ?? this.region?.areas[0]?.[0]) as Point[] | undefined) ?? null; }

  async release(first: Point, last: Point, free = false) {
    const { app, held, region, deed } = this, outline = this.outlineHeld, far = Math.hypot(last[0] - first[0], last[1] - first[1]) > 0.3;
    this.held = this.region = null;
    if (deed === "wall" || deed === "block") { if (far) await this.add(deed, this.outline(first, last)); return; }
    if (deed === "cut" || deed === "door") { if (far) await this.cut(first, last); return; }
    if (!outline || !(held || region)) { app.say("press on a wall that was drawn here, on one with a name, or on a place where something happens", true); return; }
    const placing = this.placing(outline, first, last, free);
    if (!held) {
      if (deed === "remove") await app.layers.remove(region!.name);
      else if (far) await app.layers.replace(region!.name, { ...placing, about: toScene(app, placing.about) });
      return;
    }
    if (deed === "remove") { await app.enact({ open: held.name }); return; }
    if (held.outlines.length > 1) { app.say(`“${held.name}” has several copies: change it in the text`, true); return; }
    if (far) await app.enact({ open: held.name, obstacle: { name: this.fresh(held.name), polygon: outline.map((corner) => toScene(app, placedAt(corner, placing))) } });
  }

  /** The obstacle at a point that can be changed, or null. */
  private find(at: Point): ObstacleState | null {
    const there = (this.app.state?.obstacles ?? []).filter((each) => each.there);
    const near = (outline: Point[]) => inside(at, outline) || outline.some((corner, index) => toSide(at, corner, outline[(index + 1) % outline.length]) < NEAR);
    return there.find((each) => each.outlines.some((outline) => near(outline as Point[]))) ?? null;
  }

  /** The obstacle that a line goes right through. */
  private crossed(first: Point, last: Point): ObstacleState | null {
    const steps = 40, on = (step: number): Point => [first[0] + ((last[0] - first[0]) * step) / steps, first[1] + ((last[1] - first[1]) * step) / steps];
    const there = (this.app.state?.obstacles ?? []).filter((each) => each.there && each.outlines.length === 1);
    const hit = (outline: Point[]) => !inside(first, outline) && !inside(last, outline) && Array.from({ length: steps }, (_, step) => on(step)).some((point) => inside(point, outline));
    return there.find((each) => hit(each.outlines[0] as Point[])) ?? null;
  }

  /** The smallest place at a point in which something happens or to which people go, or null. */
  private regionAt(at: Point): RegionState | null {
    const { state } = this.app;
    if (!state) return null;
    const used = new Set(state.situations.filter((each) => each.on && each.region !== null).map((each) => state.regions[each.region!].name));
    const isStop = (outline: Point[]) => state.scenario.some((stop) => stop.at && !stop.closed && inside(stop.at as Point, outline));
    const outer = (region: RegionState) => region.areas[0][0] as Point[];
    const there = state.regions.filter((region) => region.areas.length > 0 && region.areas.some((area) => inside(at, area[0] as Point[])) && (used.has(region.name) || isStop(outer(region))));
    const areaOf = (outline: Point[]) => Math.abs(outline.reduce((sum, [x, y], index) => { const [nx, ny] = outline[(index + 1) % outline.length]; return sum + x * ny - nx * y; }, 0));
    return there.sort((a, b) => areaOf(outer(a)) - areaOf(outer(b)))[0] ?? null;
  }

  /** Where what is held goes. */
  private placing(outline: Point[], first: Point, last: Point, free: boolean): Placing {
    const about = middleOf(outline);
    if (this.deed !== "turn") return { about, turn: 0, by: [last[0] - first[0], last[1] - first[1]] };
    const angle = ([x, y]: Point) => Math.atan2(y - about[1], x - about[0]);
    let turn = angle(last) - angle(first);
    if (!free) turn = (Math.round((turn * 180) / Math.PI / SNAP) * SNAP * Math.PI) / 180;
    return { about, turn, by: [0, 0] };
  }

  private fresh(name: string): string {
    const taken = new Set((this.app.state?.obstacles ?? []).map((each) => each.name));
    const base = name.replace(/ \(\d+\)$/, "");
    for (let number = 2; ; number++) if (!taken.has(`${base} (${number})`)) return `${base} (${number})`;
  }

  private numbered(kind: string): string {
    const taken = new Set((this.app.state?.obstacles ?? []).map((each) => each.name));
    for (let number = 1; ; number++) if (!taken.has(`${kind} ${number}`)) return `${kind} ${number}`;
  }

  private add(kind: string, outline: Point[], joined = false) {
    return this.app.enact({ obstacle: { name: this.numbered(kind), polygon: outline.map((point) => toScene(this.app, point)) } }, joined);
  }

  /** Cuts a gap where a line crosses an obstacle, for a door where one is drawn. */
  private async cut(first: Point, last: Point) {
    const { app, gap, deed } = this, wall = this.crossed(first, last);
    if (!wall) {
      if (deed === "door") await this.add("door", strip(first, last, this.thickness * 0.5));
      else app.say("drag right across a wall that was drawn here, or one with a name", true);
      return;
    }
    const length = Math.hypot(last[0] - first[0], last[1] - first[1]), normal: Point = [-(last[1] - first[1]) / length, (last[0] - first[0]) / length];
    const along = ([x, y]: Point) => (x - first[0]) * normal[0] + (y - first[1]) * normal[1];
    const outline = wall.outlines[0] as Point[];
    const left = clip(outline, (point) => along(point) - gap / 2), right = clip(outline, (point) => -along(point) - gap / 2);
    const middle = clip(clip(outline, (point) => gap / 2 - along(point)), (point) => gap / 2 + along(point));
    const pieces = [left, right].filter((piece) => piece.length > 2);
    const taken = wall.name, name = this.fresh(taken), scene = (points: Point[]) => points.map((point) => toScene(app, point));
    const events: Record<string, unknown>[] = pieces.map((piece, index) => ({ obstacle: { name: index === 0 ? name : `${name} b`, polygon: scene(piece) } }));
    if (deed === "door") events.push({ obstacle: { name: this.numbered("door"), polygon: scene(middle) } });
    events[0] = { open: taken, ...(events[0] ?? {}) };
    for (const [index, event] of events.entries()) if (await app.enact(event, index > 0) !== null) return;
  }
}

function middleOf(outline: Point[]): Point {
  return [outline.reduce((sum, [x]) => sum + x, 0) / outline.length, outline.reduce((sum, [, y]) => sum + y, 0) / outline.length];
}

/** Metres from a point to a side. */
function toSide([x, y]: Point, [ax, ay]: Point, [bx, by]: Point): number {
  const [dx, dy] = [bx - ax, by - ay], part = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / Math.max(1e-9, dx * dx + dy * dy)));
  return Math.hypot(x - ax - dx * part, y - ay - dy * part);
}

/** The part of an outline where `height` is positive (Sutherland and Hodgman 1974). */
function clip(outline: Point[], height: (point: Point) => number): Point[] {
  const kept: Point[] = [];
  outline.forEach((point, index) => {
    const next = outline[(index + 1) % outline.length], [here, there] = [height(point), height(next)];
    if (here >= 0) kept.push(point);
    if (here >= 0 !== there >= 0) { const part = here / (here - there); kept.push([point[0] + (next[0] - point[0]) * part, point[1] + (next[1] - point[1]) * part]); }
  });
  return kept;
}

/** A straight wall from end to end. */
function strip([ax, ay]: Point, [bx, by]: Point, thickness: number): Point[] {
  const length = Math.max(0.01, Math.hypot(bx - ax, by - ay));
  const [nx, ny] = [(-(by - ay) / length) * thickness / 2, ((bx - ax) / length) * thickness / 2];
  return [[ax + nx, ay + ny], [ax - nx, ay - ny], [bx - nx, by - ny], [bx + nx, by + ny]];
}
