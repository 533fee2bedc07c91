// Draws everybody: skinned instances near by in three details, flat figures far away, shadows on the ground.
import * as THREE from "three";
import type { PoseTexture } from "./bodies";
import { emptyStances, STANCE, type Stances, stanceUniforms } from "./stance";

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

const SKINNING = /* glsl */ `
  uniform highp sampler2D poses;
  uniform int jointCount;
  in vec4 facing; in vec4 joints; in vec4 weights;
  in vec4 place; in vec3 pose;
  in vec3 skinColour; in vec3 hairColour; in vec3 shirtColour; in vec3 trousersColour; in vec4 tint;
  mat3x4 rows(int index) {
    int width = textureSize(poses, 0).x;
    ivec2 at = ivec2(index % width, index / width);
    return mat3x4(texelFetch(poses, at, 0), texelFetch(poses, at + ivec2(1, 0), 0), texelFetch(poses, at + ivec2(2, 0), 0));
  }
  mat3x4 joint(int row, float number) { return rows((row * jointCount + int(number)) * 3); }
  mat3x4 blend(int row) {
    return joint(row, joints.x) * weights.x + joint(row, joints.y) * weights.y
      + joint(row, joints.z) * weights.z + joint(row, joints.w) * weights.w;
  }
  mat3x4 bones(float number) { return joint(int(pose.x), number) * (1.0 - pose.z) + joint(int(pose.y), number) * pose.z; }
  ${STANCE}
  void skin(out vec3 point, out vec3 normal) {
    vec3 p, n;
    if (bearing.z > 0.5) stand(p, n);
    else {
      mat3x4 all = blend(int(pose.x)) * (1.0 - pose.z) + blend(int(pose.y)) * pose.z;
      p = vec4(position, 1.0) * all;
      n = vec4(facing.xyz / 127.0, 0.0) * all;
    }
    float c = cos(place.z), s = sin(place.z);
    mat3 turn = mat3(c, s, 0.0, -s, c, 0.0, 0.0, 0.0, 1.0);
    point = turn * p * place.w + vec3(place.xy, 0.0);
    normal = turn * n;
  }
  vec3 partColour() {
    float part = facing.w;
    vec3 own = part < 0.5 ? skinColour : part < 1.5 ? hairColour : part < 2.5 ? shirtColour
      : part < 3.5 ? trousersColour : vec3(0.11, 0.10, 0.10) + 0.1 * trousersColour;
    return part > 1.5 && part < 3.5 ? mix(own, tint.rgb * (part < 2.5 ? 1.0 : 0.72), tint.a) : own;
  }
`;

const BODY_VERTEX = /* glsl */ `${SKINNING}
  out vec3 vColour; out vec3 vNormal; out vec3 vEye; out float vHeight;
  void main() {
    vec3 point, normal;
    skin(point, normal);
    vColour = partColour();
    vNormal = normal;
    vHeight = point.z;
    vEye = cameraPosition - point;
    gl_Position = projectionMatrix * viewMatrix * vec4(point, 1.0);
  }`;

const LIGHT = /* glsl */ `
  uniform vec3 sun; uniform vec3 sky; uniform vec3 bounce; uniform vec3 haze; uniform float sunlight; uniform float reach;
  vec3 lit(vec3 colour, vec3 n, vec3 eye, float height) {
    float away = length(eye);
    float day = max(dot(n, sun), 0.0);
    vec3 light = mix(bounce, sky, n.z * 0.5 + 0.5) + vec3(1.0, 0.95, 0.86) * sunlight * day;
    float rim = pow(1.0 - max(dot(n, eye / away), 0.0), 3.0) * 0.18;
    vec3 result = colour * light * mix(0.72, 1.0, smoothstep(0.0, 0.9, height)) + rim * sky;
    return mix(result, haze, smoothstep(reach * 0.35, reach, away));
  }`;

const BODY_FRAGMENT = /* glsl */ `${LIGHT}
  in vec3 vColour; in vec3 vNormal; in vec3 vEye; in float vHeight;
  out vec4 colour;
  void main() {
    colour = vec4(lit(vColour, normalize(vNormal), vEye, vHeight), 1.0);
    colour = linearToOutputTexel(colour);
  }`;

const SHADOW_VERTEX = /* glsl */ `${SKINNING}
  uniform vec3 sun;
  void main() {
    vec3 point, normal;
    skin(point, normal);
    point -= sun * (max(point.z, 0.0) / sun.z);
    gl_Position = projectionMatrix * viewMatrix * vec4(point.xy, 0.012, 1.0);
  }`;

