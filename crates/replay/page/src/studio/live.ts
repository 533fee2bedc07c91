// Everybody between the last two frames that came.
import { emptyShown, type Shown } from "../crowd";
import type { VehicleMoment } from "../vehicles";

const HEAD = 32, RECORD = 20, FADE = 12, VEHICLE = 16, STANCE = 24;

/** A frame as it came (see crates/studio/src/frame.rs). */
export class Frame {
  readonly generation: number;
  readonly frame: number;
  readonly count: number;
  readonly took: number;
  readonly view: DataView;
  private readonly fades: number;
  private readonly signalCount: number;
  private readonly vehicleCount: number;
  /** When it came. */
  readonly at = performance.now();
  private places: Map<number, number> | null = null;
  private standing: Map<number, number> | null = null;

  constructor(bytes: ArrayBuffer) {
    this.view = new DataView(bytes);
    const word = (index: number) => this.view.getUint32(index * 4, true);
    [this.generation, this.frame, this.count, this.fades, this.signalCount, this.vehicleCount, this.took] = [1, 2, 3, 4, 5, 6, 7].map(word);
  }

  id(index: number): number { return this.view.getUint32(HEAD + index * RECORD, true) & 0xffffff; }
  /** The number of its style among those that the scene tells. */
  style(index: number): number { return this.view.getUint8(HEAD + index * RECORD + 3); }

  /** Where somebody's record begins, by number; -1 of who is not there. Numbers ascend. */
  find(id: number): number {
    if (!this.places) {
      this.places = new Map();
      for (let index = 0; index < this.count; index++) this.places.set(this.id(index), index);
    }
    return this.places.get(id) ?? -1;
  }

  metres(index: number, axis: 0 | 1, corner: [number, number]): number {
    const at = HEAD + index * RECORD + 4 + axis * 3;
    return (this.view.getUint16(at, true) + this.view.getUint8(at + 2) * 65536) / 1000 + corner[axis];
  }
  heading(index: number): number { return (this.view.getUint16(HEAD + index * RECORD + 10, true) / 65536) * 2 * Math.PI; }
  clip(index: number): number { return this.view.getUint16(HEAD + index * RECORD + 12, true); }
  phase(index: number): number { return this.view.getUint16(HEAD + index * RECORD + 14, true) / 16; }
  state(index: number): number { return this.view.getUint8(HEAD + index * RECORD + 16); }
  speed(index: number): number { return this.view.getUint8(HEAD + index * RECORD + 17) / 25; }
  waiting(index: number): number { return this.view.getUint8(HEAD + index * RECORD + 18); }
  /** The number of a situation plus one, or 0. */
  situation(index: number): number { return this.view.getUint8(HEAD + index * RECORD + 19); }

  signals(): number[] {
    const at = HEAD + this.count * RECORD + this.fades * FADE;
    return Array.from({ length: this.signalCount }, (_, index) => this.view.getUint8(at + index));
  }

  vehicles(): VehicleMoment[] {
    const start = HEAD + this.count * RECORD + this.fades * FADE + Math.ceil(this.signalCount / 4) * 4;
    return Array.from({ length: this.vehicleCount }, (_, index) => {
      const at = start + index * VEHICLE, float = (offset: number) => this.view.getFloat32(at + offset, true);
      return { vehicle: this.view.getUint16(at, true), open: this.view.getUint16(at + 2, true) === 1, x: float(4), y: float(8), heading: float(12) };
    });
  }

  /** Where the stance of everybody who has one begins, by index. */
  stances(): Map<number, number> {
    if (!this.standing) {
      this.standing = new Map();
      const start = HEAD + this.count * RECORD + this.fades * FADE + Math.ceil(this.signalCount / 4) * 4 + this.vehicleCount * VEHICLE;
      for (let at = start; at + STANCE <= this.view.byteLength; at += STANCE) this.standing.set(this.view.getUint32(at, true), at + 4);
    }
    return this.standing;
  }

  eachFade(tell: (index: number, clip: number, phase: number, share: number) => void) {
    for (let fade = 0; fade < this.fades; fade++) {
      const at = HEAD + this.count * RECORD + fade * FADE;
      tell(this.view.getUint32(at, true), this.view.getUint16(at + 4, true), this.view.getUint16(at + 6, true) / 16, this.view.getUint8(at + 8) / 255);
    }
  }
}

/** Farther than this in metres nobody goes between two frames: it was put elsewhere. */
const LEAP = 1.5;

export class Live {
  shown: Shown;
  before: Frame | null = null;
  now: Frame | null = null;
  looks = new Map<number, number>();
  sizes = new Map<number, number>();
  /** What those wear who were dressed anew. */
  dresses = new Map<number, string>();
  corner: [number, number] = [0, 0];

