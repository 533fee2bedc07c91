// Two ways to look: around a point, or walking with one's eyes at 1.7 m.
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

const EYES = 1.7, WALK = 2.5;

export class Camera {
  readonly eye = new THREE.PerspectiveCamera(50, 1, 0.1, 4000);
  readonly orbit: OrbitControls;
  walking = false;
  /** Whether a camera of the scene holds it: hands do not move it then. */
  held = false;
  /** Whether it follows from near, behind the shoulder. */
  near = false;
  readonly keys = new Set<string>();
  private yaw = 0;
  private pitch = -0.05;
  private dragging: { x: number; y: number } | null = null;

  constructor(private readonly canvas: HTMLCanvasElement, centre: THREE.Vector3, radius: number) {
    this.eye.up.set(0, 0, 1);
    const away = Math.min(radius, 60);
    this.eye.position.set(centre.x + away * 0.35, centre.y - away * 0.75, away * 0.42);
    this.orbit = new OrbitControls(this.eye, canvas);
    this.orbit.target.copy(centre);
    this.orbit.enableDamping = true;
    this.orbit.maxPolarAngle = Math.PI / 2 - 0.03;
    this.orbit.minDistance = 1.2;
    this.orbit.maxDistance = radius * 5;
    this.orbit.zoomToCursor = true;
    this.orbit.update();
    canvas.addEventListener("pointerdown", (event) => { if (this.walking) this.dragging = { x: event.clientX, y: event.clientY }; });
    window.addEventListener("pointerup", () => { this.dragging = null; });
    window.addEventListener("pointermove", (event) => {
      if (!this.dragging) return;
      this.yaw += (event.clientX - this.dragging.x) * 0.004;
      this.pitch = Math.min(1.2, Math.max(-1.2, this.pitch + (event.clientY - this.dragging.y) * 0.003));
      this.dragging = { x: event.clientX, y: event.clientY };
    });
  }

  setWalking(walking: boolean) {
    if (walking === this.walking) return;
    this.walking = walking;
    this.orbit.enabled = !walking;
    const forward = this.eye.getWorldDirection(new THREE.Vector3());
    if (walking) {
      this.yaw = Math.atan2(forward.y, forward.x);
      this.pitch = -0.05;
      const target = this.orbit.target;
      this.eye.position.set(target.x - Math.cos(this.yaw) * 6, target.y - Math.sin(this.yaw) * 6, EYES);
    } else {
      this.orbit.target.copy(this.eye.position).addScaledVector(forward, 8).setZ(0.9);
      this.eye.position.addScaledVector(forward, -4).setZ(6);
    }
  }

  /** Keeps a moving point in the middle. */
  follow(x: number, y: number, heading = 0, seconds = 0) {
    const target = this.orbit.target;
    const dx = x - target.x, dy = y - target.y;
    target.x += dx;
    target.y += dy;
    target.z += (0.95 - target.z) * 0.1;
    this.eye.position.x += dx;
    this.eye.position.y += dy;
    if (!this.near) return;
    // Comes round slowly to behind the left shoulder.
    const behind = heading + Math.PI - 0.5, share = 1 - Math.exp(-2.5 * seconds);
    const place = new THREE.Vector3(x + Math.cos(behind) * 2.6, y + Math.sin(behind) * 2.6, EYES + 0.15);
    this.eye.position.lerp(place, share);
    target.z += (1.35 - target.z) * share;
  }

  /** Comes near a point to look at it. */
  approach(x: number, y: number) {
    const back = this.eye.position.clone().sub(this.orbit.target).setLength(Math.min(9, this.eye.position.distanceTo(this.orbit.target)));
    this.orbit.target.set(x, y, 0.95);
    this.eye.position.copy(this.orbit.target).add(back);
    this.eye.position.z = Math.max(this.eye.position.z, 1.8);
  }

  update(seconds: number) {
    if (this.held) return;
    if (!this.walking) {
      this.orbit.update();
      return;
    }
    const step = WALK * (this.keys.has("shift") ? 3 : 1) * seconds;
    const forward = Number(this.keys.has("w")) - Number(this.keys.has("s"));
    const left = Number(this.keys.has("a")) - Number(this.keys.has("d"));
    this.yaw += (Number(this.keys.has("q")) - Number(this.keys.has("e"))) * seconds;
    const cos = Math.cos(this.yaw), sin = Math.sin(this.yaw);
    this.eye.position.x += (cos * forward - sin * left) * step;
    this.eye.position.y += (sin * forward + cos * left) * step;
    this.eye.position.z = EYES;
    this.eye.lookAt(this.eye.position.x + cos * Math.cos(this.pitch), this.eye.position.y + sin * Math.cos(this.pitch), EYES + Math.sin(this.pitch));
  }

  resize() {
    const { clientWidth, clientHeight } = this.canvas;
    this.eye.aspect = clientWidth / Math.max(1, clientHeight);
    this.eye.updateProjectionMatrix();
  }
}