// A flat figure: head, trunk and swinging legs as distances from capsules.
const FLAT_VERTEX = /* glsl */ `
  uniform highp sampler2D poses;
  in vec4 place; in vec3 pose;
  in vec3 skinColour; in vec3 hairColour; in vec3 shirtColour; in vec3 trousersColour; in vec4 tint;
  out vec2 vAt; out vec3 vSkin; out vec3 vHair; out vec3 vShirt; out vec3 vTrousers; out float vStep; out float vAway;
  void main() {
    vec3 foot = vec3(place.xy, 0.0);
    vec3 right = normalize(vec3(viewMatrix[0][0], viewMatrix[1][0], viewMatrix[2][0]));
    vec3 up = normalize(mix(vec3(0.0, 0.0, 1.0), vec3(viewMatrix[0][1], viewMatrix[1][1], viewMatrix[2][1]), 0.6));
    vAt = vec2(position.x * 0.45, (position.y + 1.0) * 0.95);
    vSkin = skinColour; vHair = hairColour;
    vShirt = mix(shirtColour, tint.rgb, tint.a); vTrousers = mix(trousersColour, tint.rgb * 0.72, tint.a);
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
    colour = linearToOutputTexel(vec4(lit(own, normalize(vec3(0.25, -0.4, 0.7)), eye, vAt.y), 1.0));
  }`;

const PER_AGENT = [["place", 4, Float32Array], ["pose", 3, Float32Array], ["skinColour", 3, Uint8Array], ["hairColour", 3, Uint8Array],
  ["shirtColour", 3, Uint8Array], ["trousersColour", 3, Uint8Array], ["tint", 4, Uint8Array], ["leftFoot", 4, Float32Array], ["rightFoot", 4, Float32Array], ["bearing", 3, Float32Array]] as const;

/** Instances of one body, filled anew for every picture. */
class Batch {
  readonly mesh: THREE.Mesh;
  readonly geometry = new THREE.InstancedBufferGeometry();
  private readonly arrays: (Float32Array | Uint8Array)[];
  count = 0;

  constructor(body: THREE.BufferGeometry, material: THREE.Material, capacity: number) {
    this.geometry.index = body.index;
    for (const [name, attribute] of Object.entries(body.attributes)) this.geometry.setAttribute(name, attribute);
    this.arrays = PER_AGENT.map(([name, size, Kind]) => {
      const attribute = new THREE.InstancedBufferAttribute(new Kind(capacity * size), size, Kind === Uint8Array);
      attribute.setUsage(THREE.DynamicDrawUsage);
      this.geometry.setAttribute(name, attribute);
      return attribute.array as Float32Array | Uint8Array;
    });
    this.mesh = new THREE.Mesh(this.geometry, material);
    this.mesh.frustumCulled = false;
  }

  add(values: (Float32Array | Uint8Array)[], agent: number) {
    for (let each = 0; each < values.length; each++) {
      const size = PER_AGENT[each][1], from = values[each], to = this.arrays[each];
      for (let part = 0; part < size; part++) to[this.count * size + part] = from[agent * size + part];
    }
    this.count++;
  }

  show() {
    this.geometry.instanceCount = this.count;
    this.mesh.visible = this.count > 0;
    for (const [name, size] of PER_AGENT) {
      const attribute = this.geometry.getAttribute(name) as THREE.InstancedBufferAttribute;
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, this.count * size);
      attribute.needsUpdate = this.count > 0;
    }
  }
}

/** Distances in metres at which bodies become coarser. */
const NEAR = 9, MIDDLE = 28, FAR = 95, SHADOWS = 70;

