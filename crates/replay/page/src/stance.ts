// Bodies on their own feet: legs bent to where the feet really are, heads turned (see crates/motion/src/stance.rs).
import * as THREE from "three";
import { CARRIAGE, carriageUniforms, markArms } from "./carriage";

/** Where feet and head of everybody are: for each foot x, y, heading and lift; then drop, look and whether all this counts. */
export interface Stances { left: Float32Array; right: Float32Array; bearing: Float32Array }

export function emptyStances(capacity: number): Stances {
  return { left: new Float32Array(capacity * 4), right: new Float32Array(capacity * 4), bearing: new Float32Array(capacity * 3) };
}

/** Joints of hip, knee, ankle and ball of the left leg and of the right, then neck and head; -1 of what is not there. */
function stanceJoints(): number[] {
  const element = document.querySelector('script[type="text/stance"]');
  const joints = element ? (JSON.parse(element.textContent ?? "[]") as number[]) : [];
  return joints.length === 10 ? joints : new Array<number>(10).fill(-1);
}

const MOST_JOINTS = 64;

/** What the shader has to know of a skeleton whose joints rest there and have these parents. */
export function stanceUniforms(rest: THREE.Vector3[], parents: (number | null)[]): Record<string, THREE.IUniform> {
  const joints = stanceJoints();
  const part = new Array<number>(MOST_JOINTS).fill(0);
  joints.forEach((joint, index) => {
    // Thigh, shank, foot and toes of each leg; toes go with the foot.
    if (joint >= 0 && joint < MOST_JOINTS) part[joint] = index < 8 ? Math.floor(index / 4) * 3 + Math.min(index % 4, 2) + 1 : index - 1;
  });
  // What hangs on a foot, the neck or the head goes with it.
  parents.forEach((parent, joint) => {
    if (joint < MOST_JOINTS && parent !== null && part[joint] === 0 && [3, 6, 7, 8].includes(part[parent])) part[joint] = part[parent];
  });
  markArms(part, parents);
  return {
    ...carriageUniforms(rest), stancePart: { value: part }, stanceJoints: { value: joints.map((joint) => Math.max(joint, 0)) },
    stanceRest: { value: joints.map((joint) => rest[joint]?.clone() ?? new THREE.Vector3()) },
  };
}

