// Draws everybody: skinned pieces near by in three details, flat figures far away, shadows on the ground.
import * as THREE from "three";
import { Slot, type PoseTexture, type Wardrobe } from "./bodies";
import { BODY_FRAGMENT, BODY_VERTEX, KINDS, LIGHT, SKINNING } from "./skin.glsl";
import { SEATED } from "./carriage";
import { emptyStances, type Stances, stanceUniforms } from "./stance";

/** What all agents are in the moment that is shown. */
export interface Shown {
  count: number;
  id: Uint32Array;
  /** x, y, heading and size. */
  place: Float32Array;
  clip: Uint16Array;
  /** Frame of the clip, with its fraction. */
  phase: Float32Array;
  speed: Float32Array;
  style: Uint8Array;
  state: Uint8Array;
  /** The clip out of which a body goes over into the one it shows, its frame, and how much of it is left. */
  underClip: Uint16Array;
  underPhase: Float32Array;
  underShare: Float32Array;
  /** Feet and heads, of those who stand otherwise than their clips have it. */
  stances: Stances;
  /** The number that each is drawn by, where it may be another than its own. */
  looks?: Uint32Array;
  /** How many times as large each one is drawn as its looks say; as large without. */
  size?: Float32Array;
}

/** Room for as many agents, nobody there yet. */
export function emptyShown(capacity: number): Shown {
  return {
    count: 0, id: new Uint32Array(capacity), place: new Float32Array(capacity * 4), clip: new Uint16Array(capacity), phase: new Float32Array(capacity),
    speed: new Float32Array(capacity), style: new Uint8Array(capacity), state: new Uint8Array(capacity),
    underClip: new Uint16Array(capacity), underPhase: new Float32Array(capacity), underShare: new Float32Array(capacity),
    stances: emptyStances(capacity),
  };
}

const SHADOW_VERTEX = /* glsl */ `${SKINNING}
  uniform vec3 sun;
  void main() {
    vec3 point, normal;
    skin(point, normal);
    point -= sun * (max(point.z, 0.0) / sun.z);
    gl_Position = projectionMatrix * viewMatrix * vec4(point.xy, 0.012, 1.0);
  }`;

const CASTER_VERTEX = /* glsl */ `${SKINNING}
  void main() {
    vec3 point, normal;
    skin(point, normal);
    gl_Position = projectionMatrix * viewMatrix * vec4(point, 1.0);
  }`;
const NOTHING = "out vec4 colour; void main() { colour = vec4(1.0); }";

// A flat figure: head, trunk and swinging legs as distances from capsules.
const FLAT_VERTEX = /* glsl */ `
  uniform highp sampler2D poses;
  uniform sampler2D people;
  in vec4 place; in vec4 pose; in vec2 who; in vec4 tint;
  vec3 colourOf(int which) {
    float bytes[3];
    for (int part = 0; part < 3; part++) {
      int byte = 40 + which * 3 + part, texel = int(who.x) * 19 + byte / 4, width = textureSize(people, 0).x;
      bytes[part] = texelFetch(people, ivec2(texel % width, texel / width), 0)[byte % 4];
    }
    return pow(vec3(bytes[0], bytes[1], bytes[2]), vec3(2.2));
  }
  out vec2 vAt; out vec3 vSkin; out vec3 vHair; out vec3 vShirt; out vec3 vTrousers; out float vStep; out float vAway;
  void main() {
    vec3 foot = vec3(place.xy, 0.0);
    vec3 right = normalize(vec3(viewMatrix[0][0], viewMatrix[1][0], viewMatrix[2][0]));
    vec3 up = normalize(mix(vec3(0.0, 0.0, 1.0), vec3(viewMatrix[0][1], viewMatrix[1][1], viewMatrix[2][1]), 0.6));
    vAt = vec2(position.x * 0.45, (position.y + 1.0) * 0.95);
    vSkin = colourOf(0); vHair = colourOf(1);
    vShirt = mix(colourOf(4), tint.rgb, tint.a); vTrousers = mix(colourOf(6), tint.rgb * 0.72, tint.a);
    vStep = sin((pose.x + pose.z) * 0.19);
    vec3 point = foot + (right * vAt.x + up * vAt.y) * place.w;
    vAway = distance(cameraPosition, point);
    gl_Position = projectionMatrix * viewMatrix * vec4(point, 1.0);
  }`;

