// Bodies and people that the page carries, and the texture that poses them.
import * as THREE from "three";
import { seatedClip } from "./carriage";

/** What a piece is for, by number. */
export enum Slot { Skin, Hair, Beard, Top, Bottom, Shoes, Hat, Eyes, Neck, Back, Shoulder, LeftHand, RightHand }

interface Level { points: number; joints: Uint8Array; weights: Uint8Array; regions: Uint8Array; paint: Int16Array; places: Int16Array[]; normals: Int8Array[]; triangles: Uint16Array }

/** A piece that people are put together from: skin, hair, clothes, accessories. */
export interface Piece { name: string; slot: Slot; covers: number; levels: Level[] }

/** Bytes of a person, as crates/bodies packs them, and where in them things are. */
export const PERSON_BYTES = 76, TEXELS = PERSON_BYTES / 4;
const PIECES = 1, SCALE = 13, COLOURS = 40;
/** People in a row of the texture. */
const ACROSS = 53;
/** The colour of the upper part's clothes among all of a person. */
export const TOP = 4;

class Bytes {
  at = 0;
  private readonly view: DataView;
  constructor(private readonly bytes: Uint8Array) { this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength); }
  byte() { return this.bytes[this.at++]; }
  short() { this.at += 2; return this.view.getUint16(this.at - 2, true); }
  float() { this.at += 4; return this.view.getFloat32(this.at - 4, true); }
  bytesOf(count: number) { this.at += count; return this.bytes.slice(this.at - count, this.at); }
}

