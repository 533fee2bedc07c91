// The ground, its walls, its regions and its signals.
import * as THREE from "three";
import { category } from "./looks";
import { propsGroup, type Prop } from "./props";
import { DOOR_FLOOR, facade, grain, groundFloors, meadow, paving, render, SHOP_FLOOR, Sky, STOREYS, WINDOWS } from "./surfaces";

export type Ring = [number, number][];
export interface GroundShape { areas: Ring[][]; regions: { name: string; areas: Ring[][] }[] }
export interface Signal { name: string; at: [number, number]; values: string[]; /** Polygons of a door, there while the value is 0. */ solid?: Ring[] }
export interface Wall { ring: Ring; height: number }
export interface Line { name: string; from: [number, number]; to: [number, number] }

/** Low enough to look over, in metres. */
const DOOR_HEIGHT = 1.9;
/** Height and thickness of the wall around the ground, in metres: one looks over it. */
const LOW = 0.35, WALL = 0.2;
/** Obstacles of so many square metres are houses; metres of a storey. */
const HOUSE = 80, STOREY = 3.1;
/** Walls of houses go so many metres beyond their flat roofs. */
const PARAPET = 0.35;
/** Height of a railing in metres. */
const RAILING = 1;
/** Nearer than so many metres names get smaller, so that they never fill the picture. */
const NAME_REACH = 30;
const PLASTER = ["#e9dfcf", "#d8c3a5", "#c9b7a6", "#e3d5c8", "#bfc5c4", "#d9b99b", "#e8e2d6"];

export function shape(rings: Ring[]): THREE.Shape {
  const points = (ring: Ring) => ring.map(([x, y]) => new THREE.Vector2(x, y));
  const result = new THREE.Shape(points(rings[0] ?? []));
  result.holes = rings.slice(1).map((ring) => new THREE.Path(points(ring)));
  return result;
}

function size(ring: Ring): number {
  return Math.abs(ring.reduce((sum, [x, y], index) => {
    const [nextX, nextY] = ring[(index + 1) % ring.length];
    return sum + x * nextY - nextX * y;
  }, 0)) / 2;
}

/** The middles of the short sides of something long. */
function ends(ring: Ring): [THREE.Vector2, THREE.Vector2] {
  const points = ring.map(([x, y]) => new THREE.Vector2(x, y));
  let [a, b] = [points[0], points[0]];
  for (const p of points) for (const q of points) if (p.distanceTo(q) > a.distanceTo(b)) [a, b] = [p, q];
  // The corner next to an end is the other corner of its short side.
  const middle = (end: THREE.Vector2) => {
    const next = points.filter((p) => p !== end).reduce((best, p) => p.distanceTo(end) < best.distanceTo(end) ? p : best, points.find((p) => p !== end)!);
    return next.distanceTo(end) < 0.5 ? end.clone().add(next).divideScalar(2) : end.clone();
  };
  return [middle(a), middle(b)];
}

/** Whether an obstacle is a mere line on the ground: four corners, less than 0.35 m wide and long for that. */
function isThin(ring: Ring): boolean {
  if (ring.length !== 4) return false;
  const [a, b] = ends(ring), long = a.distanceTo(b);
  return long > 2 && size(ring) / long < 0.35;
}

/** Whether an obstacle is round, or nearly so. */
function isRound(ring: Ring): boolean {
  const [x, y] = middleOf(ring), away = ring.map((corner) => Math.hypot(corner[0] - x, corner[1] - y));
  return ring.length >= 8 && Math.min(...away) > 0.93 * Math.max(...away);
}

/** The middle of a ring's corners. */
function middleOf(ring: Ring): [number, number] {
  return ring.reduce(([x, y], corner) => [x + corner[0] / ring.length, y + corner[1] / ring.length], [0, 0]);
}

/** A ring a little larger, so that what lies in it is hidden. */
function grown(ring: Ring): Ring {
  const [x, y] = middleOf(ring);
  return ring.map((corner) => [corner[0] + Math.sign(corner[0] - x) * 0.004, corner[1] + Math.sign(corner[1] - y) * 0.004]);
}

/** The corners of a thing on the ground. */
function outline({ at, heading, size: [length, width] }: Prop): Ring {
  const [sin, cos] = [Math.sin(heading), Math.cos(heading)];
  return ([[-1, -1], [1, -1], [1, 1], [-1, 1]] as Ring).map(([x, y]) => [
    at[0] + (cos * x * width - sin * y * length) / 2, at[1] + (sin * x * width + cos * y * length) / 2]);
}

