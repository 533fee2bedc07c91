// What is drawn on the ground while a tool is used, and marks around people.
import * as THREE from "three";
import type { Shown } from "../crowd";
import type { Bitmap } from "./bitmap";
import type { Point } from "./form";

/** Height over the ground in metres, so that lines are seen. */
const OVER = 0.05;

export class Drawing {
  readonly group = new THREE.Group();
  private readonly line: THREE.Line;
  private readonly fill: THREE.Mesh;
  private readonly brush: THREE.Mesh;
  private readonly way: THREE.Line;
  private readonly goal: THREE.Mesh;
  private readonly coming = new THREE.Group();
  private readonly ghost = ghostBody();
  private readonly plan = new THREE.Group();
  private readonly lines = new THREE.Group();
  private readonly scenario = new THREE.Group();
  private readonly painted: THREE.Mesh;
  private readonly dots: THREE.Points;
  private readonly rings: Record<"selected" | "locked", THREE.InstancedMesh>;

  constructor(capacity: number) {
    const basic = (color: string, opacity: number) => new THREE.MeshBasicMaterial({ color, transparent: true, opacity, depthWrite: false, side: THREE.DoubleSide });
    this.line = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: "#d5532f" }));
    this.fill = new THREE.Mesh(new THREE.BufferGeometry(), basic("#d5532f", 0.25));
    this.brush = new THREE.Mesh(new THREE.RingGeometry(0.96, 1, 64), basic("#d5532f", 0.9));
    this.way = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: "#ff4f6d" }));
    this.goal = new THREE.Mesh(new THREE.RingGeometry(0.25, 0.4, 32), basic("#ff4f6d", 0.9));
    const ring = (inner: number, outer: number, colour: string) => new THREE.InstancedMesh(new THREE.RingGeometry(inner, outer, 32), basic(colour, 0.95), capacity);
    this.rings = { selected: ring(0.36, 0.46, "#ff4f6d"), locked: ring(0.48, 0.55, "#0a84c6") };
    this.painted = new THREE.Mesh(new THREE.BufferGeometry(), basic("#d5532f", 0.35));
    this.dots = new THREE.Points(new THREE.BufferGeometry(), new THREE.PointsMaterial({ color: "#d5532f", size: 6, sizeAttenuation: false, depthTest: false }));
    for (const each of [this.painted, this.dots, this.line, this.fill, this.brush, this.way, this.goal, this.rings.selected, this.rings.locked]) {
      each.frustumCulled = false;
      each.visible = false;
      each.renderOrder = 3;
    }
    this.brush.position.z = OVER;
    this.goal.position.z = OVER;
    this.group.add(this.painted, this.dots, this.line, this.fill, this.brush, this.way, this.goal, this.coming, this.ghost, this.plan, this.lines, this.scenario, this.rings.selected, this.rings.locked);
  }

  /** Shows an outline, filled where it is closed. */
  outline(points: Point[], closed: boolean) {
    this.line.visible = points.length > 1;
    this.fill.visible = closed && points.length > 2;
    if (!this.line.visible) return;
    const all = closed ? [...points, points[0]] : points;
    this.line.geometry.dispose();
    this.line.geometry = new THREE.BufferGeometry().setFromPoints(all.map(([x, y]) => new THREE.Vector3(x, y, OVER)));
    if (this.fill.visible) {
      this.fill.geometry.dispose();
      this.fill.geometry = new THREE.ShapeGeometry(new THREE.Shape(points.map(([x, y]) => new THREE.Vector2(x, y))));
      this.fill.position.z = OVER / 2;
    }
  }

  /** What is painted so far. */
  showBitmap(bitmap: Bitmap | null) {
    this.painted.visible = bitmap !== null && bitmap.size > 0;
    this.painted.geometry.dispose();
    if (bitmap) this.painted.geometry = bitmap.geometry(OVER / 2);
  }

  /** Places as dots. */
  showDots(points: Point[]) {
    this.dots.visible = points.length > 0;
    this.dots.geometry.dispose();
    this.dots.geometry = new THREE.BufferGeometry().setFromPoints(points.map(([x, y]) => new THREE.Vector3(x, y, OVER)));
  }

  showBrush(at: Point | null, radius: number) {
    this.brush.visible = at !== null;
    if (!at) return;
    this.brush.position.set(at[0], at[1], OVER);
    this.brush.scale.set(radius, radius, 1);
  }

  showWay(from: Point | null, way: Point[], goal: Point | null) {
    this.goal.visible = goal !== null;
    if (goal) this.goal.position.set(goal[0], goal[1], OVER);
    const points = [...(from ? [from] : []), ...way, ...(goal && way.length === 0 ? [goal] : [])];
    this.way.visible = points.length > 1;
    if (!this.way.visible) return;
    this.way.geometry.dispose();
    this.way.geometry = new THREE.BufferGeometry().setFromPoints(points.map(([x, y]) => new THREE.Vector3(x, y, OVER)));
  }

  /** Where somebody is to be, and which way it faces there, in radians. */
  showGhost(at: Point | null, facing: number) {
    this.ghost.visible = at !== null;
    if (!at) return;
    this.ghost.position.set(at[0], at[1], 0);
    this.ghost.rotation.z = facing;
  }

  /** A planned way with a mark for each second: places and seconds from now. */
  showPlan(plan: [number, number, number][]) {
    empty(this.plan);
    if (plan.length < 2) return;
    const points = plan.map(([x, y]) => new THREE.Vector3(x, y, OVER));
    this.plan.add(new THREE.Line(new THREE.BufferGeometry().setFromPoints(points), new THREE.LineBasicMaterial({ color: "#7a3fd1" })));
    const dot = new THREE.CircleGeometry(0.09, 16), paint = new THREE.MeshBasicMaterial({ color: "#7a3fd1", depthWrite: false });
    let next = 1;
    plan.forEach(([x, y, seconds], index) => {
      const isLast = index === plan.length - 1;
      if (seconds < next && !isLast) return;
      next = Math.floor(seconds) + 1;
      const mark = new THREE.Mesh(dot, paint);
      mark.position.set(x, y, OVER * 1.2);
      this.plan.add(mark);
      if (isLast || Math.floor(seconds) % 2 === 0) this.plan.add(label(`${seconds.toFixed(isLast ? 1 : 0)} s`, [x, y], "#7a3fd1"));
    });
    this.plan.traverse((each) => { each.renderOrder = 4; each.frustumCulled = false; });
  }

  /** Lines through which people are counted, with what to say of each. */
  showLines(lines: { ends: [Point, Point]; said: string }[]) {
    empty(this.lines);
    for (const { ends, said } of lines) {
      const points = ends.map(([x, y]) => new THREE.Vector3(x, y, OVER * 2));
      this.lines.add(new THREE.Line(new THREE.BufferGeometry().setFromPoints(points), new THREE.LineBasicMaterial({ color: "#00795c" })));
      this.lines.add(label(said, [(ends[0][0] + ends[1][0]) / 2, (ends[0][1] + ends[1][1]) / 2], "#00795c"));
    }
    this.lines.traverse((each) => { each.renderOrder = 4; each.frustumCulled = false; });
  }

  /** Stops with their names, and arrows to those that come after. */
  showScenario(stops: { at: Point | null; exit: boolean; name: string; next: [number, number][] }[], all: { at: Point | null; closed: boolean }[]) {
    empty(this.scenario);
    for (const stop of stops) {
      if (!stop.at) continue;
      const colour = stop.exit ? "#b3261e" : "#1d5fa8";
      const disc = new THREE.Mesh(new THREE.RingGeometry(0.5, 0.7, 32), new THREE.MeshBasicMaterial({ color: colour, side: THREE.DoubleSide, depthTest: false }));
      disc.position.set(stop.at[0], stop.at[1], OVER * 2);
      this.scenario.add(disc, label(stop.name, [stop.at[0], stop.at[1] + 0.9], colour));
      for (const [next, share] of stop.next) {
        const to = all[next]?.at;
        if (!to || all[next].closed) continue;
        const way = new THREE.Vector3(to[0] - stop.at[0], to[1] - stop.at[1], 0), length = way.length();
        if (length < 1.5) continue;
        way.normalize();
        // A little aside, so that there and back are two arrows.
        const aside = new THREE.Vector3(-way.y, way.x, 0).multiplyScalar(0.3), start = new THREE.Vector3(stop.at[0], stop.at[1], OVER * 2).addScaledVector(way, 0.7).add(aside);
        this.scenario.add(new THREE.ArrowHelper(way, start, length - 1.4, "#1d5fa8", 0.9, 0.5));
        this.scenario.add(label(`${Math.round(share * 100)} %`, [start.x + way.x * (length - 1.4) * 0.5, start.y + way.y * (length - 1.4) * 0.5], "#1d5fa8"));
      }
    }
    this.scenario.traverse((each) => { each.renderOrder = 4; each.frustumCulled = false; });
  }

  /** Obstacles that come as soon as their ground is free. */
  showComing(outlines: Point[][]) {
    for (const child of [...this.coming.children]) {
      this.coming.remove(child);
      (child as THREE.Mesh).geometry.dispose();
    }
    for (const outline of outlines) {
      const shape = new THREE.Shape(outline.map(([x, y]) => new THREE.Vector2(x, y)));
      this.coming.add(new THREE.Mesh(new THREE.ExtrudeGeometry(shape, { depth: 1, bevelEnabled: false }), new THREE.MeshBasicMaterial({ color: "#d5532f", transparent: true, opacity: 0.3, depthWrite: false })));
    }
  }

  ringAround(kind: "selected" | "locked", shown: Shown, chosen: Set<number>) {
    const mesh = this.rings[kind];
    let count = 0;
    if (chosen.size > 0) {
      const matrix = new THREE.Matrix4();
      for (let slot = 0; slot < shown.count && count < mesh.instanceMatrix.count; slot++) {
        if (chosen.has(shown.id[slot])) mesh.setMatrixAt(count++, matrix.makeTranslation(shown.place[slot * 4], shown.place[slot * 4 + 1], OVER));
      }
      mesh.instanceMatrix.needsUpdate = true;
    }
    mesh.count = count;
    mesh.visible = count > 0;
  }
}