async function unpacked(kind: string): Promise<Uint8Array> {
  const text = document.querySelector(`script[type="text/${kind}"]`)?.textContent ?? "";
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** All pieces on all templates, and everybody who wears them. */
export class Wardrobe {
  readonly pieces: Piece[] = [];
  readonly templates: number;
  /** For each joint its place at rest, and its part with the way that its bone lies. */
  readonly joints: { at: THREE.Vector3; part: number }[] = [];
  /** Joints of the left and right ankle, the left hip and the head. */
  readonly ankles: [number, number];
  readonly hip: number;
  readonly head: number;
  /** How many people the page came with. */
  readonly count: number;
  /** How many there are before those who are others in other looks. */
  readonly usual: number;
  texture!: THREE.DataTexture;
  /** How many people there are with those who were told since. */
  private told = 0;
  private readonly made = new Map<string, THREE.BufferGeometry | null>();

  /** Reads all that the page carries; the last `changed` people are others once more, in other looks. */
  static async read(changed = 0): Promise<Wardrobe> {
    return new Wardrobe(await unpacked("bodies"), await unpacked("people"), changed);
  }

  private constructor(bodies: Uint8Array, private people: Uint8Array, changed: number) {
    const from = new Bytes(bodies);
    this.templates = from.byte();
    for (let left = from.byte(); left > 0; left--) {
      const part = from.byte();
      this.joints.push({ part, at: new THREE.Vector3(from.float(), from.float(), from.float()) });
    }
    this.ankles = [from.byte(), from.byte()];
    this.hip = from.byte();
    this.head = from.byte();
    for (let left = from.short(); left > 0; left--) {
      const name = new TextDecoder().decode(from.bytesOf(from.byte()));
      const [slot, covers] = [from.byte(), from.byte()];
      const levels = [0, 1, 2].map((): Level => {
        const points = from.short(), triangles = from.short();
        const joints = from.bytesOf(points * 4), weights = from.bytesOf(points * 4), regions = from.bytesOf(points);
        const paint = new Int16Array(from.bytesOf(points * 6).buffer);
        const places: Int16Array[] = [], normals: Int8Array[] = [];
        for (let template = 0; template < this.templates; template++) {
          places.push(new Int16Array(from.bytesOf(points * 6).buffer));
          normals.push(new Int8Array(from.bytesOf(points * 3).buffer));
        }
        return { points, joints, weights, regions, paint, places, normals, triangles: new Uint16Array(from.bytesOf(triangles * 6).buffer) };
      });
      this.pieces.push({ name, slot, covers, levels });
    }
    this.count = Math.max(1, Math.floor(people.length / PERSON_BYTES));
    this.usual = Math.max(1, this.count - changed);
    this.makeRoom(this.count);
  }

  /** Room for the facts about as many people, and those who are known. */
  private makeRoom(count: number) {
    const height = Math.ceil(count / ACROSS), texels = new Uint8Array(ACROSS * TEXELS * 4 * height);
    texels.set(this.people.subarray(0, Math.min(this.people.length, texels.length)));
    this.people = texels;
    this.texture?.dispose();
    this.texture = new THREE.DataTexture(texels, ACROSS * TEXELS, height, THREE.RGBAFormat, THREE.UnsignedByteType);
    this.texture.needsUpdate = true;
  }

  /** Lets go of all who were told of after the page came. */
  forgetTold() { this.told = 0; }

  /** Where the facts about somebody are who was told of after the page came, `person` where it is known already. */
  tell(facts: Uint8Array, person = this.count + this.told++): number {
    if ((person + 1) * PERSON_BYTES > this.people.length) this.makeRoom(Math.ceil(person * 1.5));
    this.people.set(facts, person * PERSON_BYTES);
    this.texture.needsUpdate = true;
    return person;
  }

  /** Where the facts about somebody are: pages carry as many people as the run has. */
  personOf(number: number): number { return number % this.usual; }
  template(person: number): number { return this.people[person * PERSON_BYTES] ?? 0; }
  scale(person: number): number {
    const at = person * PERSON_BYTES + SCALE;
    return (this.people[at] + this.people[at + 1] * 256) / 20000 || 1;
  }
  /** The numbers of the pieces that somebody wears, skin not among them. */
  worn(person: number): number[] {
    const at = person * PERSON_BYTES + PIECES;
    return [...this.people.subarray(at, at + 12)].filter((piece) => piece !== 255);
  }
  /** Whether somebody sits in what it has. */
  seated(person: number): boolean { return this.people[person * PERSON_BYTES + 75] === 1; }
  /** Those of whom the upper part is dressed most nearly in a colour, the nearest first. */
  dressedIn([r, g, b]: [number, number, number], count: number): number[] {
    const away = (person: number) => { const [x, y, z] = this.colour(person, TOP); return (x - r) ** 2 + (y - g) ** 2 + (z - b) ** 2; };
    const all = Array.from({ length: this.count }, (_, person) => ({ person, gap: away(person) }));
    return all.sort((one, other) => one.gap - other.gap).slice(0, count).map(({ person }) => person);
  }
  colour(person: number, which: number): [number, number, number] {
    const at = person * PERSON_BYTES + COLOURS + which * 3;
    return [this.people[at], this.people[at + 1], this.people[at + 2]];
  }

  /** A piece on a template in a detail; none where it is not worth drawing. */
  geometry(piece: number, template: number, detail: number): THREE.BufferGeometry | null {
    const key = `${piece} ${template} ${detail}`;
    let made = this.made.get(key);
    if (made === undefined) this.made.set(key, made = this.make(this.pieces[piece].levels[detail], template));
    return made;
  }

  private make(level: Level, template: number): THREE.BufferGeometry | null {
    if (level.triangles.length === 0) return null;
    const geometry = new THREE.BufferGeometry();
    const position = Float32Array.from(level.places[template], (value) => value * 0.0001);
    const facing = new Int8Array(level.points * 4);
    for (let point = 0; point < level.points; point++) {
      for (let axis = 0; axis < 3; axis++) facing[point * 4 + axis] = level.normals[template][point * 3 + axis];
      facing[point * 4 + 3] = level.regions[point];
    }
    geometry.setAttribute("position", new THREE.BufferAttribute(position, 3));
    geometry.setAttribute("facing", new THREE.BufferAttribute(facing, 4));
    geometry.setAttribute("paint", new THREE.BufferAttribute(Float32Array.from(level.paint, (value) => value * 0.0001), 3));
    geometry.setAttribute("joints", new THREE.BufferAttribute(level.joints, 4));
    geometry.setAttribute("weights", new THREE.BufferAttribute(level.weights, 4, true));
    geometry.setIndex(new THREE.BufferAttribute(level.triangles, 1));
    return geometry;
  }
}
export interface Clip { number: number; frames: number; joints: number; heights: Float32Array; rotations: Float32Array }
export interface Joint { name: string; parent: number | null; offset: [number, number, number] }

/** Joint matrices of every frame of every clip: three texels (rows) a joint. It grows as clips come. */
export class PoseTexture {
  texture!: THREE.DataTexture;
  readonly joints: number;
  /** First row and number of frames of each clip. */
  private readonly rows = new Map<number, [number, number]>();
  /** Where joints are at rest. */
  readonly rest: THREE.Vector3[];
  /** The joint above each. */
  readonly parents: (number | null)[];
  private data = new Float32Array(0);
  private used = 0;

  constructor(clips: Clip[], private readonly skeleton: Joint[]) {
    this.joints = skeleton.length;
    this.rest = restPositions(skeleton);
    this.parents = skeleton.map((joint) => joint.parent);
    this.add([...clips, ...seatedClip()]);
  }

  /** Makes room for as many frames and all that were there before. */
  private grow(frames: number) {
    const width = 3 * this.joints * Math.max(1, Math.floor(4096 / (3 * this.joints)));
    const framesARow = width / (3 * this.joints);
    const height = Math.max(1, Math.ceil(frames / framesARow));
    if (width * height * 4 <= this.data.length) return;
    const data = new Float32Array(width * height * 4);
    data.set(this.data);
    this.data = data;
    this.texture?.dispose();
    this.texture = new THREE.DataTexture(data, width, height, THREE.RGBAFormat, THREE.FloatType);
  }

  /** Adds clips that were not there before. */
  add(clips: Clip[]) {
    const frames = this.used + clips.reduce((sum, clip) => sum + clip.frames, 0);
    // Twice as much as is needed where more keeps coming.
    this.grow(this.used > 0 ? frames * 2 : frames);
    const { data, rest, skeleton } = this;
    const positions = skeleton.map(() => new THREE.Vector3());
    const turns = skeleton.map(() => new THREE.Quaternion());
    const local = new THREE.Quaternion(), matrix = new THREE.Matrix4(), offset = new THREE.Vector3();
    let row = this.used;
    for (const clip of clips) {
      this.rows.set(clip.number, [row, clip.frames]);
      for (let frame = 0; frame < clip.frames; frame++, row++) {
        skeleton.forEach((joint, index) => {
          local.fromArray(clip.rotations, (frame * clip.joints + index) * 4).normalize();
          if (joint.parent === null) {
            positions[index].set(0, 0, clip.heights[frame]);
            turns[index].copy(local);
          } else {
            turns[index].multiplyQuaternions(turns[joint.parent], local);
            offset.fromArray(joint.offset).applyQuaternion(turns[joint.parent]);
            positions[index].addVectors(positions[joint.parent], offset);
          }
          matrix.makeRotationFromQuaternion(turns[index]);
          offset.copy(rest[index]).applyQuaternion(turns[index]);
          const [x, y, z] = [positions[index].x - offset.x, positions[index].y - offset.y, positions[index].z - offset.z];
          const e = matrix.elements;
          const at = (row * this.joints + index) * 12;
          data.set([e[0], e[4], e[8], x, e[1], e[5], e[9], y, e[2], e[6], e[10], z], at);
        });
      }
    }
    this.used = row;
    this.texture.needsUpdate = true;
  }

  /** The rows before and after a moment of a clip, and how far between them it is. */
  at(clip: number, frame: number, out: Float32Array, offset: number) {
    const entry = this.rows.get(clip);
    if (!entry) return out.fill(0, offset, offset + 3);
    const place = Math.min(Math.max(frame, 0), entry[1] - 1);
    const before = Math.floor(place);
    out[offset] = entry[0] + before;
    out[offset + 1] = entry[0] + Math.min(before + 1, entry[1] - 1);
    out[offset + 2] = place - before;
    return out;
  }

  /** Where a joint is in a moment of a clip, beside a body that faces along x. */
  jointAt(joint: number, clip: number, frame: number, out: THREE.Vector3): THREE.Vector3 {
    const rows = this.at(clip, frame, new Float32Array(3), 0), rest = this.rest[joint];
    const row = (number: number, axis: number) => {
      const at = (number * this.joints + joint) * 12 + axis * 4;
      return this.data[at] * rest.x + this.data[at + 1] * rest.y + this.data[at + 2] * rest.z + this.data[at + 3];
    };
    const between = (axis: number) => row(rows[0], axis) * (1 - rows[2]) + row(rows[1], axis) * rows[2];
    return out.set(between(0), between(1), between(2));
  }

  /** The rows of the nearest frames of two clips, and the share of the second. */
  between(from: number, fromFrame: number, to: number, toFrame: number, share: number, out: Float32Array, offset: number) {
    const row = (clip: number, frame: number) => {
      const [first, frames] = this.rows.get(clip) ?? [0, 1];
      return first + Math.round(Math.min(Math.max(frame, 0), frames - 1));
    };
    out[offset] = row(from, fromFrame);
    out[offset + 1] = row(to, toFrame);
    out[offset + 2] = share;
    return out;
  }
}

function restPositions(skeleton: Joint[]): THREE.Vector3[] {
  const rest: THREE.Vector3[] = [];
  for (const joint of skeleton) {
    const at = new THREE.Vector3().fromArray(joint.offset);
    rest.push(joint.parent === null ? at : at.add(rest[joint.parent]));
  }
  return rest;
}