/** What is left of a stretch of a wall where roads cross it, to half a metre. */
function between(from: [number, number], to: [number, number], roads: Prop[]): [[number, number], [number, number]][] {
  const parts = Math.max(1, Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) * 2));
  const place = (share: number): [number, number] => [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share];
  const isRoad = (part: number) => {
    const [x, y] = place((part + 0.5) / parts);
    return roads.some(({ at, heading, size: [across, along] }) => {
      const [sin, cos, dx, dy] = [Math.sin(heading), Math.cos(heading), x - at[0], y - at[1]];
      return Math.abs(cos * dx + sin * dy) < along / 2 + 0.1 && Math.abs(cos * dy - sin * dx) < across / 2;
    });
  };
  const left: [[number, number], [number, number]][] = [];
  for (let part = 0, start = 0; part <= parts; part++) {
    if (part < parts && !isRoad(part)) continue;
    if (part > start) left.push([place(start / parts), place(part / parts)]);
    start = part + 1;
  }
  return left;
}

/** A word that stands in the air over a place. */
export function label(text: string, size = 1): THREE.Sprite {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d")!;
  const font = "600 44px system-ui, sans-serif";
  context.font = font;
  canvas.width = Math.ceil(context.measureText(text).width) + 40;
  canvas.height = 72;
  context.font = font;
  context.fillStyle = "rgba(20, 24, 33, 0.72)";
  context.roundRect(0, 0, canvas.width, canvas.height, 20);
  context.fill();
  context.fillStyle = "#fff";
  context.fillText(text, 20, 52);
  const texture = new THREE.CanvasTexture(canvas);
  texture.colorSpace = THREE.SRGBColorSpace;
  const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ map: texture, depthTest: false, transparent: true }));
  sprite.scale.set((canvas.width / canvas.height) * 1.5 * size, 1.5 * size, 1);
  sprite.renderOrder = 5;
  return sprite;
}

/** As many regions have their names over them, those that one looks at: a city has hundreds. */
const NAMED = 10;

export class Stage {
  readonly group = new THREE.Group();
  /** Floors, walls, houses and all around: what is made of the ground's outlines. */
  readonly built = new THREE.Group();
  readonly regions = new THREE.Group();
  readonly centre = new THREE.Vector3();
  readonly radius: number;
  readonly bounds = new THREE.Box2();
  private readonly floor = new THREE.MeshLambertMaterial();
  private readonly walls = new THREE.MeshLambertMaterial();
  private readonly roofs = new THREE.MeshLambertMaterial();
  private readonly gravel = new THREE.MeshLambertMaterial();
  private readonly houses = new THREE.MeshLambertMaterial({ vertexColors: true, side: THREE.DoubleSide });
  private readonly floors = new THREE.MeshLambertMaterial({ vertexColors: true, side: THREE.DoubleSide });
  private readonly water = new THREE.MeshPhongMaterial({ shininess: 90, specular: "#9fb4c4" });
  private readonly under = new THREE.MeshLambertMaterial();
  readonly sky = new Sky();
  /** What shows each signal's value. */
  private readonly showing: ((value: number, meaning: string) => void)[] = [];
  private readonly fences = new THREE.MeshLambertMaterial({ side: THREE.DoubleSide });
  private readonly doors = new THREE.MeshLambertMaterial();
  private readonly rails = new THREE.MeshLambertMaterial();
  readonly lines = new THREE.Group();
  private readonly names: THREE.Object3D[] = [];

  /** From how many metres on things fade into the haze, and from where on nothing else is seen; small places lie in a wide land. */
  get haze(): [number, number] {
    return [Math.max(40, this.radius * 1.2), Math.max(200, this.radius * 5)];
  }

  /** Takes textures that cost little, for machines without a graphics card. */
  drawPlainly() {
    for (const { map } of [this.floor, this.under, this.houses, this.floors, this.walls]) {
      if (!map) continue;
      map.anisotropy = 1;
      map.minFilter = THREE.LinearMipmapNearestFilter;
      map.needsUpdate = true;
    }
  }