const FLAT_FRAGMENT = /* glsl */ `${LIGHT}
  in vec2 vAt; in vec3 vSkin; in vec3 vHair; in vec3 vShirt; in vec3 vTrousers; in float vStep; in float vAway;
  out vec4 colour;
  float capsule(vec2 p, vec2 a, vec2 b, float r) {
    vec2 d = b - a;
    return distance(p, a + d * clamp(dot(p - a, d) / dot(d, d), 0.0, 1.0)) - r;
  }
  void main() {
    float head = min(distance(vAt, vec2(0.0, 1.62)) - 0.105, distance(vAt, vec2(0.0, 1.56)) - 0.08);
    float trunk = min(capsule(vAt, vec2(0.0, 1.02), vec2(0.0, 1.3), 0.155), capsule(vAt, vec2(-0.13, 1.36), vec2(0.13, 1.36), 0.07));
    trunk = min(trunk, min(capsule(vAt, vec2(-0.2, 1.35), vec2(-0.22 - 0.05 * vStep, 0.95), 0.05), capsule(vAt, vec2(0.2, 1.35), vec2(0.22 - 0.05 * vStep, 0.95), 0.05)));
    float legs = min(capsule(vAt, vec2(-0.08, 0.95), vec2(-0.09 - 0.09 * vStep, 0.05), 0.075), capsule(vAt, vec2(0.08, 0.95), vec2(0.09 + 0.09 * vStep, 0.05), 0.075));
    if (min(head, min(trunk, legs)) > 0.0) discard;
    vec3 own = trunk < 0.0 ? vShirt : head < 0.0 ? (vAt.y > 1.65 ? vHair : vSkin) : vTrousers;
    vec3 eye = normalize(cameraPosition) * vAway;
    colour = linearToOutputTexel(vec4(lit(own, normalize(vec3(0.25, -0.4, 0.7)), eye, vAt.y, 0.25, 0.0), 1.0));
  }`;

/** Floats for each instance: place (4), pose and fade (4), person and what clothes hide (2), feet and bearing (11); bytes of a tint (4). */
const FLOATS = 21;

/** Instances of one mesh, filled anew for every picture. */
class Batch {
  readonly mesh: THREE.Mesh;
  private readonly geometry = new THREE.InstancedBufferGeometry();
  private values = new Float32Array(0);
  private tints = new Uint8Array(0);
  private room = 0;
  count = 0;

  constructor(body: THREE.BufferGeometry, material: THREE.Material) {
    this.geometry.index = body.index;
    for (const [name, attribute] of Object.entries(body.attributes)) this.geometry.setAttribute(name, attribute);
    this.grow(16);
    this.mesh = new THREE.Mesh(this.geometry, material);
    this.mesh.frustumCulled = false;
  }

  private grow(room: number) {
    const values = new Float32Array(room * FLOATS), tints = new Uint8Array(room * 4);
    values.set(this.values);
    tints.set(this.tints);
    [this.values, this.tints, this.room] = [values, tints, room];
    const shared = new THREE.InstancedInterleavedBuffer(values, FLOATS);
    shared.setUsage(THREE.DynamicDrawUsage);
    // Another buffer takes the place of the one that the graphics card knows.
    if (this.mesh) this.geometry.dispose();
    this.geometry.setAttribute("place", new THREE.InterleavedBufferAttribute(shared, 4, 0));
    this.geometry.setAttribute("pose", new THREE.InterleavedBufferAttribute(shared, 4, 4));
    this.geometry.setAttribute("who", new THREE.InterleavedBufferAttribute(shared, 2, 8));
    this.geometry.setAttribute("leftFoot", new THREE.InterleavedBufferAttribute(shared, 4, 10));
    this.geometry.setAttribute("rightFoot", new THREE.InterleavedBufferAttribute(shared, 4, 14));
    this.geometry.setAttribute("bearing", new THREE.InterleavedBufferAttribute(shared, 3, 18));
    const tint = new THREE.InstancedBufferAttribute(tints, 4, true);
    tint.setUsage(THREE.DynamicDrawUsage);
    this.geometry.setAttribute("tint", tint);
  }

