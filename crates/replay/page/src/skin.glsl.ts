// How bodies are skinned, grown and painted: the words of the graphics card.
import { STANCE } from "./stance";

/** Poses a point of a body: its parts grow about the bones, joints move it, feet stand where the clip puts them. */
export const SKINNING = /* glsl */ `
  uniform highp sampler2D poses;
  uniform sampler2D people;
  uniform int jointCount;
  /** Place of each joint at rest; part of the body and lie of the bone. */
  uniform vec4 rig[64];
  uniform ivec4 marks;
  in vec4 facing; in vec4 joints; in vec4 weights;
  in vec4 place; in vec4 pose; in vec2 who; in vec4 tint;
  const int TEXELS = 19;
  float fact(int byte) {
    int texel = int(who.x) * TEXELS + byte / 4, width = textureSize(people, 0).x;
    return texelFetch(people, ivec2(texel % width, texel / width), 0)[byte % 4];
  }
  vec3 colourOf(int which) {
    int at = 40 + which * 3;
    return pow(vec3(fact(at), fact(at + 1), fact(at + 2)), vec3(2.2));
  }
  mat3x4 rows(int index) {
    int width = textureSize(poses, 0).x;
    ivec2 at = ivec2(index % width, index / width);
    return mat3x4(texelFetch(poses, at, 0), texelFetch(poses, at + ivec2(1, 0), 0), texelFetch(poses, at + ivec2(2, 0), 0));
  }
  mat3x4 joint(int row, int number) { return rows((row * jointCount + number) * 3); }
  mat3x4 blend(int row) {
    mat3x4 sum = joint(row, int(joints.x)) * weights.x;
    if (weights.y > 0.0) sum += joint(row, int(joints.y)) * weights.y;
    if (weights.z > 0.0) sum += joint(row, int(joints.z)) * weights.z;
    if (weights.w > 0.0) sum += joint(row, int(joints.w)) * weights.w;
    return sum;
  }
  mat3x4 moved(int number) {
    mat3x4 first = joint(int(pose.x), number);
    return pose.z > 0.0 ? first * (1.0 - pose.z) + joint(int(pose.y), number) * pose.z : first;
  }
  mat3x4 bones(float number) { return moved(int(number)); }
  ${STANCE}
  // The middle of a foot as it lies flat on the ground: where it is while it rolls about its heel or its ball, too
  // (see crates/output/src/export/pose.rs).
  vec2 printOf(int ankleJoint, int at) {
    vec3 rest = rig[ankleJoint].xyz, toe = stanceRest[at + 1] - stanceRest[at];
    mat3x4 foot = moved(ankleJoint);
    if (dot(toe.xy, toe.xy) < 1e-4) return (vec4(rest, 1.0) * foot).xy;
    vec3 heel = vec4(rest + toe * vec3(-0.38, -0.38, 1.3333), 1.0) * foot, ball = vec4(rest + toe, 1.0) * foot;
    vec2 along = normalize(ball.xy - heel.xy) * 0.69 * length(toe.xy);
    return ball.z - heel.z > -0.3333 * toe.z ? heel.xy + along : ball.xy - along;
  }
  vec3 grownBy(vec3 p, float number, float weight, inout vec3 grown) {
    if (weight == 0.0) return vec3(0.0);
    vec4 bone = rig[int(number)];
    int code = int(bone.w + 0.5), part = code % 16, lie = code / 16;
    vec2 size = vec2(fact(16 + part * 2), fact(17 + part * 2)) * (255.0 / 128.0);
    vec3 by = part == 0 ? vec3(size.y, size.x, 0.5 * (size.x + size.y)) : lie == 1 ? vec3(size.y, 1.0, size.x) : lie == 2 ? vec3(size.y, 1.0, 1.0) : vec3(size.y, size.x, 1.0);
    grown += by * weight;
    return (bone.xyz + (p - bone.xyz) * by) * weight;
  }
  void skin(out vec3 point, out vec3 normal) {
    vec3 rest = position, grown = vec3(0.0);
    // What clothes hide lies deeper than they do.
    int hides = int(facing.w + 256.5) & 255 & int(who.y + 0.5);
    if (hides != 0) rest -= facing.xyz / 127.0 * ((hides & 4) != 0 ? 0.021 : (hides & 64) != 0 ? 0.0 : 0.028);
    vec3 own = grownBy(rest, joints.x, weights.x, grown) + grownBy(rest, joints.y, weights.y, grown)
      + grownBy(rest, joints.z, weights.z, grown) + grownBy(rest, joints.w, weights.w, grown);
    vec3 p, n, direction = normalize(facing.xyz / grown);
    float s = place.w;
    ivec4 part = partsHere();
    bool held = holdsHere(part);
    if (bearing.z > 0.5 || held) {
      // Legs are bent to where the feet really are, whatever their length, and arms to what they hold.
      stand(part, own, direction, p, n);
      p *= s;
    } else {
      mat3x4 all = blend(int(pose.x));
      if (pose.z > 0.0) all = all * (1.0 - pose.z) + blend(int(pose.y)) * pose.z;
      p = vec4(own, 1.0) * all;
      n = vec4(direction, 0.0) * all;
      // Clips go as far as their own legs do: shorter and longer legs lean so that feet stay where they are set down.
      vec3 hip = rig[marks.z].xyz, ankle = rig[marks.x].xyz;
      float down = clamp((hip.z - position.z) / (hip.z - ankle.z), 0.0, 1.0);
      vec2 left = printOf(marks.x, 2), right = printOf(marks.y, 6);
      vec2 lean = mix(right, left, smoothstep(-0.06, 0.06, position.y)) * down * (1.0 - s) * (1.0 - step(0.5, fact(75) * 255.0));
      p = p * s + vec3(lean, 0.0);
    }
    float c = cos(place.z), sn = sin(place.z);
    mat3 turn = mat3(c, sn, 0.0, -sn, c, 0.0, 0.0, 0.0, 1.0);
    point = turn * p + vec3(place.xy, 0.0);
    normal = turn * n;
  }
`;