/** A body that is not there: translucent, with an arrow where it faces. */
function ghostBody(): THREE.Group {
  const group = new THREE.Group();
  const paint = new THREE.MeshBasicMaterial({ color: "#7a3fd1", transparent: true, opacity: 0.45, depthWrite: false });
  const trunk = new THREE.Mesh(new THREE.CapsuleGeometry(0.2, 1.05, 6, 16), paint);
  trunk.rotation.x = Math.PI / 2;
  trunk.position.z = 0.73;
  const head = new THREE.Mesh(new THREE.SphereGeometry(0.13, 16, 12), paint);
  head.position.z = 1.62;
  const arrow = new THREE.Mesh(new THREE.ShapeGeometry(new THREE.Shape([[0.3, -0.09], [0.8, -0.09], [0.8, -0.24], [1.15, 0], [0.8, 0.24], [0.8, 0.09], [0.3, 0.09]].map(([x, y]) => new THREE.Vector2(x, y)))), new THREE.MeshBasicMaterial({ color: "#7a3fd1", transparent: true, opacity: 0.9, depthWrite: false, side: THREE.DoubleSide }));
  arrow.position.z = OVER;
  group.add(trunk, head, arrow);
  group.visible = false;
  group.traverse((each) => { each.renderOrder = 4; });
  return group;
}

