// Things that stand about: what people sit on and stand at, lamps, trees, kerbs, roads.
import * as THREE from "three";
import { asphalt, leaves } from "./surfaces";

/** A thing: what it is, where its middle is, which way it faces; length across that way, width along it, height. */
export interface Prop { kind: string; at: [number, number]; heading: number; size: [number, number, number] }

const WOOD = "#a97c50", METAL = "#4b5058", STONE = "#b7b2a8", LEAF = "#3d5530", ROAD = "#7d7f82", BARK = "#5b4634";

/** Surfaces other than plain colours. */
type Surface = "leaf" | "asphalt";
type Part = [shape: THREE.BufferGeometry, colour: string, at: [number, number, number], surface?: Surface];
const box = (x: number, y: number, z: number) => new THREE.BoxGeometry(x, y, z);
const post = (radius: number, height: number) => new THREE.CylinderGeometry(radius, radius, height, 10).rotateX(Math.PI / 2);

/** Tufts of a tree's crown: place in parts of its width and height, and radius in parts of its width. */
const CROWN = [[0, 0, 0.72, 0.36], [0.16, 0.1, 0.58, 0.27], [-0.14, 0.12, 0.6, 0.27], [0.02, -0.18, 0.6, 0.26], [-0.05, 0.02, 0.86, 0.24]];
/** Twigs of a tuft. */
const TWIGS = 64;

/** Twigs with leaves all over a ball, lit as the ball is: their planes would look like paper. */
function foliage(radius: number, seed: number): THREE.BufferGeometry {
  const [at, up, out, index] = [[] as number[], [] as number[], [] as number[], [] as number[]];
  const way = new THREE.Vector3(), side = new THREE.Vector3(), rise = new THREE.Vector3(), corner = new THREE.Vector3();
  for (let twig = 0; twig < TWIGS; twig++) {
    // Evenly over the ball, by the golden angle.
    const z = 1 - (2 * twig + 1) / TWIGS, round = twig * 2.39996 + seed * 1.7, flat = Math.sqrt(1 - z * z);
    way.set(flat * Math.cos(round), flat * Math.sin(round), z);
    side.set(Math.sin(twig * 12.9), Math.cos(twig * 7.3), Math.sin(twig * 3.7 + seed)).cross(way).normalize();
    rise.crossVectors(way, side).addScaledVector(way, 0.7 * Math.sin(twig * 5.1)).normalize();
    const long = radius * (0.36 + 0.1 * Math.sin(twig * 9.7)), first = at.length / 3, away = radius * (0.84 + 0.14 * Math.sin(twig * 4.3 + seed));
    for (const [x, y] of [[-1, -1], [1, -1], [1, 1], [-1, 1]]) {
      corner.copy(way).multiplyScalar(away).addScaledVector(side, x * long).addScaledVector(rise, y * long);
      at.push(corner.x, corner.y, corner.z);
      up.push((x + 1) / 2, (y + 1) / 2);
      out.push(way.x, way.y, way.z);
    }
    index.push(first, first + 1, first + 2, first, first + 2, first + 3);
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(at, 3));
  geometry.setAttribute("uv", new THREE.Float32BufferAttribute(up, 2));
  geometry.setAttribute("normal", new THREE.Float32BufferAttribute(out, 3));
  geometry.setIndex(index);
  return geometry;
}

/** A slab whose texture is as large on each as in the world, in metres. */
function slab(x: number, y: number, z: number): THREE.BufferGeometry {
  const geometry = box(x, y, z), place = geometry.getAttribute("position"), up = geometry.getAttribute("uv");
  for (let corner = 0; corner < place.count; corner++) up.setXY(corner, place.getX(corner), place.getY(corner));
  return geometry;
}