  constructor(ground: GroundShape, lines: Line[], private readonly signals: Signal[], props: Prop[] = [], walls: Wall[] = [], floor: Ring[][] = []) {
    this.floor.map = paving();
    this.gravel.map = grain();
    this.under.map = meadow();
    this.houses.map = facade();
    this.floors.map = groundFloors();
    this.walls.map = render();
    for (const point of ground.areas.flat(2)) this.bounds.expandByPoint(new THREE.Vector2(...point));
    if (this.bounds.isEmpty()) this.bounds.set(new THREE.Vector2(-10, -10), new THREE.Vector2(10, 10));
    const middle = this.bounds.getCenter(new THREE.Vector2()), extent = this.bounds.getSize(new THREE.Vector2());
    this.centre.set(middle.x, middle.y, 0);
    this.radius = Math.max(5, extent.length() / 2);
    // Things, walls and doors are no holes in what is drawn: the floor goes on under them.
    for (const area of floor.length ? floor : ground.areas) {
      const laid = new THREE.Mesh(new THREE.ShapeGeometry(shape(area)), this.floor);
      laid.receiveShadow = true;
      this.built.add(laid);
      // Holes are what stands on the ground: blocks, and large ones are houses of a few storeys.
      for (const hole of area.slice(1)) this.raise(hole);
      this.addFence(area[0], props.filter((prop) => prop.kind === "road"));
    }
    const wide = Math.max(450, this.radius * 6);
    const plane = new THREE.Mesh(new THREE.CircleGeometry(wide, 64), this.under);
    plane.position.set(middle.x, middle.y, -0.06);
    const around = plane.geometry.getAttribute("uv");
    for (let at = 0; at < around.count; at++) around.setXY(at, around.getX(at) * wide * 2, around.getY(at) * wide * 2);
    plane.receiveShadow = true;
    this.built.add(plane);
    for (const { ring, height } of walls) this.addBlock(grown(ring), height);
    for (const prop of props) if (prop.kind === "house") this.addHouse(outline(prop), prop.size[2]);
    this.group.add(this.built, this.sky.mesh, propsGroup(props.filter((prop) => prop.kind !== "house")));
    ground.regions.forEach((region, index) => this.addRegion(region.name, region.areas, category(index)));
    for (const line of lines) this.addLine(line);
    for (const signal of signals) signal.solid ? this.addDoor(signal.solid) : this.addLamp(signal);
    this.group.add(this.regions, this.lines);
  }

  /** What stands on the ground over a ring: a railing, a block, or a house where it is large. */
  raise(ring: Ring) {
    if (isThin(ring)) this.addRailing(ring);
    else if (size(ring) < HOUSE && size(ring) > 7 && isRound(ring)) this.addFountain(ring);
    else if (size(ring) < HOUSE) this.addBlock(ring, size(ring) < 3 ? 1.1 : 2.4);
    else this.addHouse(ring);
  }

  private addBlock(ring: Ring, height: number) {
    const block = new THREE.ExtrudeGeometry(shape([ring]), { depth: height, bevelEnabled: height > 2, bevelSize: 0.12, bevelThickness: 0.12, bevelOffset: -0.12, bevelSegments: 1 });
    const mesh = new THREE.Mesh(block, [this.roofs, this.walls]);
    mesh.castShadow = mesh.receiveShadow = true;
    this.built.add(mesh);
  }

  /** A fountain: a rim to sit on, water, and a bowl on a pillar in the middle. */
  private addFountain(ring: Ring) {
    const [x, y] = middleOf(ring), wide = Math.hypot(ring[0][0] - x, ring[0][1] - y);
    const inner = (share: number): Ring => ring.map(([cornerX, cornerY]) => [x + (cornerX - x) * share, y + (cornerY - y) * share]);
    const inside = 1 - Math.min(0.35 / wide, 0.5);
    const rim = new THREE.Mesh(new THREE.ExtrudeGeometry(shape([ring, inner(inside)]), { depth: 0.48, bevelEnabled: false }), [this.roofs, this.walls]);
    const water = new THREE.Mesh(new THREE.ShapeGeometry(shape([inner(inside)])), this.water);
    water.position.z = 0.34;
    const pillar = new THREE.Mesh(new THREE.CylinderGeometry(wide * 0.05, wide * 0.08, 1.5, 16).rotateX(Math.PI / 2), this.walls);
    pillar.position.set(x, y, 0.75);
    const bowl = new THREE.Mesh(new THREE.CylinderGeometry(wide * 0.3, wide * 0.07, 0.32, 24).rotateX(Math.PI / 2), this.walls);
    bowl.position.set(x, y, 1.55);
    const top = new THREE.Mesh(new THREE.CircleGeometry(wide * 0.27, 24), this.water);
    top.position.set(x, y, 1.712);
    for (const part of [rim, pillar, bowl]) part.castShadow = part.receiveShadow = true;
    water.receiveShadow = true;
    this.built.add(rim, water, pillar, bowl, top);
  }

