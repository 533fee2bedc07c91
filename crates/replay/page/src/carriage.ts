// Arms that hold something, and who sits in what it has (see crates/gesture/src/hold.rs and crates/bodies/src/carriage.rs).
import * as THREE from "three";
import type { Clip } from "./bodies";

interface Hold { left: boolean; joint: number | null; wrist: number[]; turn: number[]; elbow: number[]; swing: number[]; rate: number; above: number }
interface Carriage { joints: [number[], number[]]; holds: Hold[]; seated: { height: number; rotations: number[][] } }

/** The number of the clip in which people sit in wheelchairs: no clip of a run has it. */
export const SEATED = 65535;
/** Texels of a hold. */
const TEXELS = 4;
/** How much higher a wrist has to be for a hold to count in full that counts only above some height, in metres. */
const WHOLLY = 0.16;

function read(): Carriage | null {
  const text = document.querySelector('script[type="text/carriage"]')?.textContent;
  return text ? (JSON.parse(text) as Carriage) : null;
}

/** What the shader has to know of a skeleton whose joints rest there. */
export function carriageUniforms(rest: THREE.Vector3[]): Record<string, THREE.IUniform> {
  const carriage = read(), joints = carriage?.joints.flat() ?? new Array<number>(6).fill(0), holds = carriage?.holds ?? [];
  const data = new Float32Array(Math.max(1, holds.length) * TEXELS * 4);
  holds.forEach(({ joint, wrist, turn, elbow, swing, rate, above }, index) =>
    data.set([...wrist, joint === null ? 0 : joint + 1, ...turn, ...elbow, rate, ...swing, above], index * TEXELS * 4));
  const texture = new THREE.DataTexture(data, TEXELS, Math.max(1, holds.length), THREE.RGBAFormat, THREE.FloatType);
  texture.needsUpdate = true;
  return {
    armJoints: { value: joints }, armRest: { value: joints.map((joint) => rest[joint]?.clone() ?? new THREE.Vector3()) },
    holds: { value: texture }, seconds: { value: 0 },
  };
}

/** Joints of the left and the right wrist. */
export function wrists(): [number, number] | null {
  const carriage = read();
  return carriage ? [carriage.joints[0][2], carriage.joints[1][2]] : null;
}

/** Marks the joints of arms, and all that hangs on hands, in the parts of the shader: 9 to 11 for the left arm, 12 to 14 for the right. */
export function markArms(part: number[], parents: (number | null)[]) {
  read()?.joints.flat().forEach((joint, index) => { part[joint] = 9 + index; });
  parents.forEach((parent, joint) => {
    if (joint < part.length && parent !== null && part[joint] === 0 && (part[parent] === 11 || part[parent] === 14)) part[joint] = part[parent];
  });
}

/** The pose in a wheelchair as a clip of one frame. */
export function seatedClip(): Clip[] {
  const carriage = read();
  if (!carriage) return [];
  const { height, rotations } = carriage.seated;
  return [{ number: SEATED, frames: 1, joints: rotations.length, heights: new Float32Array([height]), rotations: new Float32Array(rotations.flat()) }];
}