  add(shown: Shown, pose: Float32Array, tint: Uint8Array, agent: number, person: number, covers: number, fade: number) {
    if (this.count === this.room) this.grow(this.room * 2);
    const { values, tints } = this, { place, stances } = shown, at = this.count * FLOATS;
    for (let part = 0; part < 4; part++) {
      values[at + part] = place[agent * 4 + part];
      values[at + 10 + part] = stances.left[agent * 4 + part];
      values[at + 14 + part] = stances.right[agent * 4 + part];
      tints[this.count * 4 + part] = tint[agent * 4 + part];
    }
    for (let part = 0; part < 3; part++) {
      values[at + 4 + part] = pose[agent * 3 + part];
      values[at + 18 + part] = stances.bearing[agent * 3 + part];
    }
    values[at + 7] = fade;
    values[at + 8] = person;
    values[at + 9] = covers;
    this.count++;
  }

  show() {
    this.geometry.instanceCount = this.count;
    this.mesh.visible = this.count > 0;
    if (this.count === 0) return;
    const shared = (this.geometry.getAttribute("place") as THREE.InterleavedBufferAttribute).data;
    shared.clearUpdateRanges();
    shared.addUpdateRange(0, this.count * FLOATS);
    shared.needsUpdate = true;
    const tint = this.geometry.getAttribute("tint") as THREE.InstancedBufferAttribute;
    tint.clearUpdateRanges();
    tint.addUpdateRange(0, this.count * 4);
    tint.needsUpdate = true;
  }
}

/** Distances in metres at which bodies become coarser, and the share of it over which they go over. */
const REACH = [7, 22, 95], SHORT_REACH = [4, 12, 24], OVER = 0.1;
/** Shadows are soft up to here, and plain up to there, in metres. */
const SOFT = 40, SHADOWS = 75, FEW_SHADOWS = 30;

export class CrowdView {
  readonly group = new THREE.Group();
  readonly uniforms: Record<string, THREE.IUniform>;
  /** The tint of each agent, four bytes. */
  readonly tint: Uint8Array;
  /** The person of the wardrobe that each agent is. */
  readonly person: Int32Array;
  private readonly pose: Float32Array;
  private readonly batches = new Map<number, Batch | null>();
  private readonly materials: THREE.ShaderMaterial[];
  private readonly shadows: Batch;
  private readonly flat: Batch;
  private readonly caster: Batch;
  /** Soft shadows and fine bodies, or plain ones where drawing is slow. */
  fine = true;
  /** How many times as near as usual bodies have to be to be drawn in detail. */
  nearness = 1;
  /** Where those are whose shadows are soft. */
  readonly shaded = new THREE.Box2();
  private readonly frustum = new THREE.Frustum();
  private readonly sphere = new THREE.Sphere();
  private readonly spot = new THREE.Vector2();
  private readonly outfits = new Map<number, { worn: number[]; covers: number; template: number }>();
  /** Bodies drawn in each detail, for tests and the curious. */
  drawn = [0, 0, 0, 0];