export class CrowdView {
  readonly group = new THREE.Group();
  readonly uniforms: Record<string, THREE.IUniform>;
  /** What each agent wears: skin, hair, shirt, trousers, three bytes each; and its tint, four. */
  readonly wear: [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  readonly tint: Uint8Array;
  private readonly pose: Float32Array;
  private readonly batches: Batch[][];
  private readonly shadows: Batch;
  private readonly flat: Batch;
  private readonly frustum = new THREE.Frustum();
  private readonly sphere = new THREE.Sphere();
  /** Bodies drawn in each detail, for tests and the curious. */
  drawn = [0, 0, 0, 0];

  constructor(bodies: THREE.BufferGeometry[][], private readonly poses: PoseTexture, capacity: number) {
    this.wear = [0, 1, 2, 3].map(() => new Uint8Array(capacity * 3)) as CrowdView["wear"];
    this.tint = new Uint8Array(capacity * 4);
    this.pose = new Float32Array(capacity * 3);
    this.uniforms = {
      poses: { value: poses.texture }, jointCount: { value: poses.joints }, sun: { value: new THREE.Vector3(0.45, -0.35, 0.82).normalize() },
      sky: { value: new THREE.Color() }, bounce: { value: new THREE.Color() }, haze: { value: new THREE.Color() },
      sunlight: { value: 1 }, reach: { value: 400 }, shade: { value: 0.3 }, ...stanceUniforms(poses.rest, poses.parents),
    };
    const make = (vertexShader: string, fragmentShader: string, more: THREE.ShaderMaterialParameters = {}) =>
      new THREE.ShaderMaterial({ vertexShader, fragmentShader, uniforms: this.uniforms, glslVersion: THREE.GLSL3, ...more });
    const body = make(BODY_VERTEX, BODY_FRAGMENT);
    this.batches = bodies.map((details) => details.map((detail) => new Batch(detail, body, capacity)));
    const shadow = make(SHADOW_VERTEX, "uniform float shade; out vec4 colour; void main() { colour = vec4(0.02, 0.03, 0.08, shade); }", {
      transparent: true, depthWrite: false, polygonOffset: true, polygonOffsetFactor: -2,
      stencilWrite: true, stencilFunc: THREE.NotEqualStencilFunc, stencilRef: 1, stencilZPass: THREE.ReplaceStencilOp,
    });
    this.shadows = new Batch(bodies[1][2], shadow, capacity);
    this.shadows.mesh.renderOrder = 2;
    this.flat = new Batch(new THREE.PlaneGeometry(2, 2), make(FLAT_VERTEX, FLAT_FRAGMENT), capacity);
    for (const batch of [...this.batches.flat(), this.shadows, this.flat]) this.group.add(batch.mesh);
  }

  /** Fills the batches for a camera. */
  update(shown: Shown, camera: THREE.PerspectiveCamera) {
    const all = [...this.batches.flat(), this.shadows, this.flat];
    for (const batch of all) batch.count = 0;
    // It is another one where it has grown.
    this.uniforms.poses.value = this.poses.texture;
    this.frustum.setFromProjectionMatrix(new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse));
    const values = [shown.place, this.pose, ...this.wear, this.tint, shown.stances.left, shown.stances.right, shown.stances.bearing];
    const eye = camera.position;
    this.drawn = [0, 0, 0, 0];
    for (let agent = 0; agent < shown.count; agent++) {
      const x = shown.place[agent * 4], y = shown.place[agent * 4 + 1];
      this.sphere.center.set(x, y, 0.9);
      this.sphere.radius = 2.2;
      if (!this.frustum.intersectsSphere(this.sphere)) continue;
      if (shown.underShare[agent] > 0) {
        this.poses.between(shown.underClip[agent], shown.underPhase[agent], shown.clip[agent], shown.phase[agent], 1 - shown.underShare[agent], this.pose, agent * 3);
      } else this.poses.at(shown.clip[agent], shown.phase[agent], this.pose, agent * 3);
      const away = Math.hypot(x - eye.x, y - eye.y, 0.9 - eye.z);
      const detail = away < NEAR ? 0 : away < MIDDLE ? 1 : away < FAR ? 2 : 3;
      this.drawn[detail]++;
      if (detail === 3) this.flat.add(values, agent);
      else this.batches[sexOf(shown.looks ? shown.looks[agent] : shown.id[agent])][detail].add(values, agent);
      if (away < SHADOWS) this.shadows.add(values, agent);
    }
    for (const batch of all) batch.show();
  }
}

/** A well mixed number from 0 to 1 for an agent and a purpose. */
export function chance(id: number, purpose: number): number {
  let bits = (Math.imul(id + 1, 0x9e3779b1) ^ Math.imul(purpose + 1, 0x85ebca6b)) >>> 0;
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d) >>> 0;
  bits = Math.imul(bits ^ (bits >>> 12), 0x297a2d39) >>> 0;
  return ((bits ^ (bits >>> 15)) >>> 0) / 4294967296;
}

/** Which of the two body shapes an agent has. */
export function sexOf(id: number): 0 | 1 {
  return chance(id, 7) < 0.5 ? 0 : 1;
}
