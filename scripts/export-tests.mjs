// Validates glTF files and opens them with three.js: see scripts/export-tests.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import validator from "gltf-validator";
import * as THREE from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";

globalThis.self ??= globalThis;
const opened = new Map();
for (const path of process.argv.slice(2)) {
  const bytes = readFileSync(path);
  const report = await validator.validateBytes(new Uint8Array(bytes), { maxIssues: 2000 });
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
  opened.set(basename(path), { scene: gltf.scene, mixer });
  const first = box(0.2), later = box(Math.min(8, gltf.animations[0].duration * 0.9));
  assert.ok(Math.abs(first.min.y) < 0.12 && first.max.y > 1.2 && first.max.y < 2.1, `body from ${first.min.y} to ${first.max.y} m`);
  assert.ok(!first.equals(later), "nothing moves");
  console.log(`ok  ${path}: ${report.info.animationCount} animations, ${skinned.length} skinned meshes, no error, no warning`);
}

// A character of other make, in the same run: feet stand where those of our own body do, and all else is there in the size of
// the person.
const [own, worn] = ["near.glb", "worn.glb"].map((name) => opened.get(name));
if (own && worn) {
  let worst = 0;
  for (const time of [0.5, 2, 4.3, 7.7, 9.5]) {
    const places = [own, worn].map(({ scene, mixer }) => {
      mixer.setTime(time);
      scene.updateMatrixWorld(true);
      const places = new Map();
      const placed = scene.getObjectByName("agent_7");
      places.set("root", placed.getWorldPosition(new THREE.Vector3()));
      places.set("size", placed.getWorldScale(new THREE.Vector3()).y);
      scene.traverse((object) => {
        if (object.isBone) places.set(object.name.replace(/^mixamorig|^agent_7_/, ""), object.getWorldPosition(new THREE.Vector3()));
      });
      return places;
    });
    for (const joint of ["Hips", "LeftFoot", "RightFoot", "LeftHand", "RightHand", "Head"]) {
      assert.ok(places[0].has(joint) && places[1].has(joint), `${joint} in ${[...places[1].keys()]}`);
      const [mine, theirs] = places.map((all) => all.get(joint).clone().sub(all.get("root")));
      const feet = joint.endsWith("Foot");
      if (feet) [mine.y, theirs.y] = [0, 0];
      else mine.divideScalar(places[0].get("size"));
      worst = Math.max(worst, mine.distanceTo(theirs));
    }
  }
  // Feet are held to the ground anew on each skeleton, which may lower the hips a little.
  assert.ok(worst < 0.03, `joints are up to ${worst} m apart`);
  console.log(`ok  a rigged character moves as our own body does: joints within ${(worst * 1000).toFixed(1)} mm`);
}