  /** A railing: posts with a rail at the hand and one at the knee. */
  private addRailing(ring: Ring) {
    const [a, b] = ends(ring), long = a.distanceTo(b), angle = Math.atan2(b.y - a.y, b.x - a.x);
    const bar = (height: number) => {
      const rail = new THREE.Mesh(new THREE.BoxGeometry(long, 0.05, 0.05), this.rails);
      rail.position.set((a.x + b.x) / 2, (a.y + b.y) / 2, height);
      rail.rotation.z = angle;
      return rail;
    };
    const parts = [bar(RAILING), bar(RAILING * 0.45)];
    for (let post = 0, posts = Math.max(1, Math.round(long / 1.8)); post <= posts; post++) {
      const mesh = new THREE.Mesh(new THREE.BoxGeometry(0.06, 0.06, RAILING), this.rails);
      mesh.position.set(a.x + (b.x - a.x) * post / posts, a.y + (b.y - a.y) * post / posts, RAILING / 2);
      parts.push(mesh);
    }
    for (const part of parts) part.castShadow = true;
    this.built.add(...parts);
  }

  /** A house: walls with rows of windows, a flat roof. */
  private addHouse(ring: Ring, tall?: number) {
    // Houses of one plan differ by where they are.
    const own = size(ring) + Math.abs(ring[0][0] * 0.61 + ring[0][1] * 0.37);
    const storeys = tall === undefined ? 2 + Math.floor(own * 7.3) % 3 : Math.max(1, Math.round(tall / STOREY)), height = tall ?? storeys * STOREY;
    const tint = new THREE.Color(PLASTER[Math.floor(own * 3.1) % PLASTER.length]);
    // Outwards is to the right of the way round a hole, whichever way it goes.
    const turning = Math.sign(ring.reduce((sum, [x, y], corner) => {
      const [nextX, nextY] = ring[(corner + 1) % ring.length];
      return sum + x * nextY - nextX * y;
    }, 0));
    const ground = height / storeys, floor = Math.floor(own * 5.7) % 5 < 3 ? SHOP_FLOOR : DOOR_FLOOR;
    // Which window of the texture is the first one differs from house to house.
    const [along, above] = [Math.floor(own * 2.3) % WINDOWS / WINDOWS, Math.floor(own * 4.9) % STOREYS / STOREYS];
    const walls = (low: number, high: number, [from, to]: [number, number], material: THREE.Material) => {
      const [at, up, index, paint] = [[] as number[], [] as number[], [] as number[], [] as number[]];
      ring.forEach(([x, y], corner) => {
        const [nextX, nextY] = ring[(corner + 1) % ring.length];
        const windows = Math.max(0.2, Math.round(Math.hypot(nextX - x, nextY - y) / 2.6)) / WINDOWS;
        const first = at.length / 3;
        at.push(x, y, low, nextX, nextY, low, nextX, nextY, high, x, y, high);
        up.push(along, from, along + windows, from, along + windows, to, along, to);
        for (let each = 0; each < 4; each++) paint.push(tint.r, tint.g, tint.b);
        index.push(...(turning > 0 ? [first, first + 1, first + 2, first, first + 2, first + 3] : [first, first + 2, first + 1, first, first + 3, first + 2]));
      });
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute("position", new THREE.Float32BufferAttribute(at, 3));
      geometry.setAttribute("uv", new THREE.Float32BufferAttribute(up, 2));
      geometry.setAttribute("color", new THREE.Float32BufferAttribute(paint, 3));
      geometry.setIndex(index);
      const flat = geometry.toNonIndexed();
      flat.computeVertexNormals();
      const mesh = new THREE.Mesh(flat, material);
      mesh.castShadow = true;
      this.built.add(mesh);
    };
    walls(0, ground, [floor, floor + 1 / STOREYS], this.floors);
    if (storeys > 1) walls(ground, height, [above, above + (storeys - 1) / STOREYS], this.houses);
    const roof = new THREE.Mesh(new THREE.ShapeGeometry(shape([ring])), this.gravel);
    roof.position.z = height - PARAPET;
    roof.receiveShadow = true;
    roof.castShadow = true;
    this.built.add(roof);
    this.addRoofTop(ring, height - PARAPET, own);
  }

