// Validates glTF files and opens them with three.js: see scripts/export-tests.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import validator from "gltf-validator";
import * as THREE from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";

globalThis.self ??= globalThis;
for (const path of process.argv.slice(2)) {
  const bytes = readFileSync(path);
  const report = await validator.validateBytes(new Uint8Array(bytes), { maxIssues: 50 });
  const { numErrors, numWarnings, messages } = report.issues;
  assert.deepEqual([numErrors, numWarnings], [0, 0], JSON.stringify(messages.slice(0, 8), null, 1));
  const gltf = await new GLTFLoader().parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), "");
  const skinned = [];
  gltf.scene.traverse((object) => { if (object.isSkinnedMesh) skinned.push(object); });
  assert.ok(skinned.length > 0 && gltf.animations.length > 0);
  // Playing moves a body, upright and near the ground.
  const mixer = new THREE.AnimationMixer(gltf.scene);
  mixer.clipAction(gltf.animations[0]).play();
  const box = (time) => {
    mixer.setTime(time);
    gltf.scene.updateMatrixWorld(true);
    skinned[0].skeleton.update();
    skinned[0].computeBoundingBox();
    return skinned.slice(0, 5).reduce((all, mesh) => { mesh.computeBoundingBox(); return all.union(mesh.boundingBox); }, new THREE.Box3());
  };
  const first = box(0.2), later = box(Math.min(8, gltf.animations[0].duration * 0.9));
  assert.ok(Math.abs(first.min.y) < 0.12 && first.max.y > 1.2 && first.max.y < 2.1, `body from ${first.min.y} to ${first.max.y} m`);
  assert.ok(!first.equals(later), "nothing moves");
  console.log(`ok  ${path}: ${report.info.animationCount} animations, ${skinned.length} skinned meshes, no error, no warning`);
}
