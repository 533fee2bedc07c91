// Makes a character as other programs rig them out of one of our own bodies: see scripts/export-tests.
// Names as Mixamo has them, an armature in centimetres with z up, crooked joint frames, facing the other way.
import { readFileSync, writeFileSync } from "node:fs";
import * as THREE from "three";

const [from, to] = process.argv.slice(2);
const file = readFileSync(from);
const jsonLength = file.readUInt32LE(12);
const gltf = JSON.parse(file.subarray(20, 20 + jsonLength));
const bin = file.subarray(20 + jsonLength + 8);

const skin = gltf.skins[0];
const parent = new Map();
gltf.nodes.forEach((node, index) => node.children?.forEach((child) => parent.set(child, index)));
const rest = (index) => {
  const place = new THREE.Vector3(...(gltf.nodes[index].translation ?? [0, 0, 0]));
  return parent.has(index) ? rest(parent.get(index)).add(place) : place;
};
const about = new THREE.Matrix4().makeRotationY(Math.PI);
const armature = new THREE.Matrix4().compose(
  new THREE.Vector3(), new THREE.Quaternion().setFromAxisAngle(new THREE.Vector3(1, 0, 0), -Math.PI / 2), new THREE.Vector3(0.01, 0.01, 0.01));
// Where each joint is to be: its place, in a frame that is anything but straight.
const world = skin.joints.map((joint, number) => {
  const crooked = new THREE.Quaternion().setFromEuler(new THREE.Euler(0.7 * number, 1.1 * number, -0.4 * number));
  const at = new THREE.Matrix4().compose(rest(joint), crooked, new THREE.Vector3(0.01, 0.01, 0.01));
  return about.clone().multiply(at);
});
const nodes = [{ name: "Armature", ...parts(armature), children: [1] }];
skin.joints.forEach((joint, number) => {
  const above = skin.joints.indexOf(parent.get(joint));
  const outer = above < 0 ? armature : world[above];
  const name = gltf.nodes[joint].name.replace(/^agent \d+ /, "");
  const node = { name: `mixamorig:${name}`, ...parts(outer.clone().invert().multiply(world[number])) };
  const children = (gltf.nodes[joint].children ?? []).map((child) => 1 + skin.joints.indexOf(child));
  nodes.push(children.length ? { ...node, children } : node);
});
function parts(matrix) {
  const [translation, rotation, scale] = [new THREE.Vector3(), new THREE.Quaternion(), new THREE.Vector3()];
  matrix.decompose(translation, rotation, scale);
  return { translation: translation.toArray(), rotation: rotation.toArray(), scale: scale.toArray() };
}
const binds = Buffer.concat(world.map((matrix) => Buffer.from(new Float32Array(matrix.clone().invert().multiply(about).toArray()).buffer)));
const offset = Math.ceil(bin.length / 4) * 4;
gltf.bufferViews.push({ buffer: 0, byteOffset: offset, byteLength: binds.length });
gltf.accessors.push({ bufferView: gltf.bufferViews.length - 1, componentType: 5126, count: world.length, type: "MAT4" });
const mesh = gltf.nodes.find((node) => node.skin === 0).mesh;
nodes.push({ name: "Body", mesh, skin: 0 });
gltf.nodes = nodes;
gltf.skins = [{ joints: skin.joints.map((_, number) => number + 1), inverseBindMatrices: gltf.accessors.length - 1 }];
gltf.scenes = [{ nodes: [0, nodes.length - 1] }];
gltf.asset.copyright = "whoever made it";
delete gltf.animations;
const all = Buffer.concat([bin, Buffer.alloc(offset - bin.length), binds]);
gltf.buffers = [{ byteLength: all.length }];
let text = JSON.stringify(gltf);
text += " ".repeat((4 - (Buffer.byteLength(text) % 4)) % 4);
const head = Buffer.alloc(20), middle = Buffer.alloc(8);
head.write("glTF"); head.writeUInt32LE(2, 4); head.writeUInt32LE(28 + Buffer.byteLength(text) + all.length, 8);
head.writeUInt32LE(Buffer.byteLength(text), 12); head.write("JSON", 16);
middle.writeUInt32LE(all.length, 0); middle.write("BIN\0", 4);
writeFileSync(to, Buffer.concat([head, Buffer.from(text), middle, all]));