/** A few words that stand on the ground and face the eye. */
function label(text: string, [x, y]: Point, colour: string): THREE.Sprite {
  const canvas = document.createElement("canvas"), context = canvas.getContext("2d")!;
  const font = "600 40px system-ui, sans-serif";
  context.font = font;
  canvas.width = Math.ceil(context.measureText(text).width) + 24;
  canvas.height = 56;
  context.font = font;
  context.fillStyle = "rgba(255, 255, 255, 0.85)";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = colour;
  context.fillText(text, 12, 42);
  const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ map: new THREE.CanvasTexture(canvas), depthTest: false }));
  sprite.scale.set((canvas.width / canvas.height) * 0.5, 0.5, 1);
  sprite.position.set(x, y, 0.45);
  return sprite;
}

function empty(group: THREE.Group) {
  for (const child of [...group.children]) {
    group.remove(child);
    if (child instanceof THREE.Sprite) { child.material.map?.dispose(); child.material.dispose(); }
    else if (child instanceof THREE.ArrowHelper) child.dispose();
    else (child as THREE.Mesh).geometry.dispose();
  }
}

/** Whether a point is inside an outline (even-odd). */
export function inside([x, y]: Point, outline: Point[]): boolean {
  let within = false;
  for (let index = 0, before = outline.length - 1; index < outline.length; before = index++) {
    const [ax, ay] = outline[index], [bx, by] = outline[before];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) within = !within;
  }
  return within;
}