/** Arms of two bones that end where they hold something; needs `bones(number)`, `aboutZ`, `along`, `fact(byte)` and `bearing`. */
export const CARRIAGE = /* glsl */ `
  uniform int armJoints[6];
  uniform vec3 armRest[6];
  uniform highp sampler2D holds;
  uniform float seconds;
  struct HeldArm { vec3 shoulder, elbow, wrist; mat3 upper, fore, hand; };
  int holdOf(int part) { return int(fact(part < 12 ? 73 : 74) * 255.0 + 0.5); }
  mat3 ofQuaternion(vec4 q) {
    vec3 d = 2.0 * q.xyz * q.xyz;
    float xy = 2.0 * q.x * q.y, xz = 2.0 * q.x * q.z, yz = 2.0 * q.y * q.z, wx = 2.0 * q.w * q.x, wy = 2.0 * q.w * q.y, wz = 2.0 * q.w * q.z;
    return mat3(1.0 - d.y - d.z, xy + wz, xz - wy, xy - wz, 1.0 - d.x - d.z, yz + wx, xz + wy, yz - wx, 1.0 - d.x - d.y);
  }
  mat3 about(vec3 axis, float angle) { float half_ = 0.5 * angle; return ofQuaternion(vec4(axis * sin(half_), cos(half_))); }
  /** How much a hold counts in the pose: some do only where the wrist is high. */
  float holdCounts(int first, int number) {
    float above = texelFetch(holds, ivec2(3, number - 1), 0).w;
    if (above == 0.0) return 1.0;
    float z = (vec4(armRest[first + 2], 1.0) * bones(float(armJoints[first + 2]))).z;
    return smoothstep(above, above + ${WHOLLY}, z);
  }
  HeldArm hold(int first, int number, float counts) {
    vec4 place = texelFetch(holds, ivec2(0, number - 1), 0), bent = texelFetch(holds, ivec2(2, number - 1), 0);
    vec3 swing = texelFetch(holds, ivec2(3, number - 1), 0).xyz * sin(6.2831853 * bent.w * seconds);
    mat3 hand = ofQuaternion(texelFetch(holds, ivec2(1, number - 1), 0));
    vec3 target = place.xyz + swing, side = bent.xyz;
    float drop = bearing.z > 0.5 ? bearing.x / size() : 0.0;
    if (place.w > 0.5) {
      mat3x4 m = bones(place.w - 1.0);
      target = vec4(target, 1.0) * m;
      side = vec4(side, 0.0) * m;
      hand = mat3(vec4(hand[0], 0.0) * m, vec4(hand[1], 0.0) * m, vec4(hand[2], 0.0) * m);
      if (stancePart[int(place.w - 0.5)] >= 7 && bearing.z > 0.5) {
        // Beside a head that turns.
        vec3 neck = jointAt(8);
        mat3 turn = aboutZ(bearing.y);
        target = neck + turn * (target - neck);
        hand = turn * hand;
      }
      target.z -= drop;
    }
    HeldArm arm;
    arm.shoulder = vec4(armRest[first], 1.0) * bones(float(armJoints[first]));
    arm.shoulder.z -= drop;
    if (counts < 1.0) {
      mat3x4 m = bones(float(armJoints[first + 2]));
      vec3 wrist = vec4(armRest[first + 2], 1.0) * m, elbow = vec4(armRest[first + 1], 1.0) * bones(float(armJoints[first + 1]));
      wrist.z -= drop; elbow.z -= drop;
      target = mix(wrist, target, counts);
      side = mix(normalize(elbow - arm.shoulder), side, counts);
      mat3 own = mat3(vec4(1.0, 0.0, 0.0, 0.0) * m, vec4(0.0, 1.0, 0.0, 0.0) * m, vec4(0.0, 0.0, 1.0, 0.0) * m);
      vec3 x = normalize(mix(own[0], hand[0], counts)), y = mix(own[1], hand[1], counts);
      y = normalize(y - x * dot(x, y));
      hand = mat3(x, y, cross(x, y));
    }
    vec3 bone = armRest[first + 1] - armRest[first], second = armRest[first + 2] - armRest[first + 1];
    float upper = length(bone), lower = length(second);
    vec3 to = target - arm.shoulder, axis = normalize(to);
    float far = clamp(length(to), abs(upper - lower) + 0.001, (upper + lower) * 0.998);
    side = normalize(side - axis * dot(side, axis));
    float cosine = clamp((upper * upper + far * far - lower * lower) / (2.0 * upper * far), -1.0, 1.0);
    arm.elbow = arm.shoulder + (axis * cosine + side * sqrt(1.0 - cosine * cosine)) * upper;
    arm.wrist = arm.shoulder + axis * far;
    vec3 normal = cross(axis, side), atRest = cross(bone + second, vec3(-1.0, 0.0, 0.0));
    arm.upper = along(arm.elbow - arm.shoulder, normal) * transpose(along(bone, atRest));
    arm.fore = along(arm.wrist - arm.elbow, normal) * transpose(along(second, atRest));
    arm.hand = hand;
    // Half of a hand's twist is the forearm's.
    mat3 off = hand * transpose(arm.fore);
    vec3 way = normalize(arm.wrist - arm.elbow), skew = vec3(off[1][2] - off[2][1], off[2][0] - off[0][2], off[0][1] - off[1][0]);
    arm.fore = about(way, atan(dot(skew, way), 1.0 + off[0][0] + off[1][1] + off[2][2] + 1e-6)) * arm.fore;
    return arm;
  }
  void holdOn(int part, int first, HeldArm arm, inout vec3 p, inout vec3 n) {
    if (part == 0) { p = arm.shoulder + arm.upper * (p - armRest[first]); n = arm.upper * n; }
    else if (part == 1) { p = arm.elbow + arm.fore * (p - armRest[first + 1]); n = arm.fore * n; }
    else { p = arm.wrist + arm.hand * (p - armRest[first + 2]); n = arm.hand * n; }
  }
`;
