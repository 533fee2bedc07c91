// What can be laid over the crowd: paths, radii, density, and a mark around the chosen one.
import * as THREE from "three";
import type { Shown } from "./crowd";
import { ramp } from "./looks";
import type { Loom } from "./loom.js";

/** Seconds of the trails behind everybody. */
const TRAIL_SECONDS = 4;

export class Overlays {
  readonly group = new THREE.Group();
  private readonly trails: THREE.LineSegments;
  private readonly path: THREE.Line;
  private readonly radii: THREE.InstancedMesh;
  private readonly mark: THREE.Mesh;
  private readonly density: THREE.Mesh;
  private readonly cells: { data: Uint8Array; texture: THREE.DataTexture; columns: number; rows: number; side: number };
  show = { paths: false, radii: false, density: false };

  constructor(capacity: number, radius: number, private readonly bounds: THREE.Box2) {
    const line = (colour: string, opacity: number) => new THREE.LineBasicMaterial({ color: colour, transparent: true, opacity });
    this.trails = new THREE.LineSegments(new THREE.BufferGeometry(), line("#e07b39", 0.65));
    this.path = new THREE.Line(new THREE.BufferGeometry(), line("#ff4f6d", 1));
    const ring = new THREE.RingGeometry(radius * 0.93, radius, 40);
    this.radii = new THREE.InstancedMesh(ring, new THREE.MeshBasicMaterial({ color: "#0a84c6", transparent: true, opacity: 0.9 }), capacity);
    this.mark = new THREE.Mesh(new THREE.RingGeometry(0.42, 0.52, 48), new THREE.MeshBasicMaterial({ color: "#ff4f6d", transparent: true, opacity: 0.95 }));
    this.mark.visible = false;
    const extent = bounds.getSize(new THREE.Vector2());
    const side = Math.max(1, Math.max(extent.x, extent.y) / 400);
    const columns = Math.ceil(extent.x / side), rows = Math.ceil(extent.y / side);
    const data = new Uint8Array(columns * rows * 4);
    const texture = new THREE.DataTexture(data, columns, rows, THREE.RGBAFormat);
    texture.colorSpace = THREE.SRGBColorSpace;
    texture.magFilter = texture.minFilter = THREE.LinearFilter;
    this.cells = { data, texture, columns, rows, side };
    this.density = new THREE.Mesh(
      new THREE.PlaneGeometry(columns * side, rows * side),
      new THREE.MeshBasicMaterial({ map: texture, transparent: true, depthWrite: false }),
    );
    this.density.position.set(bounds.min.x + columns * side / 2, bounds.min.y + rows * side / 2, 0.02);
    for (const each of [this.trails, this.path, this.radii]) each.frustumCulled = false;
    this.group.add(this.trails, this.path, this.radii, this.mark, this.density);
  }

  /** Follows the chosen agent, if it is there. */
  setMark(shown: Shown, slot: number) {
    this.mark.visible = slot >= 0;
    if (slot >= 0) this.mark.position.set(shown.place[slot * 4], shown.place[slot * 4 + 1], 0.035);
  }

  updateRadii(shown: Shown) {
    this.radii.visible = this.show.radii;
    if (!this.show.radii) return;
    const matrix = new THREE.Matrix4();
    for (let slot = 0; slot < shown.count; slot++) {
      this.radii.setMatrixAt(slot, matrix.makeTranslation(shown.place[slot * 4], shown.place[slot * 4 + 1], 0.03));
    }
    this.radii.count = shown.count;
    this.radii.instanceMatrix.needsUpdate = true;
  }

  /** The slower part: a few times a second. */
  updateSlowly(loom: Loom, shown: Shown, frame: number, chosen: number) {
    this.trails.visible = this.show.paths;
    if (this.show.paths) this.setTrails(loom, frame);
    this.path.visible = chosen >= 0;
    if (chosen >= 0) this.setPath(loom, chosen);
    this.density.visible = this.show.density;
    if (this.show.density) this.setDensity(shown);
  }

  private setTrails(loom: Loom, frame: number) {
    const points: number[] = [];
    const from = frame - TRAIL_SECONDS * loom.header.frame_rate;
    for (let index = loom.chunkOf(from); index <= loom.chunkOf(frame); index++) {
      const chunk = loom.ready.get(index);
      if (!chunk) continue;
      const every = Math.max(1, Math.round(5 / chunk.stride));
      for (let track = 0; track < chunk.count; track++) {
        const offset = chunk.offsets[track] - chunk.starts[track];
        const last = Math.min(chunk.starts[track] + chunk.lengths[track] - 1, Math.floor((frame - chunk.first) / chunk.stride));
        const first = Math.max(chunk.starts[track], Math.ceil((from - chunk.first) / chunk.stride));
        for (let record = last; record > first; record -= every) {
          const a = offset + record, b = offset + Math.max(record - every, first);
          points.push(chunk.x[a] / 1000, chunk.y[a] / 1000, 0.025, chunk.x[b] / 1000, chunk.y[b] / 1000, 0.025);
        }
      }
    }
    this.trails.geometry.dispose();
    this.trails.geometry = new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
  }

  private setPath(loom: Loom, id: number) {
    const points: number[] = [];
    for (const index of [...loom.ready.keys()].sort((a, b) => a - b)) {
      const chunk = loom.ready.get(index)!;
      for (let track = 0; track < chunk.count; track++) {
        if (chunk.ids[track] !== id) continue;
        for (let sample = 0; sample < chunk.lengths[track]; sample += 3) {
          const at = chunk.offsets[track] + sample;
          points.push(chunk.x[at] / 1000, chunk.y[at] / 1000, 0.04);
        }
      }
    }
    this.path.geometry.dispose();
    this.path.geometry = new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
  }

  /** People for each square metre, spread by a Gaussian of 0.7 m (Helbing et al. 2007). */
  private setDensity(shown: Shown) {
    const { data, texture, columns, rows, side } = this.cells;
    const sums = new Float32Array(columns * rows);
    const spread = 0.7, reach = Math.ceil(2.2 / side);
    for (let slot = 0; slot < shown.count; slot++) {
      const x = (shown.place[slot * 4] - this.bounds.min.x) / side, y = (shown.place[slot * 4 + 1] - this.bounds.min.y) / side;
      for (let row = Math.max(0, Math.floor(y) - reach); row <= Math.min(rows - 1, Math.floor(y) + reach); row++) {
        for (let column = Math.max(0, Math.floor(x) - reach); column <= Math.min(columns - 1, Math.floor(x) + reach); column++) {
          const squared = ((column + 0.5 - x) ** 2 + (row + 0.5 - y) ** 2) * side * side;
          sums[row * columns + column] += Math.exp(-squared / (2 * spread * spread)) / (2 * Math.PI * spread * spread);
        }
      }
    }
    sums.forEach((value, cell) => {
      const colour = ramp(value / 2);
      data.set([colour.r * 255, colour.g * 255, colour.b * 255, Math.min(value * 500, 205)], cell * 4);
    });
    texture.needsUpdate = true;
  }
}