/** Fewer points that tell nearly the same way (Douglas and Peucker 1973). */
export function simplify(points: Point[], tolerance: number): Point[] {
  if (points.length < 3) return points;
  const [first, last] = [points[0], points.at(-1)!];
  const [dx, dy] = [last[0] - first[0], last[1] - first[1]], length = Math.hypot(dx, dy);
  let far = 0, at = 0;
  for (let index = 1; index < points.length - 1; index++) {
    const [px, py] = [points[index][0] - first[0], points[index][1] - first[1]];
    const away = length > 1e-9 ? Math.abs(px * dy - py * dx) / length : Math.hypot(px, py);
    if (away > far) [far, at] = [away, index];
  }
  if (far <= tolerance) return [first, last];
  return [...simplify(points.slice(0, at + 1), tolerance).slice(0, -1), ...simplify(points.slice(at), tolerance)];
}

/** The outline of a stroke of a round brush: a band along its points, round at the ends. */
export function band(points: Point[], radius: number, radii?: (part: number, corner: number) => number): Point[] {
  const simple = simplify(points, radius * 0.15), way = radii ? everyMetre(simple) : simple;
  if (way.length < 2) return circle(way[0], radius);
  const own = (index: number) => radii ? radii(index / (way.length - 1), index) : radius;
  const left: Point[] = [], right: Point[] = [];
  const direction = (a: Point, b: Point) => Math.atan2(b[1] - a[1], b[0] - a[0]);
  way.forEach((point, index) => {
    const before = direction(way[Math.max(index - 1, 0)], way[Math.max(index, 1)]);
    const after = direction(way[Math.min(index, way.length - 2)], way[Math.min(index + 1, way.length - 1)]);
    const angle = Math.atan2(Math.sin(before) + Math.sin(after), Math.cos(before) + Math.cos(after)) + Math.PI / 2;
    left.push([point[0] + Math.cos(angle) * own(index), point[1] + Math.sin(angle) * own(index)]);
    right.push([point[0] - Math.cos(angle) * own(index), point[1] - Math.sin(angle) * own(index)]);
  });
  const cap = (index: number, from: number): Point[] => [1, 2, 3, 4, 5].map((step) => [way[index][0] + Math.cos(from - step * Math.PI / 6) * own(index), way[index][1] + Math.sin(from - step * Math.PI / 6) * own(index)]);
  const start = direction(way[0], way[1]), end = direction(way.at(-2)!, way.at(-1)!);
  return [...left, ...cap(way.length - 1, end + Math.PI / 2), ...right.reverse(), ...cap(0, start - Math.PI / 2)];
}

/** The same line with a point about every metre. */
function everyMetre(line: Point[]): Point[] {
  return line.flatMap((point, index) => {
    if (index === 0) return [point];
    const last = line[index - 1], steps = Math.max(1, Math.round(Math.hypot(point[0] - last[0], point[1] - last[1])));
    return Array.from({ length: steps }, (_, step): Point => [last[0] + ((point[0] - last[0]) * (step + 1)) / steps, last[1] + ((point[1] - last[1]) * (step + 1)) / steps]);
  });
}

export function circle([x, y]: Point, radius: number, corners = 24): Point[] {
  return Array.from({ length: corners }, (_, index): Point => [x + Math.cos((index / corners) * 2 * Math.PI) * radius, y + Math.sin((index / corners) * 2 * Math.PI) * radius]);
}

export function rectangle([ax, ay]: Point, [bx, by]: Point): Point[] {
  const [x0, x1, y0, y1] = [Math.min(ax, bx), Math.max(ax, bx), Math.min(ay, by), Math.max(ay, by)];
  return [[x0, y0], [x1, y0], [x1, y1], [x0, y1]];
}

/** Whether an outline crosses itself: such a stroke cannot be a region. */
export function crossesItself(outline: Point[]): boolean {
  const side = (a: Point, b: Point, c: Point) => Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
  const count = outline.length;
  for (let i = 0; i < count; i++) {
    for (let j = i + 2; j < count; j++) {
      if (i === 0 && j === count - 1) continue;
      const [a, b, c, d] = [outline[i], outline[(i + 1) % count], outline[j], outline[(j + 1) % count]];
      if (side(a, b, c) !== side(a, b, d) && side(c, d, a) !== side(c, d, b)) return true;
    }
  }
  return false;
}