/** The parts of a thing around its middle on the ground, facing along x. */
function parts({ kind, size: [length, width, height] }: Prop): Part[] {
  switch (kind) {
    case "bench": case "seat": {
      const slats: Part[] = [-0.33, 0, 0.33].map((at) => [box(width * 0.28, length, 0.035), WOOD, [at * width, 0, height - 0.02]]);
      const back: Part[] = kind === "bench" || length > 0.5
        ? [0.62, 0.8].map((at) => [box(0.03, length, 0.12), WOOD, [-width * 0.52, 0, at]]) : [];
      const legs: Part[] = [-1, 1].flatMap((side): Part[] => [
        [box(width * 0.9, 0.05, 0.05), METAL, [0, side * length * 0.42, height - 0.06]],
        [box(0.05, 0.05, height), METAL, [width * 0.36, side * length * 0.42, height / 2]],
        [box(0.05, 0.05, 0.88), METAL, [-width * 0.48, side * length * 0.42, 0.44]],
      ]);
      return [...slats, ...back, ...legs];
    }
    case "chair":
      return [[box(width, length, 0.04), WOOD, [0, 0, height]], [box(0.03, length, 0.4), WOOD, [-width / 2, 0, height + 0.25]],
        ...[-1, 1].flatMap((x) => [-1, 1].map((y): Part => [box(0.035, 0.035, height), METAL, [x * width * 0.45, y * length * 0.45, height / 2]]))];
    case "table":
      return [[box(width, length, 0.04), WOOD, [0, 0, height - 0.02]],
        ...[-1, 1].flatMap((x) => [-1, 1].map((y): Part => [box(0.05, 0.05, height), METAL, [x * width * 0.44, y * length * 0.46, height / 2]]))];
    case "box":
      return [[box(width, length, height), "#b08d5f", [0, 0, height / 2]], [box(width + 0.004, 0.05, height + 0.004), "#d8c49c", [0, 0, height / 2]],
        ...[-1, 1].map((side): Part => [box(0.08, 0.006, 0.03), "#5c4528", [0, side * length / 2, height * 0.72]])];
    case "counter":
      return [[box(width, length, height - 0.05), "#6d7f8c", [0, 0, (height - 0.05) / 2]], [box(width + 0.12, length + 0.12, 0.05), "#d8d3c8", [0, 0, height - 0.025]]];
    case "kiosk":
      return [[box(width, length, 1.0), "#39566b", [0, 0, 0.5]], [box(0.1, length, height - 1.0), "#39566b", [-width / 2 + 0.05, 0, 1.0 + (height - 1.0) / 2]],
        [box(width + 0.7, length + 0.4, 0.12), "#b5483a", [0.2, 0, height]], [box(width * 0.98, 0.06, height - 1.0), "#39566b", [0, length / 2 - 0.03, 1.0 + (height - 1.0) / 2]],
        [box(width * 0.98, 0.06, height - 1.0), "#39566b", [0, 0.03 - length / 2, 1.0 + (height - 1.0) / 2]]];
    case "lamp":
      return [[post(0.06, height), METAL, [0, 0, height / 2]], [post(0.11, 0.5), METAL, [0, 0, 0.25]], [box(0.9, 0.06, 0.06), METAL, [0.4, 0, height]], [box(0.45, 0.16, 0.08), "#fff4d6", [0.75, 0, height - 0.05]]];
    case "tree":
      return [[post(0.14, height * 0.5), BARK, [0, 0, height * 0.25]],
        ...[-1, 1].map((side): Part => [post(0.07, height * 0.3).rotateX(side * 0.55).rotateZ(side), BARK, [0, -side * length * 0.09, height * 0.52]]),
        ...CROWN.flatMap(([x, y, z, r], each): Part[] => {
          const middle: [number, number, number] = [x * length * 1.4, y * length * 1.4, z * height];
          return [[new THREE.IcosahedronGeometry(r * length * 0.8, 1), LEAF, middle], [foliage(r * length, each), "#ffffff", middle, "leaf"]];
        })];
    case "kerb": return [[box(width, length, height), STONE, [0, 0, height / 2]]];
    case "road": {
      // A piece shorter than 8 m is where roads meet: nothing is painted on it.
      if (width < 8) return [[slab(width, length, 0.02), ROAD, [0, 0, 0], "asphalt"]];
      const dashes = Math.max(1, Math.floor(width / 6));
      const middle: Part[] = Array.from({ length: dashes }, (_, each) => [box(3, 0.14, 0.004), "#e9e7df", [(each + 0.5) * (width / dashes) - width / 2, 0, 0.012]]);
      const sides: Part[] = [-1, 1].map((side) => [box(width, 0.12, 0.004), "#e9e7df", [0, side * (length / 2 - 0.25), 0.012]]);
      return [[slab(width, length, 0.02), ROAD, [0, 0, 0], "asphalt"], ...middle, ...sides];
    }
    case "crosswalk": {
      const stripes = Math.max(2, Math.floor(length));
      const painted: Part[] = Array.from({ length: stripes }, (_, each) => [box(width * 0.86, 0.5, 0.004), "#e9e7df", [0, (each + 0.5) * (length / stripes) - length / 2, 0.02]]);
      return [[slab(width, length, 0.03), ROAD, [0, 0, 0], "asphalt"], ...painted];
    }
    case "barrier":
      return [[box(0.05, length, 0.05), METAL, [0, 0, height]], [box(0.05, length, 0.05), METAL, [0, 0, 0.25]],
        ...[-1, 1].map((side): Part => [box(0.05, 0.05, height), METAL, [0, side * length / 2, height / 2]]),
        ...[-1, 1].map((side): Part => [box(width, 0.06, 0.03), METAL, [0, side * length / 2, 0.015]])];
    default: return [[box(width, length, height), STONE, [0, 0, height / 2]]];
  }
}

/** All things, the parts of one shape and colour drawn at once. */
export function propsGroup(props: Prop[]): THREE.Group {
  const group = new THREE.Group();
  const alike = new Map<string, Prop[]>();
  for (const prop of props) {
    const key = `${prop.kind} ${prop.size.join(" ")}`;
    alike.set(key, [...(alike.get(key) ?? []), prop]);
  }
  let twigs: THREE.Texture | undefined, roads: THREE.Texture | undefined;
  const turn = new THREE.Matrix4(), shift = new THREE.Matrix4();
  for (const all of alike.values()) {
    for (const [shape, colour, at, surface] of parts(all[0])) {
      const material = new THREE.MeshLambertMaterial({ color: colour });
      if (surface) material.map = surface === "leaf" ? (twigs ??= leaves()) : (roads ??= asphalt());
      if (surface === "leaf") {
        material.alphaTest = 0.5;
        material.side = THREE.DoubleSide;
      }
      const mesh = new THREE.InstancedMesh(shape, material, all.length);
      all.forEach((prop, index) => {
        turn.makeRotationZ(prop.heading).setPosition(prop.at[0], prop.at[1], 0);
        mesh.setMatrixAt(index, shift.makeTranslation(...at).premultiply(turn));
      });
      mesh.castShadow = mesh.receiveShadow = true;
      mesh.frustumCulled = false;
      group.add(mesh);
    }
  }
  return group;
}
