// The user's own set: a glTF file that the run carries.
import * as THREE from "three";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";

/** Bytes in base 64, where the origin is in metres, turn in radians, size. */
export interface SetModel { data: string; at: [number, number]; heading: number; scale: number }

export async function ownSet({ data, at, heading, scale }: SetModel): Promise<THREE.Group> {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  const { scene } = await new GLTFLoader().parseAsync(bytes.buffer, "");
  scene.traverse((each) => { if (each instanceof THREE.Mesh) each.castShadow = each.receiveShadow = true; });
  const upright = new THREE.Group(), placed = new THREE.Group();
  // There y is up; here z is.
  upright.rotation.x = Math.PI / 2;
  upright.add(scene);
  placed.position.set(...at, 0);
  placed.rotation.z = heading;
  placed.scale.setScalar(scale);
  placed.add(upright);
  return placed;
}
