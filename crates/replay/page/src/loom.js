// Reads run files (see crates/output/src/run): blocks of columns of whole numbers, inflated by the browser.
// Plain JavaScript, because the plain page uses it as it is.

/** @typedef {{kind: string, first: number, frames: number, load: () => Promise<Uint8Array>}} Block */

/** Frames of a run that pass between two frames of the clip of somebody who rests (BREATH_STRIDE of crates/motion). */
const BREATH_STRIDE = 6;

/** Inflates a whole block: 16 bytes of prefix, then zlib's format. */
export async function inflate(/** @type {Uint8Array} */ bytes) {
  const stream = new Blob([/** @type {any} */ (bytes.subarray(16))]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Reads numbers off the front of bytes: seven bits a byte, lowest first. */
class Numbers {
  constructor(/** @type {Uint8Array} */ bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }
  number() {
    let value = 0, factor = 1;
    for (;;) {
      const byte = this.bytes[this.at++];
      value += (byte & 127) * factor;
      if (byte < 128) return value;
      factor *= 128;
    }
  }
  signed() {
    const value = this.number();
    return value % 2 ? -(value + 1) / 2 : value / 2;
  }
  text() {
    const length = this.number();
    this.at += length;
    return new TextDecoder().decode(this.bytes.subarray(this.at - length, this.at));
  }
}

/** Columns in order, and whether values mostly stay as they are. */
const COLUMNS = /** @type {const} */ ([
  ["x", false], ["y", false], ["heading", false], ["speed", true], ["clip", true], ["phase", false], ["style", true], ["state", true],
  ["underClip", true], ["underPhase", true], ["underShare", true], ["feet", true],
  ["leftX", false], ["leftY", false], ["leftHeading", false], ["leftLift", true],
  ["rightX", false], ["rightY", false], ["rightHeading", false], ["rightLift", true], ["drop", true], ["look", false],
]);

/** Where everybody is in a stretch of frames: tracks point into columns that hold all samples. */
function emptyColumns(/** @type {number} */ total) {
  return {
    x: new Int32Array(total), y: new Int32Array(total), heading: new Uint16Array(total), speed: new Uint16Array(total),
    clip: new Uint16Array(total), phase: new Uint32Array(total), style: new Uint8Array(total), state: new Uint8Array(total),
    underClip: new Uint16Array(total), underPhase: new Uint32Array(total), underShare: new Uint8Array(total),
    feet: new Uint8Array(total), leftX: new Int32Array(total), leftY: new Int32Array(total), leftHeading: new Uint16Array(total),
    leftLift: new Int16Array(total), rightX: new Int32Array(total), rightY: new Int32Array(total), rightHeading: new Uint16Array(total),
    rightLift: new Int16Array(total), drop: new Int16Array(total), look: new Int16Array(total),
  };
}

/** What agents follow, as read: for each of `agents` a range of stretches, whose numbers are in `columns`. */
function decodeFollowing(/** @type {Numbers} */ numbers) {
  /** @type {{id: number, start: number, length: number, from: number, to: number}[]} */
  const agents = [];
  /** @type {number[]} */
  const counts = [];
  let id = 0;
  for (let left = numbers.number(); left > 0; left--) {
    id += numbers.signed();
    const start = numbers.number(), from = counts.length;
    let length = 0;
    for (let stretches = numbers.number(); stretches > 0; stretches--) {
      counts.push(numbers.number());
      length += counts[counts.length - 1];
    }
    agents.push({ id, start, length, from, to: counts.length });
  }
  const column = () => {
    const values = new Float64Array(counts.length);
    for (const { from, to } of agents) for (let at = from, last = 0; at < to; at++) values[at] = last += numbers.signed();
    return values;
  };
  const columns = {
    clip: column(), began: column(), frames: column(), x: column(), y: column(), heading: column(), speed: column(), style: column(), state: column(),
  };
  return { agents, counts, columns };
}

/** Writes where an agent is that follows clips, from `at` on. */
function follow(
  /** @type {ReturnType<typeof emptyColumns>} */ into, /** @type {number} */ at, /** @type {ReturnType<typeof decodeFollowing>} */ following,
  /** @type {{start: number, from: number, to: number}} */ agent, /** @type {number} */ stride, /** @type {Map<number, any>} */ clips,
) {
  const { counts, columns } = following;
  const turn = 2 * Math.PI;
  let record = agent.start;
  for (let stretch = agent.from; stretch < agent.to; stretch++) {
    const clip = clips.get(columns.clip[stretch]);
    const last = clip ? clip.frames - 1 : 0;
    const frames = Math.max(1, columns.frames[stretch]);
    const [x, y, heading] = [columns.x[stretch] / 10, columns.y[stretch] / 10, columns.heading[stretch] / 10000];
    const [sin, cos] = [Math.sin(heading), Math.cos(heading)];
    for (let left = counts[stretch]; left > 0; left--, record++, at++) {
      const elapsed = Math.min(Math.max(0, record * stride - columns.began[stretch]), frames);
      // Who rests breathes: the clip goes round, slowly.
      const rested = Math.max(0, record * stride - columns.began[stretch]);
      const phase = columns.frames[stretch] === 0 ? (last > 0 ? (rested / BREATH_STRIDE) % last : 0) : (elapsed * last) / frames;
      const before = Math.max(0, Math.min(Math.floor(phase), last - 1)), after = Math.min(before + 1, last), t = phase - before;
      let [ahead, aside, turned] = [0, 0, 0];
      if (clip) {
        ahead = (clip.x[before] + (clip.x[after] - clip.x[before]) * t) * 1000;
        aside = (clip.y[before] + (clip.y[after] - clip.y[before]) * t) * 1000;
        const change = clip.heading[after] - clip.heading[before];
        turned = clip.heading[before] + (change - turn * Math.round(change / turn)) * t;
      }
      into.x[at] = Math.round(x + cos * ahead - sin * aside);
      into.y[at] = Math.round(y + sin * ahead + cos * aside);
      into.heading[at] = Math.round(((heading + turned) / turn) * 65536);
      into.speed[at] = columns.speed[stretch];
      into.clip[at] = columns.clip[stretch];
      into.phase[at] = Math.round(phase * 64);
      into.style[at] = columns.style[stretch];
      into.state[at] = columns.state[stretch];
    }
  }
}

/** A stretch of frames; `clips` are those that agents may follow. */
function decodeChunk(/** @type {Uint8Array} */ bytes, /** @type {Map<number, any>} */ clips) {
  const numbers = new Numbers(bytes);
  const first = numbers.number(), stride = numbers.number(), records = numbers.number(), sampled = numbers.number();
  /** @type {{id: number, start: number, length: number}[]} */
  const tracks = [];
  let id = 0, total = 0;
  for (let track = 0; track < sampled; track++) {
    tracks.push({ id: id += numbers.signed(), start: numbers.number(), length: numbers.number() });
    total += tracks[track].length;
  }
  let columns = emptyColumns(total);
  for (const [name, stays] of COLUMNS) {
    const column = columns[name];
    const length = numbers.number();
    const values = new Numbers(bytes, numbers.at);
    numbers.at += length;
    for (let track = 0, at = 0; track < sampled; track++) {
      let last = 0, change = 0;
      if (stays) {
        for (const end = at + tracks[track].length; at < end;) {
          last += values.signed();
          const length = values.number();
          column.fill(last, at, at += length);
        }
        continue;
      }
      for (let sample = 0; sample < tracks[track].length; sample++) {
        const value = values.signed() + last + change;
        change = sample > 0 ? value - last : 0;
        last = value;
        column[at++] = value;
      }
    }
  }
  /** @type {Map<number, string>} */
  const notes = new Map();
  for (let left = numbers.number(); left > 0; left--) {
    const agent = numbers.number();
    notes.set(agent, numbers.text());
  }
  const signals = [];
  for (let left = numbers.number(); left > 0; left--) {
    signals.push({ record: numbers.number(), signal: numbers.number(), value: numbers.number() });
  }
  const following = decodeFollowing(numbers);
  const vehicles = [];
  for (let left = numbers.number(); left > 0; left--) {
    const [record, vehicle, open] = [numbers.number(), numbers.number(), numbers.number() === 1];
    vehicles.push({ record, vehicle, open, x: numbers.signed() / 1000, y: numbers.signed() / 1000, heading: numbers.signed() / 10000 });
  }
  if (following.agents.length > 0) {
    let at = total;
    total += following.agents.reduce((sum, agent) => sum + agent.length, 0);
    const all = emptyColumns(total);
    for (const [name] of COLUMNS) all[name].set(columns[name]);
    columns = all;
    for (const agent of following.agents) {
      follow(columns, at, following, agent, stride, clips);
      tracks.push(agent);
      at += agent.length;
    }
  }
  const count = tracks.length;
  const ids = new Uint32Array(count), starts = new Uint32Array(count), lengths = new Uint32Array(count), offsets = new Uint32Array(count);
  tracks.forEach(({ id, start, length }, track) => {
    ids[track] = id;
    starts[track] = start;
    lengths[track] = length;
    offsets[track] = track > 0 ? offsets[track - 1] + lengths[track - 1] : 0;
  });
  return { first, stride, records, count, ids, starts, lengths, offsets, ...columns, notes, signals, vehicles };
}

/** Motions of clips: for each frame the root's place, heading and height, and four numbers a joint. */
export function decodeClips(/** @type {Uint8Array} */ bytes) {
  const numbers = new Numbers(bytes);
  const clips = [];
  for (let left = numbers.number(); left > 0; left--) {
    const number = numbers.number(), frames = numbers.number(), joints = numbers.number();
    const column = (/** @type {number} */ unit) => {
      const values = new Float32Array(frames);
      let last = 0, change = 0;
      for (let frame = 0; frame < frames; frame++) {
        const value = numbers.signed() + last + change;
        change = frame > 0 ? value - last : 0;
        last = value;
        values[frame] = value / unit;
      }
      return values;
    };
    const x = column(10000), y = column(10000), heading = column(10000), heights = column(10000);
    column(1); column(1);
    const rotations = new Float32Array(frames * joints * 4);
    for (let joint = 0; joint < joints; joint++) {
      for (let part = 0; part < 4; part++) {
        column(32767).forEach((value, frame) => { rotations[(frame * joints + joint) * 4 + part] = value; });
      }
    }
    clips.push({ number, frames, joints, x, y, heading, heights, rotations });
  }
  return clips;
}

/** The blocks that the page carries, or those that its server has. */
async function findBlocks() {
  const decode = (/** @type {string} */ text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = document.querySelector('script[type="text/loom-stream"]');
  if (stream) {
    const list = await (await fetch(stream.textContent ?? "")).json();
    return list.map((/** @type {any} */ info, /** @type {number} */ index) => ({
      ...info,
      load: async () => new Uint8Array(await (await fetch(`block/${index}`)).arrayBuffer()),
    }));
  }
  return [...document.querySelectorAll('script[type="text/loom"]')].map((element) => {
    const data = /** @type {HTMLElement} */ (element).dataset;
    return {
      kind: data.kind ?? "", first: Number(data.first), frames: Number(data.frames),
      load: async () => decode(element.textContent ?? ""),
    };
  });
}

/** A run: its header, its clips, and its chunks as they are asked for. */
export class Loom {
  constructor(/** @type {any} */ header, /** @type {any[]} */ clips, /** @type {Block[]} */ chunks) {
    this.header = header;
    this.clips = clips;
    this.clipOf = new Map(clips.map((clip) => [clip.number, clip]));
    this.chunks = chunks;
    this.start = chunks.length ? chunks[0].first : 0;
    const last = chunks.at(-1);
    this.end = last ? last.first + last.frames - header.stride : 0;
    this.seconds = Math.max(0, this.end - this.start) / header.frame_rate;
    /** @type {Map<number, ReturnType<typeof decodeChunk>>} */
    this.ready = new Map();
    /** @type {Map<number, Promise<void>>} */
    this.loading = new Map();
    /** What is known about agents: number of the chunk that said so, and text. */
    this.about = new Map();
  }

  static async open() {
    const blocks = /** @type {Block[]} */ (await findBlocks());
    const first = blocks.find((block) => block.kind === "H");
    if (!first) throw new Error("This page carries no run.");
    const header = JSON.parse(new TextDecoder().decode(await inflate(await first.load())));
    // Who came to look otherwise, and where boxes were carried, is told at the end.
    const last = blocks.find((block) => block.kind === "E");
    const end = last ? JSON.parse(new TextDecoder().decode(await inflate(await last.load()))) : {};
    [header.looks, header.parcels, header.appearances] = [end.looks, end.parcels ?? [], end.appearances ?? []];
    const clips = [];
    for (const block of blocks.filter((each) => each.kind === "C")) clips.push(...decodeClips(await inflate(await block.load())));
    return new Loom(header, clips, blocks.filter((block) => block.kind === "F"));
  }

  /** The number of the chunk that holds a frame. */
  chunkOf(/** @type {number} */ frame) {
    let low = 0, high = this.chunks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.chunks[middle].first <= frame) low = middle; else high = middle - 1;
    }
    return low;
  }

  /** A chunk if it is there; it is fetched if it is not, and so is the next. */
  chunk(/** @type {number} */ index) {
    this.fetch(index + 1);
    const chunk = this.ready.get(index);
    if (!chunk) this.fetch(index);
    return chunk;
  }

  fetch(/** @type {number} */ index) {
    if (index < 0 || index >= this.chunks.length || this.ready.has(index)) return Promise.resolve();
    let promise = this.loading.get(index);
    if (!promise) {
      promise = this.chunks[index].load().then(inflate).then((bytes) => {
        const chunk = decodeChunk(bytes, this.clipOf);
        for (const [id, text] of chunk.notes) {
          const known = this.about.get(id) ?? [];
          known.push([chunk.first, text]);
          known.sort((/** @type {any} */ a, /** @type {any} */ b) => a[0] - b[0]);
          this.about.set(id, known);
        }
        chunk.notes.clear();
        this.ready.set(index, chunk);
        // A few are kept, those farthest away in time are let go.
        if (this.ready.size > 12) {
          const far = [...this.ready.keys()].sort((a, b) => Math.abs(b - index) - Math.abs(a - index))[0];
          this.ready.delete(far);
        }
      }).finally(() => this.loading.delete(index));
      this.loading.set(index, promise);
    }
    return promise;
  }

  /** Who an agent is and what it is doing, as last said before a frame. */
  aboutAgent(/** @type {number} */ id, /** @type {number} */ frame) {
    const known = (this.about.get(id) ?? []).filter((/** @type {any} */ entry) => entry[0] <= frame);
    return known.length ? known.at(-1)[1] : "";
  }
}