  constructor(public capacity: number) {
    this.shown = emptyShown(capacity);
    this.shown.looks = new Uint32Array(capacity);
    this.shown.size = new Float32Array(capacity).fill(1);
  }

  take(frame: Frame) {
    const goesOn = this.now && this.now.generation === frame.generation && frame.frame > this.now.frame && frame.frame - this.now.frame <= 30;
    // A frame that was told twice is no time that has passed.
    if (this.now && frame.frame === this.now.frame && this.now.generation === frame.generation) { this.now = frame; return; }
    this.before = goesOn ? this.now : null;
    this.now = frame;
  }

  /** Where feet and head of the one at `index` are, who was at `last` in the frame before and whose root is shown at x, y. */
  private stand(index: number, x: number, y: number, last: number, t: number) {
    const { left, right, bearing } = this.shown.stances;
    const now = this.now!, at = now.stances().get(index);
    bearing[index * 3 + 2] = at === undefined ? 0 : 1;
    if (at === undefined) return;
    const earlier = this.before && last >= 0 ? this.before.stances().get(last) : undefined;
    const part = earlier === undefined ? 1 : t;
    // Feet are told from the root: where they are in the world is what stays.
    const world = (frame: Frame, own: number, offset: number, axis: 0 | 1, person: number) =>
      frame.metres(person, axis, this.corner) + frame.view.getInt16(own + offset, true) / 1000;
    const place = (offset: number, axis: 0 | 1) => {
      const there = world(now, at, offset, axis, index);
      return earlier === undefined ? there : there + (world(this.before!, earlier, offset, axis, last) - there) * (1 - part);
    };
    const number = (offset: number, turns: boolean) => {
      const to = now.view.getInt16(at + offset, true);
      let change = earlier === undefined ? 0 : this.before!.view.getInt16(earlier + offset, true) - to;
      if (turns) change -= 65536 * Math.round(change / 65536);
      return to + change * (1 - part);
    };
    [left, right].forEach((foot, side) => {
      const offset = side * 8;
      foot[index * 4] = place(offset, 0);
      foot[index * 4 + 1] = place(offset + 2, 1);
      foot[index * 4 + 2] = number(offset + 4, true) / 32768 * Math.PI;
      foot[index * 4 + 3] = number(offset + 6, false) / 1000;
    });
    bearing[index * 3] = number(16, false) / 1000;
    bearing[index * 3 + 1] = number(18, true) / 32768 * Math.PI;
    // A body that is shown between two frames stands between them, too.
    if (Math.hypot(left[index * 4] - x, left[index * 4 + 1] - y) > LEAP) bearing[index * 3 + 2] = 0;
  }

  /** Fills `shown` for this moment; false while there is nothing. */
  sample(moment: number): boolean {
    const { now, before, shown, corner } = this;
    if (!now) return false;
    const span = before ? Math.min(now.at - before.at, 250) : 0;
    const t = before && span > 0 ? Math.min(Math.max((moment - now.at) / span, 0), 1) : 1;
    const count = Math.min(now.count, this.capacity);
    for (let index = 0; index < count; index++) {
      const id = now.id(index), four = index * 4;
      let x = now.metres(index, 0, corner), y = now.metres(index, 1, corner), heading = now.heading(index), phase = now.phase(index);
      const last = before && t < 1 ? before.find(id) : -1;
      if (before && last >= 0) {
        const fromX = before.metres(last, 0, corner), fromY = before.metres(last, 1, corner);
        if (Math.hypot(x - fromX, y - fromY) < LEAP * Math.max(1, (now.frame - before.frame) / 4)) {
          let turn = heading - before.heading(last);
          turn -= 2 * Math.PI * Math.round(turn / (2 * Math.PI));
          heading -= turn * (1 - t);
          x += (fromX - x) * (1 - t);
          y += (fromY - y) * (1 - t);
          const from = before.phase(last);
          if (before.clip(last) === now.clip(index) && from < phase) phase += (from - phase) * (1 - t);
        }
      }
      const looks = this.looks.get(id) ?? id;
      shown.id[index] = id;
      shown.looks![index] = looks;
      shown.size![index] = this.sizes.get(id) ?? 1;
      shown.place[four] = x;
      shown.place[four + 1] = y;
      shown.place[four + 2] = heading;
      shown.place[four + 3] = 1;
      shown.clip[index] = now.clip(index);
      shown.phase[index] = phase;
      shown.speed[index] = now.speed(index);
      shown.state[index] = now.state(index);
      shown.underShare[index] = 0;
      this.stand(index, x, y, last, t);
    }
    now.eachFade((index, clip, phase, share) => {
      if (index >= count) return;
      shown.underClip[index] = clip;
      shown.underPhase[index] = phase;
      shown.underShare[index] = share;
    });
    shown.count = count;
    return true;
  }
}