export const BODY_VERTEX = /* glsl */ `${SKINNING}
  uniform int slot;
  in vec3 paint;
  out vec3 vRest; out vec3 vNormal; out vec3 vEye; out float vHeight; out float vScalp; out float vHidden;
  flat out vec3 vFirst; flat out vec3 vSecond; flat out vec3 vThird; flat out vec3 vFourth; flat out vec4 vCode; flat out vec4 vTint; flat out float vFade;
  void main() {
    vec3 point, normal;
    skin(point, normal);
    // Painted by where they would be on the neutral body, whatever body and skeleton it is.
    vRest = paint;
    if (slot <= 2 || slot == 6) vRest = paint - vec3(-0.009, 0.0, 1.570);
    vNormal = normal;
    vHeight = point.z;
    vEye = cameraPosition - point;
    int region = int(facing.w + 256.5) & 255;
    vScalp = float((region & 64) != 0 && who.y < 127.5);
    // Trunk and arms below clothes: what is all hidden would come out where arms bend.
    vHidden = float((region & 7 & int(who.y + 0.5)) != 0 && slot == 0);
    int first = slot == 0 ? 0 : slot <= 2 ? 1 : slot == 3 ? 4 : slot == 4 ? 6 : slot == 5 ? 7 : slot <= 8 ? 8 : 9;
    vFirst = colourOf(first);
    vSecond = colourOf(slot == 0 ? 1 : 5);
    vThird = colourOf(slot == 0 ? 2 : 0);
    vFourth = colourOf(3);
    vCode = vec4(fact(15) * 255.0, fact(70), fact(0) * 255.0, fact(71));
    vTint = tint;
    vFade = pose.w;
    gl_Position = projectionMatrix * viewMatrix * vec4(point, 1.0);
  }`;

