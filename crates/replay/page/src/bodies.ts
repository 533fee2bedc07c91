// Bodies that the page carries, and the texture that poses them.
import * as THREE from "three";

/** Bodies of a woman's and a man's shape, each in three details. */
export function readBodies(): THREE.BufferGeometry[][] {
  const elements = [...document.querySelectorAll('script[type="text/body"]')];
  const all = elements.map((element) => {
    const bytes = Uint8Array.from(atob(element.textContent ?? ""), (letter) => letter.charCodeAt(0));
    const view = new DataView(bytes.buffer);
    const points = view.getUint32(0, true), triangles = view.getUint32(4, true);
    const geometry = new THREE.BufferGeometry();
    const position = new Float32Array(points * 3), normal = new Int8Array(points * 4);
    const joints = new Uint8Array(points * 4), weights = new Uint8Array(points * 4);
    for (let point = 0; point < points; point++) {
      const at = 8 + point * 24;
      for (let axis = 0; axis < 3; axis++) position[point * 3 + axis] = view.getFloat32(at + axis * 4, true);
      for (let each = 0; each < 4; each++) {
        normal[point * 4 + each] = view.getInt8(at + 12 + each);
        joints[point * 4 + each] = view.getUint8(at + 16 + each);
        weights[point * 4 + each] = view.getUint8(at + 20 + each);
      }
    }
    const index = new Uint16Array(triangles * 3);
    for (let each = 0; each < index.length; each++) index[each] = view.getUint16(8 + points * 24 + each * 2, true);
    geometry.setAttribute("position", new THREE.BufferAttribute(position, 3));
    geometry.setAttribute("facing", new THREE.BufferAttribute(normal, 4));
    geometry.setAttribute("joints", new THREE.BufferAttribute(joints, 4));
    geometry.setAttribute("weights", new THREE.BufferAttribute(weights, 4, true));
    geometry.setIndex(new THREE.BufferAttribute(index, 1));
    return geometry;
  });
  return [all.slice(0, 3), all.slice(3, 6)];
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
    this.add(clips);
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