  /** What stands on large flat roofs: the head of the stairs, and boxes for the air. */
  private addRoofTop(ring: Ring, height: number, own: number) {
    const [x, y] = middleOf(ring);
    ring.slice(0, Math.min(3, Math.floor(size(ring) / 150))).forEach((corner, each) => {
      const [wide, tall] = each === 0 ? [3.2, 2.4] : [1.3 + (own * (each + 2)) % 0.8, 1];
      const box = new THREE.Mesh(new THREE.BoxGeometry(wide, wide * 0.7, tall), this.walls);
      box.position.set(x + (corner[0] - x) * 0.35, y + (corner[1] - y) * 0.35, height + tall / 2);
      box.castShadow = true;
      this.built.add(box);
    });
  }

  /** A low wall around the ground; where a road leaves it there is none. */
  private addFence(ring: Ring, roads: Prop[]) {
    const walls: number[] = [], index: number[] = [];
    const turning = Math.sign(ring.reduce((sum, [x, y], corner) => {
      const [nextX, nextY] = ring[(corner + 1) % ring.length];
      return sum + x * nextY - nextX * y;
    }, 0));
    ring.flatMap((from, corner) => between(from, ring[(corner + 1) % ring.length], roads)).forEach(([[x, y], [nextX, nextY]]) => {
      const at = walls.length / 3;
      // A low wall with a top, outside of the edge.
      const long = Math.hypot(nextX - x, nextY - y) || 1, out = turning * WALL / long, [ox, oy] = [(nextY - y) * out, (x - nextX) * out];
      const [ex, ey] = [(nextX - x) / long * WALL, (nextY - y) / long * WALL];
      walls.push(x, y, 0, nextX, nextY, 0, nextX, nextY, LOW, x, y, LOW,
        x, y, LOW, nextX, nextY, LOW, nextX + ox + ex, nextY + oy + ey, LOW, x + ox - ex, y + oy - ey, LOW,
        x + ox - ex, y + oy - ey, 0, nextX + ox + ex, nextY + oy + ey, 0, nextX + ox + ex, nextY + oy + ey, LOW, x + ox - ex, y + oy - ey, LOW);
      for (const first of [at, at + 4, at + 8]) index.push(first, first + 1, first + 2, first, first + 2, first + 3);
    });
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(walls, 3));
    geometry.setIndex(index);
    geometry.computeVertexNormals();
    const mesh = new THREE.Mesh(geometry, this.fences);
    mesh.castShadow = true;
    this.built.add(mesh);
  }

  private addRegion(name: string, areas: Ring[][], colour: string) {
    const material = new THREE.MeshBasicMaterial({ color: colour, transparent: true, opacity: 0.16, depthWrite: false });
    for (const area of areas) {
      const mesh = new THREE.Mesh(new THREE.ShapeGeometry(shape(area)), material);
      mesh.position.z = 0.008;
      const outline = new THREE.LineLoop(
        new THREE.BufferGeometry().setFromPoints(area[0].map(([x, y]) => new THREE.Vector3(x, y, 0.03))),
        new THREE.LineBasicMaterial({ color: colour }),
      );
      this.regions.add(mesh, outline);
    }
    const box = new THREE.Box2().setFromPoints(areas.flat(2).map(([x, y]) => new THREE.Vector2(x, y)));
    const middle = box.getCenter(new THREE.Vector2());
    const text = label(name);
    text.position.set(middle.x, middle.y, 5.5);
    text.userData.edge = new THREE.Vector3(middle.x, box.min.y, 0.05);
    this.names.push(text);
    this.regions.add(text);
  }

  private addLine({ from, to }: Line) {
    const points = [new THREE.Vector3(...from, 0.03), new THREE.Vector3(...to, 0.03)];
    const line = new THREE.Line(new THREE.BufferGeometry().setFromPoints(points), new THREE.LineDashedMaterial({ color: "#d55e00", dashSize: 0.8, gapSize: 0.5 }));
    line.computeLineDistances();
    this.lines.add(line);
  }

  private addLamp(signal: Signal) {
    const post = new THREE.Mesh(new THREE.CylinderGeometry(0.06, 0.08, 3, 8), this.walls);
    post.rotation.x = Math.PI / 2;
    post.position.set(...signal.at, 1.5);
    const material = new THREE.MeshBasicMaterial();
    const lamp = new THREE.Mesh(new THREE.SphereGeometry(0.22, 16, 12), material);
    lamp.position.set(...signal.at, 3.1);
    this.showing.push((value, meaning) => {
      const known = /red|stop|closed/i.test(meaning) ? "#e5322d" : /green|go|walk|open/i.test(meaning) ? "#27b35a" : category(value);
      material.color.set(known);
    });
    this.group.add(post, lamp);
  }

  private addDoor(solid: Ring[]) {
    const leaves = solid.map((ring) => new THREE.Mesh(new THREE.ExtrudeGeometry(shape([ring]), { depth: DOOR_HEIGHT, bevelEnabled: false }), this.doors));
    this.showing.push((value) => leaves.forEach((leaf) => { leaf.visible = value === 0; }));
    this.group.add(...leaves);
  }

  /** Names the regions that are nearest to where a camera looks on the ground. */
  nameRegions(camera: THREE.Camera) {
    const ahead = camera.getWorldDirection(new THREE.Vector3()), heading = Math.atan2(ahead.y, ahead.x) - Math.PI / 2, slant = Math.min(3, 1 / Math.max(0.33, -ahead.z));
    // Who looks at the horizon sees what is within 40 m.
    const far = Math.min(camera.position.z / Math.max(-ahead.z, 0.01), 40 + camera.position.z);
    const seen = ahead.multiplyScalar(far).add(camera.position);
    const distances = this.names.map((name) => name.position.distanceToSquared(seen));
    const limit = [...distances].sort((a, b) => a - b)[NAMED - 1] ?? Infinity;
    this.names.forEach((name, index) => {
      name.visible = distances[index] <= limit;
      const full = (name.userData.full ??= name.scale.clone()) as THREE.Vector3;
      name.scale.copy(full).multiplyScalar(Math.min(1, name.position.distanceTo(camera.position) / NAME_REACH));
      if (!(name instanceof THREE.Mesh)) return;
      // What lies on the ground is read from where one looks.
      name.rotation.z = heading;
      name.scale.y *= slant;
    });
  }

  /** Shows the values of the signals. */
  setSignals(values: number[]) {
    this.showing.forEach((show, index) => {
      const value = values[index] ?? 0;
      show(value, this.signals[index].values[value] ?? "");
    });
  }

  /** Names on the ground at the edges of their regions, smaller and none right over another: they cover no crowd. */
  layNames(share: number) {
    const taken: THREE.Vector3[] = [];
    this.names.splice(0).forEach((word) => {
      const { material, scale, userData } = word as THREE.Sprite;
      const name = new THREE.Mesh(new THREE.PlaneGeometry(1, 1), new THREE.MeshBasicMaterial({ map: material.map, transparent: true, depthWrite: false, fog: false }));
      name.scale.copy(scale).multiplyScalar(share);
      name.position.copy(userData.edge as THREE.Vector3);
      name.position.y -= name.scale.y;
      while (taken.some((other) => other.distanceTo(name.position) < 1.5 * share)) name.position.y -= 2 * share;
      taken.push(name.position);
      material.dispose();
      this.regions.remove(word);
      this.regions.add(name);
      this.names.push(name);
    });
  }

  /** Gives back what it holds on the graphics card. */
  dispose() {
    this.group.traverse((each) => {
      if (!(each instanceof THREE.Mesh || each instanceof THREE.Line || each instanceof THREE.Sprite)) return;
      each.geometry.dispose();
      for (const material of [each.material].flat()) {
        (material as THREE.SpriteMaterial).map?.dispose();
        material.dispose();
      }
    });
  }

  /** Day or night. */
  paint(dark: boolean, haze = new THREE.Color(dark ? "#141924" : "#dfe4e8")) {
    this.sky.paint(dark, haze);
    for (const walls of [this.houses, this.floors]) walls.color.set(dark ? "#555d70" : "#ffffff");
    this.floor.color.set(dark ? "#454c5a" : "#cfcabf");
    this.walls.color.set(dark ? "#59627a" : "#d3ccbe");
    this.fences.color.set(dark ? "#59627a" : "#b9b2a6");
    this.water.color.set(dark ? "#16222e" : "#4d7386");
    this.rails.color.set(dark ? "#4d5563" : "#6f767d");
    this.doors.color.set(dark ? "#7a5b3f" : "#a9764a");
    this.roofs.color.set(dark ? "#48506a" : "#efe9dd");
    this.gravel.color.set(dark ? "#3d4459" : "#b4ada2");
    this.under.color.set(dark ? "#252c2c" : "#d2d6c4");
  }
}