  constructor(readonly wardrobe: Wardrobe, private readonly poses: PoseTexture, capacity: number) {
    this.tint = new Uint8Array(capacity * 4);
    this.person = new Int32Array(capacity);
    this.pose = new Float32Array(capacity * 3);
    const rig = Array.from({ length: 64 }, (_, index) => {
      const joint = wardrobe.joints[index];
      return joint ? new THREE.Vector4(joint.at.x, joint.at.y, joint.at.z, joint.part) : new THREE.Vector4();
    });
    this.uniforms = {
      poses: { value: poses.texture }, people: { value: wardrobe.texture }, jointCount: { value: poses.joints }, rig: { value: rig },
      marks: { value: [wardrobe.ankles[0], wardrobe.ankles[1], wardrobe.hip, wardrobe.head] },
      sun: { value: new THREE.Vector3(0.45, -0.35, 0.82).normalize() },
      sky: { value: new THREE.Color() }, bounce: { value: new THREE.Color() }, haze: { value: new THREE.Color() }, sunColour: { value: new THREE.Color(1.0, 0.95, 0.86) },
      sunlight: { value: 1 }, reach: { value: 400 }, shade: { value: 0.3 }, ...stanceUniforms(poses.rest, poses.parents),
    };
    const make = (vertexShader: string, fragmentShader: string, more: THREE.ShaderMaterialParameters = {}, own: Record<string, THREE.IUniform> = {}) =>
      new THREE.ShaderMaterial({ vertexShader, fragmentShader, uniforms: { ...this.uniforms, ...own }, glslVersion: THREE.GLSL3, ...more });
    this.materials = wardrobe.pieces.map((piece) =>
      // Clothes are open where people come out of them.
      make(BODY_VERTEX, BODY_FRAGMENT, piece.slot === 3 || piece.slot === 4 ? { side: THREE.DoubleSide } : {}, { slot: { value: piece.slot }, kind: { value: KINDS[piece.name] ?? 0 } }));
    const shadow = make(SHADOW_VERTEX, "uniform float shade; out vec4 colour; void main() { colour = vec4(0.02, 0.03, 0.08, shade); }", {
      transparent: true, depthWrite: false, polygonOffset: true, polygonOffsetFactor: -2,
      stencilWrite: true, stencilFunc: THREE.NotEqualStencilFunc, stencilRef: 1, stencilZPass: THREE.ReplaceStencilOp,
    });
    this.shadows = new Batch(wardrobe.geometry(0, 1, 2) ?? new THREE.BufferGeometry(), shadow);
    this.shadows.mesh.renderOrder = 2;
    this.flat = new Batch(new THREE.PlaneGeometry(2, 2), make(FLAT_VERTEX, FLAT_FRAGMENT));
    // It shows itself to the sun alone.
    this.caster = new Batch(wardrobe.geometry(0, 1, 2) ?? new THREE.BufferGeometry(), make(CASTER_VERTEX, NOTHING, { colorWrite: false, depthWrite: false }));
    this.caster.mesh.customDepthMaterial = make(CASTER_VERTEX, NOTHING, { side: THREE.DoubleSide });
    this.caster.mesh.castShadow = true;
    this.group.add(this.shadows.mesh, this.flat.mesh, this.caster.mesh);
  }

  /** Which person somebody is in the slot `slot`, by the number that it is drawn by. */
  dress(slot: number, number: number) { this.person[slot] = this.wardrobe.personOf(number); }

  /** The same by where the facts about it are. */
  dressAs(slot: number, person: number) { this.person[slot] = person; }

  /** Somebody wears something else. */
  forget(person: number) { this.outfits.delete(person); }

  private outfit(person: number) {
    let known = this.outfits.get(person);
    if (!known) {
      const worn = this.wardrobe.worn(person);
      // Hats lie over hair: what stands up from the skull would come through.
      const hat = worn.some((piece) => this.wardrobe.pieces[piece].slot === Slot.Hat);
      const high = new Set(["quiff", "curls", "bun", "short hair"]);
      const seen = worn.filter((piece) => !(hat && high.has(this.wardrobe.pieces[piece].name)));
      const hairy = worn.some((piece) => this.wardrobe.pieces[piece].slot === Slot.Hair);
      const covers = seen.reduce((bits, piece) => bits | this.wardrobe.pieces[piece].covers, hairy || hat ? 0 : 128);
      this.outfits.set(person, known = { worn: [0, ...seen], covers, template: this.wardrobe.template(person) });
    }
    return known;
  }

