// The sun: light from one side, with shadows as fine as the crowd that is seen allows.
import * as THREE from "three";

/** Shadows of a crowd are drawn within so many metres at least and at most. */
const LEAST = 5, MOST = 42, FAR = 90;

/** Whether pictures are drawn without a graphics card, and nobody asked for fine ones all the same (`?fine`). */
export function drawsSlowly(): boolean {
  const context = document.createElement("canvas").getContext("webgl2"), info = context?.getExtension("WEBGL_debug_renderer_info");
  const name = context && info ? String(context.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "";
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(name) && !new URLSearchParams(location.search).has("fine");
}

export class Sun {
  /** Whether shadows are soft; plain ones cost less. */
  readonly soft: boolean;
  readonly light = new THREE.DirectionalLight("#fff3df", 2.2);

  constructor(private readonly way: THREE.Vector3, renderer: THREE.WebGLRenderer) {
    this.soft = !drawsSlowly();
    renderer.shadowMap.enabled = this.soft;
    renderer.shadowMap.type = THREE.PCFShadowMap;
    this.light.castShadow = this.soft;
    this.light.shadow.mapSize.set(2048, 2048);
    this.light.shadow.radius = 2.5;
    this.light.shadow.bias = -0.0004;
    this.light.shadow.normalBias = 0.02;
    this.light.position.copy(way).multiplyScalar(FAR);
  }

  /** Shines from another side. */
  point(way: THREE.Vector3) {
    this.way.copy(way);
    this.light.position.copy(way).multiplyScalar(FAR).add(this.light.target.position);
  }

  /** Lays the shadow map over those who are near enough to be seen well. */
  fit(shaded: THREE.Box2) {
    if (!this.soft || shaded.isEmpty()) return;
    const middle = shaded.getCenter(new THREE.Vector2());
    // In steps: a map that crept along with the crowd would make edges of shadows swim.
    const half = Math.min(MOST, Math.max(LEAST, Math.ceil(shaded.getSize(new THREE.Vector2()).length() / 8) * 4 + 2));
    const grain = half / 16;
    const [x, y] = [Math.round(middle.x / grain) * grain, Math.round(middle.y / grain) * grain];
    this.light.target.position.set(x, y, 0);
    this.light.target.updateMatrixWorld();
    this.light.position.copy(this.way).multiplyScalar(FAR).add(this.light.target.position);
    const { camera } = this.light.shadow;
    if (camera.right !== half) {
      [camera.left, camera.right, camera.bottom, camera.top] = [-half, half, -half, half];
      [camera.near, camera.far] = [1, FAR * 2];
      camera.updateProjectionMatrix();
    }
  }
}
