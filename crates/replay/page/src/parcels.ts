// Boxes that people pick up, carry, hand over and put down (see crates/output/src/run/parcels.rs).
import * as THREE from "three";
import type { PoseTexture } from "./bodies";
import { wrists } from "./carriage";
import type { Shown } from "./crowd";
import { propsGroup } from "./props";

interface Stage { frame: number; holder?: number | null; at: [number, number]; heading: number }
export interface Parcel { size: [number, number, number]; stages: Stage[] }

/** Metres from the middle between the wrists to the middle of a box, ahead and up, and seconds in which it goes from place to place. */
const AHEAD = 0.10, UP = -0.05, GOES_OVER = 0.25;

export class Parcels {
  readonly group = new THREE.Group();
  private readonly wrists = wrists();
  private readonly left = new THREE.Vector3();
  private readonly right = new THREE.Vector3();

  constructor(private readonly parcels: Parcel[], private readonly poses: PoseTexture, private readonly frameRate: number) {
    for (const { size } of parcels) this.group.add(propsGroup([{ kind: "box", at: [0, 0], heading: 0, size }]));
  }

  /** Where a box is in a stage: place, and the way it faces. */
  private place({ size }: Parcel, stage: Stage, shown: Shown): [number, number, number, number] {
    const holder = stage.holder;
    let slot = 0;
    while (slot < shown.count && shown.id[slot] !== holder) slot++;
    if (holder === undefined || holder === null || slot === shown.count || !this.wrists) return [...stage.at, size[2] / 2, stage.heading];
    const [left, right] = [this.left, this.right].map((out, side) => this.poses.jointAt(this.wrists![side], shown.clip[slot], shown.phase[slot], out));
    const [x, y, heading, scale] = shown.place.subarray(slot * 4, slot * 4 + 4);
    const ahead = ((left.x + right.x) / 2 + AHEAD) * scale, aside = (left.y + right.y) / 2 * scale;
    const up = Math.max(((left.z + right.z) / 2 + UP) * scale, size[2] / 2);
    return [x + Math.cos(heading) * ahead - Math.sin(heading) * aside, y + Math.sin(heading) * ahead + Math.cos(heading) * aside, up, heading];
  }

  /** Puts all boxes where they are in a frame; after the crowd was updated, which tells how tall people are. */
  update(shown: Shown, frame: number) {
    this.parcels.forEach((parcel, index) => {
      const { stages, size } = parcel;
      let now = stages.length - 1;
      while (now > 0 && stages[now].frame > frame) now--;
      let [x, y, z, heading] = this.place(parcel, stages[now], shown);
      const over = (frame - stages[now].frame) / (this.frameRate * GOES_OVER);
      if (now > 0 && over < 1) {
        const [fromX, fromY, fromZ, before] = this.place(parcel, stages[now - 1], shown);
        const share = over * over * (3 - 2 * over), turn = heading - before;
        [x, y, z] = [fromX + (x - fromX) * share, fromY + (y - fromY) * share, fromZ + (z - fromZ) * share];
        heading = before + (turn - 2 * Math.PI * Math.round(turn / (2 * Math.PI))) * share;
      }
      this.group.children[index].position.set(x, y, z - size[2] / 2);
      this.group.children[index].rotation.z = heading;
    });
  }
}