export const LIGHT = /* glsl */ `
  uniform vec3 sun; uniform vec3 sky; uniform vec3 bounce; uniform vec3 haze; uniform vec3 sunColour; uniform float sunlight; uniform float reach;
  vec3 lit(vec3 colour, vec3 n, vec3 eye, float height, float soft, float gloss) {
    float away = length(eye);
    vec3 look = eye / away;
    // Light that goes into skin and cloth comes out a little past the edge of the shade.
    float day = max((dot(n, sun) + soft) / (1.0 + soft), 0.0);
    vec3 light = mix(bounce, sky, n.z * 0.5 + 0.5) + sunColour * sunlight * day;
    float shine = pow(max(dot(n, normalize(sun + look)), 0.0), 24.0) * gloss * sunlight;
    float rim = pow(1.0 - max(dot(n, look), 0.0), 4.0) * 0.10;
    vec3 result = colour * light * mix(0.62, 1.0, smoothstep(0.0, 0.7, height)) + rim * sky * (0.3 + colour) + shine;
    return mix(result, haze, smoothstep(reach * 0.35, reach, away));
  }`;

export const BODY_FRAGMENT = /* glsl */ `${LIGHT}
  uniform int slot; uniform int kind;
  in vec3 vRest; in vec3 vNormal; in vec3 vEye; in float vHeight; in float vScalp; in float vHidden;
  flat in vec3 vFirst; flat in vec3 vSecond; flat in vec3 vThird; flat in vec3 vFourth; flat in vec4 vCode; flat in vec4 vTint; flat in float vFade;
  out vec4 colour;
  /** Farther away than so many metres folds are too fine to be seen. */
  const float FOLDED = 16.0;
  float noise(vec2 p) { return fract(sin(dot(p, vec2(12.9898, 78.233))) * 43758.5453); }
  float soft(float edge, float value, float wide) { return smoothstep(edge - wide, edge + wide, value); }
  float oval(vec2 p, vec2 half_, float blur) { return 1.0 - soft(1.0, length(p / half_), blur); }
  float mixed(vec3 p) {
    vec3 at = floor(p), t = fract(p);
    t = t * t * (3.0 - 2.0 * t);
    vec2 across = at.xy + vec2(37.0, 17.0) * at.z;
    vec4 low = vec4(noise(across), noise(across + vec2(1.0, 0.0)), noise(across + vec2(0.0, 1.0)), noise(across + 1.0));
    across += vec2(37.0, 17.0);
    vec4 high = vec4(noise(across), noise(across + vec2(1.0, 0.0)), noise(across + vec2(0.0, 1.0)), noise(across + 1.0));
    vec4 all = mix(low, high, t.z);
    return mix(mix(all.x, all.y, t.x), mix(all.z, all.w, t.x), t.y);
  }
  /** A normal on cloth that is so many metres higher here than it is cut (Mikkelsen 2010, "Bump mapping unparametrized surfaces on the GPU"). */
  vec3 bumped(vec3 n, float rise) {
    vec3 across = -dFdx(vEye), up = -dFdy(vEye), r1 = cross(up, n), r2 = cross(n, across);
    float area = dot(across, r1);
    return normalize(abs(area) * n - sign(area) * (dFdx(rise) * r1 + dFdy(rise) * r2));
  }
  /** How high folds of a top are, in metres: rings where elbows bend, creases from armpits and at the waist, soft ones all over. */
  float topFolds(vec3 r, float salt) {
    float arm = abs(r.y), wild = mixed(r * vec3(26.0, 26.0, 17.0) + salt * 40.0), soft_ = mixed(r * vec3(11.0, 9.0, 7.0) + salt * 90.0);
    float elbow = exp(-pow((arm - 0.48) * 8.0, 2.0)), pit = exp(-pow((arm - 0.20) * 11.0, 2.0)) * smoothstep(1.16, 1.30, r.z), waist = exp(-pow((r.z - 1.06) * 9.0, 2.0)) * step(arm, 0.24);
    return 0.0022 * elbow * sin(arm * 150.0 + wild * 8.0) + 0.0026 * pit * sin((arm * 60.0 + r.z * 60.0) + wild * 7.0)
      + 0.0018 * waist * sin(r.z * 85.0 + wild * 10.0) + 0.006 * soft_ * smoothstep(0.16, 0.24, arm) + 0.006 * soft_ + 0.0009 * wild;
  }
  /** The same of trousers and skirts: behind knees and over shoes, and long soft ones down the legs. */
  float legFolds(vec3 r, float salt) {
    float wild = mixed(r * vec3(24.0, 24.0, 15.0) + salt * 30.0), long_ = mixed(r * vec3(15.0, 15.0, 3.0) + salt * 70.0);
    float knee = exp(-pow((r.z - 0.47) * 9.0, 2.0)), hem = exp(-pow((r.z - 0.12) * 11.0, 2.0)), hip = exp(-pow((r.z - 0.86) * 10.0, 2.0));
    return 0.0020 * knee * sin(r.z * 120.0 + wild * 8.0) + 0.0026 * hem * sin(r.z * 105.0 + wild * 8.0) + 0.0026 * hip * sin(r.z * 60.0 - abs(r.y) * 90.0 + wild * 6.0)
      + 0.005 * long_ + 0.0009 * wild;
  }
  /** A face by the place on the head: whites, irises, lids, brows, lips, cheeks. */
  vec3 face(vec3 skin, vec3 h, float away) {
    if (h.x < 0.045 || h.z > 0.13 || h.z < -0.06) return skin;
    float blur = clamp(away * 0.035, 0.05, 0.5);
    vec2 side = vec2(abs(h.y), h.z);
    float woman = vCode.w > 0.001 ? 1.0 : 0.0;
    skin = mix(skin, skin * vec3(1.06, 0.78, 0.74), oval(side - vec2(0.040, 0.030), vec2(0.022, 0.018), 0.8) * 0.45);
    // Shade in the sockets and under the nose and the lower lip.
    skin *= 1.0 - 0.22 * oval(side - vec2(0.031, 0.0735), vec2(0.023, 0.0165), 0.5);
    skin *= 1.0 - 0.25 * oval(vec2(h.y, h.z - 0.0265), vec2(0.013, 0.0045), 0.6);
    skin *= 1.0 - 0.16 * oval(vec2(h.y, h.z + 0.0150), vec2(0.016, 0.0045), 0.7);
    // Eyes: almonds that open to the side.
    vec2 e = side - vec2(0.0315, 0.0712);
    e.y -= e.x * 0.10;
    float lid = 0.0058 * (1.0 - 0.35 * vCode.y * 0.6);
    float open = oval(e, vec2(0.0132, lid), blur);
    vec2 look = e - vec2(-0.0006, 0.0003);
    vec3 eye = mix(vec3(0.80, 0.78, 0.76), vThird * 0.9, oval(look, vec2(0.0060), blur * 0.8));
    eye = mix(eye, vec3(0.01), oval(look, vec2(0.0027), blur));
    eye += 0.6 * oval(look - vec2(0.0016, 0.0020), vec2(0.0011), 0.5);
    eye *= mix(0.55, 1.0, smoothstep(lid, lid * 0.2, e.y));
    skin = mix(skin, eye, open);
    float lash = oval(e - vec2(0.0, 0.0010), vec2(0.0142, lid + 0.0012), blur) * (1.0 - oval(e + vec2(0.0, 0.0006), vec2(0.0134, lid), blur)) * smoothstep(-0.002, 0.002, e.y);
    skin = mix(skin, vec3(0.02, 0.015, 0.012), lash * (0.55 + 0.35 * woman));
    // Brows arch over them.
    float along = clamp((side.x - 0.013) / 0.037, 0.0, 1.0);
    float arch = 0.0895 + 0.0055 * sin(along * 2.2) - 0.004 * along * along;
    float thick = (0.0040 - 0.0012 * woman) * (1.0 - 0.6 * along);
    float brow = (1.0 - soft(thick, abs(side.y - arch), 0.0010)) * step(0.012, side.x) * (1.0 - soft(0.050, side.x, 0.002));
    skin = mix(skin, vSecond * 0.75, brow * 0.85);
    // Lips: a bow above, fuller below, a dark line between.
    float wide = 1.0 - smoothstep(0.008, 0.0235, side.x);
    float upper = 0.0022 + (0.0070 - 0.0016 * (1.0 - smoothstep(0.0, 0.005, side.x))) * wide;
    float lower = 0.0022 - (0.0095 + 0.0010 * woman) * wide;
    float lips = (1.0 - soft(upper, h.z, 0.0008)) * soft(lower, h.z, 0.0010) * step(side.x, 0.0235);
    skin = mix(skin, vFourth, lips * (0.75 + 0.2 * woman));
    float line = (1.0 - soft(0.0010, abs(h.z - 0.0022), 0.0007)) * (1.0 - soft(0.0225, side.x, 0.0015));
    skin = mix(skin, vFourth * 0.25, line * 0.8);
    // Nostrils.
    skin *= 1.0 - 0.7 * oval(vec2(side.x - 0.0070, h.z - 0.0300), vec2(0.0034, 0.0020), 0.5);
    return skin;
  }
  /** Where a point lies on the cloth that it was cut from, in metres: a trunk that goes round at the sides, sleeves sewn on at the shoulders. */
  vec2 onCloth(vec3 r) {
    float out_ = abs(r.y);
    if (out_ > 0.185 && r.z > 1.22) return vec2(atan(r.x + 0.027, r.z - 1.426) * 0.055, out_);
    float side = max(0.0, 0.095 - abs(r.x)) * (1.0 - smoothstep(1.26, 1.34, r.z));
    return vec2(sign(r.y) * (out_ + side), r.z);
  }
  vec3 patterned(vec3 base, vec3 second, vec3 r, float which, float salt) {
    float w = 0.08;
    if (which < 0.5) return base;
    vec2 at = onCloth(r);
    if (which < 1.5) return mix(base, second, soft(0.0, sin(at.y * (90.0 + 60.0 * salt)), 0.35));
    if (which < 2.5) return mix(base, second, 0.65 * soft(0.75, cos(at.x * 285.0), 0.25));
    if (which < 3.5) {
      float size = 70.0 + 40.0 * salt;
      float across = soft(0.1, sin(at.y * size), w * 3.0), along = soft(0.1, cos(at.x * size), w * 3.0);
      return mix(base, second, 0.5 * across + 0.4 * along - 0.15 * across * along);
    }
    if (which < 4.5) {
      vec2 cell = fract(at * 32.0) - 0.5;
      return mix(base, second, 1.0 - soft(0.24, length(cell), 0.06));
    }
    if (which < 5.5) return mix(base, second, soft(1.19, r.z, 0.003) * (1.0 - soft(1.29 + 0.06 * salt, r.z, 0.003)));
    vec2 print = vec2(r.y, r.z - 1.29);
    float shape = salt < 0.4 ? oval(print, vec2(0.055), 0.04) : salt < 0.7 ? step(abs(print.x), 0.06) * step(abs(print.y), 0.022) : step(abs(print.x) + abs(print.y), 0.065);
    return mix(base, second, shape * step(0.05, r.x));
  }
  vec3 cloth(vec3 r, inout float gloss) {
    float salt = vCode.y, front = step(0.0, r.x);
    // Kinds: 0 t-shirt, 1 shirt, 2 sweater, 3 hoodie, 4 jacket, 5 coat, 6 dress.
    float which = kind == 4 || kind == 5 ? (vCode.x > 2.5 && vCode.x < 3.5 ? 3.0 : 0.0) : vCode.x;
    vec3 second = kind == 4 || kind == 5 ? vFirst * 0.7 : vSecond;
    vec3 c = patterned(vFirst, second, r, which, salt);
    if (kind == 1) {
      c = mix(c, vFirst * 0.8, front * (1.0 - soft(0.0035, abs(abs(r.y) - 0.0), 0.001)) * step(r.z, 1.45));
      vec2 button = vec2(r.y, mod(r.z - 0.93, 0.09) - 0.045);
      c = mix(c, vec3(0.75), front * oval(button, vec2(0.0055), 0.3) * step(r.z, 1.42));
      c = mix(c, vFirst * 1.12, step(1.468, r.z));
    } else if (kind == 2) {
      c *= 0.93 + 0.07 * sin(r.z * 700.0) * step(r.z, 0.925);
      c *= 1.0 - 0.10 * soft(0.715, abs(r.y), 0.002);
    } else if (kind == 3) {
      c = mix(c, vFirst * 0.45, front * (1.0 - soft(0.0035, abs(r.y), 0.001)) * step(r.z, 1.44) * step(0.5, fract(salt * 7.0)));
      float pocket = step(abs(r.y) - (1.08 - r.z) * 0.25, 0.085) * step(0.93, r.z) * step(r.z, 1.08) * front;
      c = mix(c, vFirst * 0.86, pocket);
    } else if (kind == 4) {
      // A deep opening with a shirt, and for some a tie; lapels beside it.
      float deep = (r.z - 1.16) / 0.30, v = deep * 0.075;
      float opened = front * step(0.0, deep) * (1.0 - soft(v, abs(r.y), 0.0015));
      vec3 shirt = vSecond;
      float tie = (1.0 - soft(0.012 + 0.012 * (1.0 - deep), abs(r.y), 0.001)) * step(vCode.w, 0.001) * step(0.35, salt);
      shirt = mix(shirt, patterned(vFirst * vec3(0.9, 0.3, 0.3) + vec3(0.05, 0.0, 0.02), vSecond, r * 2.0, 1.0, salt), tie);
      float lapel = front * step(0.0, deep) * (1.0 - soft(v + 0.042 * deep + 0.006, abs(r.y), 0.0015)) * (1.0 - opened);
      c = mix(c, vFirst * 0.74, lapel);
      c = mix(c, shirt, opened);
      c = mix(c, vFirst * 0.5, front * (1.0 - soft(0.002, abs(r.y), 0.0008)) * step(r.z, 1.16));
      c = mix(c, vFirst * 0.35, front * oval(vec2(r.y - 0.008, r.z - 1.10), vec2(0.008), 0.3));
      float flap = front * step(abs(abs(r.y) - 0.105), 0.05) * step(abs(r.z - 0.985), 0.012);
      c = mix(c, vFirst * 0.72, flap);
    } else if (kind == 5) {
      c = mix(c, vFirst * 0.5, front * (1.0 - soft(0.002, abs(r.y - 0.02), 0.0008)));
      vec2 button = vec2(abs(r.y - 0.005) - 0.035, mod(r.z - 0.70, 0.13) - 0.065);
      c = mix(c, vFirst * 0.3 + 0.02, front * oval(button, vec2(0.011), 0.25) * step(r.z, 1.40) * step(0.80, r.z));
      if (fract(salt * 5.0) > 0.5) c = mix(c, vFirst * 0.62, step(abs(r.z - 1.085), 0.020));
      c = mix(c, vFirst * 0.78, step(1.466, r.z) );
    } else if (kind == 6) {
      if (fract(salt * 3.0) > 0.45) c = mix(c, vSecond * 0.8, step(abs(r.z - 1.075), 0.016));
    }
    // Stitches beside hems and cuffs, and a collar band.
    if (kind <= 3 || kind == 6) c *= 1.0 - 0.16 * (1.0 - soft(0.0016, abs(length(vec2(r.y * 0.86, r.z - 1.520)) - 0.112), 0.001)) * step(1.36, r.z) * step(abs(r.y), 0.12);
    // Folds where arms and waist bend.
    float folds = sin(r.z * 95.0 + r.y * 40.0 + salt * 20.0) * sin(r.y * 60.0 - r.z * 30.0);
    float bends = exp(-pow((abs(r.y) - 0.48) * 9.0, 2.0)) * step(0.3, abs(r.y)) + 0.6 * exp(-pow((r.z - 1.05) * 10.0, 2.0)) + 0.5 * exp(-pow((abs(r.y) - 0.2) * 14.0, 2.0)) * step(1.25, r.z);
    return c * (1.0 + 0.09 * folds * bends);
  }
  void main() {
    float dither = noise(floor(gl_FragCoord.xy));
    if (vHidden > 0.999 || (vFade <= 1.0 ? dither >= vFade : dither < vFade - 1.0)) discard;
    vec3 c = vFirst, n = normalize(vNormal);
    if (!gl_FrontFacing) n = -n;
    float scatter = 0.25, gloss = 0.02, away = length(vEye);
    if (slot == 0) {
      scatter = 0.35; gloss = 0.045;
      c *= 0.97 + 0.06 * noise(floor(vRest.yz * 900.0)) * step(away, 4.0);
      c = mix(c, vSecond * 0.9, vScalp * step(0.5, 1.0 - float(kind)));
      c = face(c, vRest, away);
    } else if (slot <= 2) {
      float strand = atan(vRest.y, vRest.x + 0.01) * 46.0 + vRest.z * 20.0;
      c *= 0.78 + 0.34 * noise(vec2(floor(strand * 1.5), 3.0)) * step(away, 14.0) + 0.17 * step(14.0, away);
      gloss = 0.035;
      if (slot == 2) c *= 0.9;
      // Strands catch the light each in its own way.
      float lean = noise(vec2(floor(strand * 3.0), 7.0)) - 0.5;
      n = normalize(n + vec3(-n.y, n.x, 0.0) * lean * 0.5 * smoothstep(12.0, 2.0, away));
    } else if (slot == 3) {
      c = cloth(vRest, gloss);
      if (away < FOLDED) n = bumped(n, topFolds(vRest, vCode.y) * (1.0 - smoothstep(0.4 * FOLDED, FOLDED, away)));
    } else if (slot == 4) {
      // Denim is worn lighter at the thighs; seams run down the sides.
      float blue = smoothstep(0.02, 0.08, vFirst.b - vFirst.r);
      c *= 1.0 + blue * (0.35 * exp(-pow((vRest.z - 0.68) * 7.0, 2.0)) * step(0.0, vRest.x) + 0.10 * (noise(floor(vRest.yz * 700.0)) - 0.5));
      float knee = sin(vRest.z * 120.0 + sin(vRest.y * 50.0) * 2.0) * exp(-pow((vRest.z - 0.46) * 11.0, 2.0));
      float ankle = sin(vRest.z * 150.0 + vRest.y * 30.0) * exp(-pow((vRest.z - 0.13) * 14.0, 2.0));
      if (away < FOLDED) n = bumped(n, legFolds(vRest, vCode.y) * (1.0 - smoothstep(0.4 * FOLDED, FOLDED, away)));
      c *= 1.0 + 0.07 * knee + 0.08 * ankle - 0.12 * (1.0 - soft(0.003, abs(vRest.x + 0.01), 0.002)) * step(0.12, abs(vRest.y));
    } else if (slot == 5) {
      gloss = kind == 1 ? 0.03 : 0.12;
      vec3 sole = kind == 1 ? vec3(0.82, 0.81, 0.78) : vec3(0.02);
      c = mix(c, sole, 1.0 - soft(kind == 1 ? 0.024 : 0.012, vRest.z, 0.0015));
      if (kind == 1) c = mix(c, vec3(0.85), step(abs(abs(vRest.y) - 0.089), 0.013) * step(0.5, fract(vRest.x * 55.0)) * step(0.02, vRest.x) * step(vRest.x, 0.10) * step(0.055, vRest.z));
    } else if (slot == 6) {
      c *= 0.94 + 0.06 * sin(vRest.z * 600.0) * float(kind == 1);
    } else if (slot == 7) {
      c = kind == 1 ? vec3(0.008) : mix(vec3(0.02), vFirst * 0.4, 0.4); gloss = 0.5;
    } else if (slot == 8) {
      c = patterned(c, vSecond, vRest, vCode.y > 0.5 ? 1.0 : 0.0, 0.8) * (0.9 + 0.1 * sin(vRest.z * 420.0));
    } else {
      gloss = 0.10;
      if (kind == 1) { c = vec3(0.012); gloss = 0.4; }
    }
    if (!gl_FrontFacing) c *= 0.45;
    if (slot == 3 || slot == 4) c = mix(c, vTint.rgb * (slot == 3 ? 1.0 : 0.72), vTint.a);
    colour = linearToOutputTexel(vec4(lit(c, n, vEye, vHeight, scatter, gloss), 1.0));
  }`;

/** The numbers by which shaders tell pieces of a slot apart. */
export const KINDS: Record<string, number> = {
  "t-shirt": 0, shirt: 1, sweater: 2, hoodie: 3, jacket: 4, coat: 5, dress: 6, trainers: 1, beanie: 1, sunglasses: 1, phone: 1,
};