  private batch(piece: number, template: number, detail: number): Batch | null {
    const key = (piece * 256 + template) * 4 + detail;
    let known = this.batches.get(key);
    if (known === undefined) {
      const body = this.wardrobe.geometry(piece, template, detail);
      known = body ? new Batch(body, this.materials[piece]) : null;
      if (known) this.group.add(known.mesh);
      this.batches.set(key, known);
    }
    return known;
  }

  private add(shown: Shown, agent: number, person: number, detail: number, fade: number) {
    if (detail === 3) return this.flat.add(shown, this.pose, this.tint, agent, person, 0, fade);
    const { worn, covers, template } = this.outfit(person);
    for (const piece of worn) this.batch(piece, template, detail)?.add(shown, this.pose, this.tint, agent, person, covers, fade);
  }

  /** Fills the batches for a camera. */
  update(shown: Shown, camera: THREE.PerspectiveCamera) {
    for (const batch of this.batches.values()) if (batch) batch.count = 0;
    this.shadows.count = this.flat.count = this.caster.count = 0;
    this.shaded.makeEmpty();
    // It is another one where it has grown.
    this.uniforms.poses.value = this.poses.texture;
    this.uniforms.people.value = this.wardrobe.texture;
    this.frustum.setFromProjectionMatrix(new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse));
    const eye = camera.position, reach = (this.fine ? REACH : SHORT_REACH).map((metres) => metres * this.nearness);
    this.drawn = [0, 0, 0, 0];
    for (let agent = 0; agent < shown.count; agent++) {
      const x = shown.place[agent * 4], y = shown.place[agent * 4 + 1];
      const person = this.person[agent];
      shown.place[agent * 4 + 3] = this.wardrobe.scale(person) * (shown.size?.[agent] ?? 1);
      this.sphere.center.set(x, y, 0.9);
      this.sphere.radius = 2.2;
      if (!this.frustum.intersectsSphere(this.sphere)) continue;
      if (this.wardrobe.seated(person)) {
        this.poses.at(SEATED, 0, this.pose, agent * 3);
        shown.stances.bearing[agent * 3 + 2] = 0;
      } else if (shown.underShare[agent] > 0) {
        this.poses.between(shown.underClip[agent], shown.underPhase[agent], shown.clip[agent], shown.phase[agent], 1 - shown.underShare[agent], this.pose, agent * 3);
      } else this.poses.at(shown.clip[agent], shown.phase[agent], this.pose, agent * 3);
      // Where drawing is slow the nearer frame has to do.
      if (!this.fine && this.pose[agent * 3 + 2] < 0.5) this.pose[agent * 3 + 2] = 0;
      const away = Math.hypot(x - eye.x, y - eye.y, 0.9 - eye.z);
      const detail = away < reach[0] ? 0 : away < reach[1] ? 1 : away < reach[2] ? 2 : 3;
      this.drawn[detail]++;
      // Near a change both are drawn, each in the points that the other leaves out: nothing jumps. Coarse pictures show the points.
      const next = reach[detail], last = reach[detail - 1];
      const begin = next * (1 - OVER);
      if (this.fine && detail < 3 && away > begin) {
        const share = 1 - 0.5 * (away - begin) / (next - begin);
        this.add(shown, agent, person, detail, share);
        this.add(shown, agent, person, detail + 1, 1 + share);
      } else if (this.fine && detail > 0 && away < last * (1 + OVER)) {
        const share = 0.5 * (1 - (away - last) / (last * OVER));
        this.add(shown, agent, person, detail - 1, share);
        this.add(shown, agent, person, detail, 1 + share);
      } else this.add(shown, agent, person, detail, 1);
      if (this.fine && away < SOFT) {
        this.shaded.expandByPoint(this.spot.set(x, y));
        this.caster.add(shown, this.pose, this.tint, agent, person, 0, 1);
      } else if (away < (this.fine ? SHADOWS : FEW_SHADOWS)) this.shadows.add(shown, this.pose, this.tint, agent, person, 0, 1);
    }
    for (const batch of this.batches.values()) batch?.show();
    this.shadows.show();
    this.flat.show();
    this.caster.show();
  }
}
