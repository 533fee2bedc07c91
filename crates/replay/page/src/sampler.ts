// Everybody at a moment between two recorded frames.
import { emptyShown, type Shown } from "./crowd";
import type { Loom } from "./loom.js";
import type { VehicleMoment } from "./vehicles";

type Chunk = NonNullable<ReturnType<Loom["chunk"]>>;

export class Sampler {
  readonly shown: Shown;
  private heads: { chunk: Chunk | null; at: Map<number, number> } = { chunk: null, at: new Map() };

  constructor(private readonly loom: Loom, readonly capacity: number) {
    this.shown = emptyShown(capacity);
  }

  /** Where agents start the next chunk: the last moment of one leads over to the first of the next. */
  private headOf(next: Chunk | undefined, id: number): number {
    if (!next) return -1;
    if (this.heads.chunk !== next) {
      this.heads = { chunk: next, at: new Map() };
      for (let track = 0; track < next.count; track++) if (next.starts[track] === 0) this.heads.at.set(next.ids[track], next.offsets[track]);
    }
    return this.heads.at.get(id) ?? -1;
  }

  /** Fills `shown` for a frame with its fraction; false while the frames are not there yet. */
  sample(frame: number): boolean {
    const index = this.loom.chunkOf(frame);
    const chunk = this.loom.chunk(index);
    if (!chunk) return false;
    const next = this.loom.ready.get(index + 1);
    const place = Math.min(Math.max((frame - chunk.first) / chunk.stride, 0), chunk.records - 1e-3);
    const record = Math.floor(place), t = place - record;
    const { shown } = this;
    let count = 0;
    for (let track = 0; track < chunk.count && count < this.capacity; track++) {
      const sample = record - chunk.starts[track];
      if (sample < 0 || sample >= chunk.lengths[track]) continue;
      const a = chunk.offsets[track] + sample, id = chunk.ids[track];
      let source = chunk, b = sample + 1 < chunk.lengths[track] ? a + 1 : a;
      if (b === a && record === chunk.records - 1) {
        const head = this.headOf(next, id);
        if (head >= 0 && next) [source, b] = [next, head];
      }
      let turn = source.heading[b] - chunk.heading[a];
      if (turn > 32768) turn -= 65536; else if (turn < -32768) turn += 65536;
      const four = count * 4;
      shown.id[count] = id;
      shown.place[four] = (chunk.x[a] + (source.x[b] - chunk.x[a]) * t) / 1000;
      shown.place[four + 1] = (chunk.y[a] + (source.y[b] - chunk.y[a]) * t) / 1000;
      shown.place[four + 2] = ((chunk.heading[a] + turn * t) / 32768) * Math.PI;
      shown.place[four + 3] = 1;
      shown.clip[count] = chunk.clip[a];
      const goesOn = source.clip[b] === chunk.clip[a] && source.phase[b] > chunk.phase[a];
      shown.phase[count] = (chunk.phase[a] + (goesOn ? (source.phase[b] - chunk.phase[a]) * t : 0)) / 64;
      shown.speed[count] = chunk.speed[a] / 1000;
      shown.style[count] = chunk.style[a];
      shown.state[count] = chunk.state[a];
      shown.underClip[count] = chunk.underClip[a];
      shown.underPhase[count] = chunk.underPhase[a] / 64;
      shown.underShare[count] = (chunk.underShare[a] + (source.underShare[b] - chunk.underShare[a]) * t) / 255;
      this.stand(count, chunk, a, source, b, t);
      count++;
    }
    shown.count = count;
    return true;
  }

  /** Where feet and head of the one in slot `slot` are between the samples `a` and `b`. */
  private stand(slot: number, chunk: Chunk, a: number, source: Chunk, b: number, t: number) {
    const { left, right, bearing } = this.shown.stances;
    const stands = chunk.feet[a] & 1;
    bearing[slot * 3 + 2] = stands;
    if (!stands) return;
    // Who no longer stands so in the next sample keeps the stance until then.
    const part = source.feet[b] & 1 ? t : 0;
    const between = (from: number, to: number) => from + (to - from) * part;
    const turned = (from: number, to: number) => between(from, to + 65536 * Math.round((from - to) / 65536)) / 32768 * Math.PI;
    left[slot * 4] = between(chunk.leftX[a], source.leftX[b]) / 1000;
    left[slot * 4 + 1] = between(chunk.leftY[a], source.leftY[b]) / 1000;
    left[slot * 4 + 2] = turned(chunk.leftHeading[a], source.leftHeading[b]);
    left[slot * 4 + 3] = between(chunk.leftLift[a], source.leftLift[b]) / 1000;
    right[slot * 4] = between(chunk.rightX[a], source.rightX[b]) / 1000;
    right[slot * 4 + 1] = between(chunk.rightY[a], source.rightY[b]) / 1000;
    right[slot * 4 + 2] = turned(chunk.rightHeading[a], source.rightHeading[b]);
    right[slot * 4 + 3] = between(chunk.rightLift[a], source.rightLift[b]) / 1000;
    bearing[slot * 3] = between(chunk.drop[a], source.drop[b]) / 1000;
    bearing[slot * 3 + 1] = between(chunk.look[a], source.look[b]) / 32768 * Math.PI;
  }

  /** Vehicles that are on their way in a frame with its fraction. */
  vehicles(frame: number): VehicleMoment[] {
    const index = this.loom.chunkOf(frame);
    const chunk = this.loom.ready.get(index), next = this.loom.ready.get(index + 1);
    if (!chunk) return [];
    const place = Math.min(Math.max((frame - chunk.first) / chunk.stride, 0), chunk.records - 1e-3);
    const record = Math.floor(place), t = place - record;
    const after = record + 1 < chunk.records ? chunk.vehicles.filter((each) => each.record === record + 1) : (next?.vehicles ?? []).filter((each) => each.record === 0);
    return chunk.vehicles.filter((each) => each.record === record).map((now) => {
      const then = after.find((each) => each.vehicle === now.vehicle) ?? now;
      const turn = then.heading - now.heading;
      return {
        ...now,
        x: now.x + (then.x - now.x) * t,
        y: now.y + (then.y - now.y) * t,
        heading: now.heading + (turn - 2 * Math.PI * Math.round(turn / (2 * Math.PI))) * t,
      };
    });
  }

  /** Values of the signals in a frame. */
  signals(frame: number): number[] {
    const chunk = this.loom.ready.get(this.loom.chunkOf(frame));
    const values: number[] = [];
    for (const change of chunk?.signals ?? []) if (chunk!.first + change.record * chunk!.stride <= frame) values[change.signal] = change.value;
    return values;
  }
}