/** Moves a vertex of the body at rest; needs `bones(number)`, `place` and the attributes. */
export const STANCE = /* glsl */ `
  uniform int stancePart[${MOST_JOINTS}];
  uniform int stanceJoints[10];
  uniform vec3 stanceRest[10];
  in vec4 leftFoot; in vec4 rightFoot; in vec3 bearing;
  struct BentLeg { vec3 hip, knee, ankle, newHip, newKnee, newAnkle; mat3 thigh, shank, foot; };
  mat3 aboutZ(float angle) { float c = cos(angle), s = sin(angle); return mat3(c, s, 0.0, -s, c, 0.0, 0.0, 0.0, 1.0); }
  vec3 jointAt(int index) { return vec4(stanceRest[index], 1.0) * bones(float(stanceJoints[index])); }
  mat3 along(vec3 bone, vec3 normal) {
    vec3 x = normalize(bone), z = normalize(normal - x * dot(normal, x));
    return mat3(x, cross(z, x), z);
  }
  BentLeg bend(int first, vec4 foot) {
    BentLeg leg;
    leg.hip = jointAt(first); leg.knee = jointAt(first + 1); leg.ankle = jointAt(first + 2);
    vec3 ball = jointAt(first + 3);
    float turned = foot.z - place.z;
    turned -= 6.2831853 * floor(turned / 6.2831853 + 0.5);
    leg.foot = aboutZ(turned);
    vec3 there = aboutZ(-place.z) * vec3((foot.xy - place.xy) / place.w, 0.0);
    there.z = ball.z + foot.w / place.w;
    vec3 target = there + leg.foot * (leg.ankle - ball);
    leg.newHip = leg.hip - vec3(0.0, 0.0, bearing.x / place.w);
    float upper = distance(leg.hip, leg.knee), lower = distance(leg.knee, leg.ankle);
    vec3 axis = normalize(leg.ankle - leg.hip), ahead = vec3(1.0, 0.0, 0.0);
    vec3 aside = leg.knee - leg.hip;
    aside -= axis * dot(aside, axis);
    float trust = min(length(aside) / (0.02 * upper), 1.0);
    ahead -= axis * dot(ahead, axis);
    vec3 bent = normalize(normalize(aside + 1e-6 * ahead) * trust + normalize(ahead) * (1.0 - trust));
    vec3 to = target - leg.newHip;
    float far = clamp(length(to), abs(upper - lower) + 0.001, (upper + lower) * 0.9995);
    vec3 newAxis = normalize(to), side = aboutZ(turned * 0.5) * bent;
    side = normalize(side - newAxis * dot(side, newAxis));
    float cosine = clamp((upper * upper + far * far - lower * lower) / (2.0 * upper * far), -1.0, 1.0);
    leg.newKnee = leg.newHip + (newAxis * cosine + side * sqrt(1.0 - cosine * cosine)) * upper;
    leg.newAnkle = leg.newHip + newAxis * far;
    vec3 normal = cross(axis, bent), newNormal = cross(newAxis, side);
    leg.thigh = along(leg.newKnee - leg.newHip, newNormal) * transpose(along(leg.knee - leg.hip, normal));
    leg.shank = along(leg.newAnkle - leg.newKnee, newNormal) * transpose(along(leg.ankle - leg.knee, normal));
    return leg;
  }
  float size() { return place.w; }
  ${CARRIAGE}
  void follow(int part, BentLeg leg, inout vec3 p, inout vec3 n) {
    if (part == 1) { p = leg.newHip + leg.thigh * (p - leg.hip); n = leg.thigh * n; }
    else if (part == 2) { p = leg.newKnee + leg.shank * (p - leg.knee); n = leg.shank * n; }
    else { p = leg.newAnkle + leg.foot * (p - leg.ankle); n = leg.foot * n; }
  }
  /** Which parts of the body the joints of this vertex are. */
  ivec4 partsHere() {
    ivec4 part = ivec4(stancePart[int(joints.x)], stancePart[int(joints.y)], stancePart[int(joints.z)], stancePart[int(joints.w)]);
    return part * ivec4(greaterThan(weights, vec4(0.0)));
  }
  bool holdsHere(ivec4 part) {
    for (int each = 0; each < 4; each++) if (part[each] >= 9 && holdOf(part[each]) > 0) return true;
    return false;
  }
  void stand(ivec4 part, vec3 rest, vec3 direction, out vec3 point, out vec3 normal) {
    point = normal = vec3(0.0);
    bool stands = bearing.z > 0.5;
    if (!stands) part *= ivec4(greaterThan(part, ivec4(8)));
    bvec4 isLeft = lessThanEqual(abs(part - 2), ivec4(1)), isRight = lessThanEqual(abs(part - 5), ivec4(1));
    BentLeg left, right;
    if (any(isLeft)) left = bend(0, leftFoot);
    if (any(isRight)) right = bend(4, rightFoot);
    for (int each = 0; each < 4; each++) {
      if (weights[each] <= 0.0) continue;
      mat3x4 m = bones(joints[each]);
      vec3 p = vec4(rest, 1.0) * m, n = vec4(direction, 0.0) * m;
      int own = part[each], held = own >= 9 ? holdOf(own) : 0;
      int first = own < 12 ? 0 : 3;
      float counts = held > 0 ? holdCounts(first, held) : 0.0;
      if (counts > 0.0) {
        p = rest; n = direction;
        holdOn(own - 9 - first, first, hold(first, held, counts), p, n);
      }
      else if (isLeft[each]) follow(own, left, p, n);
      else if (isRight[each]) follow(own - 3, right, p, n);
      else {
        if (own == 7 || own == 8) {
          vec3 neck = jointAt(8);
          mat3 turn = aboutZ(bearing.y * 0.4);
          p = neck + turn * (p - neck); n = turn * n;
          if (own == 8) {
            vec3 head = neck + turn * (jointAt(9) - neck);
            turn = aboutZ(bearing.y * 0.6);
            p = head + turn * (p - head); n = turn * n;
          }
        }
        if (stands) p.z -= bearing.x / place.w;
      }
      point += p * weights[each];
      normal += n * weights[each];
    }
  }
`;
