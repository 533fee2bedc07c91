// Fingers: one draws, two look around; where a pen draws, fingers only look around.
import * as THREE from "three";
import type { OrbitControls } from "three/addons/controls/OrbitControls.js";

export class Fingers {
  private readonly down = new Map<number, { x: number; y: number }>();
  private pen = false;

  /** `drop` forgets a stroke that a second finger ends. */
  constructor(private readonly canvas: HTMLCanvasElement, private readonly orbit: () => OrbitControls | null, private readonly drop: () => void) {
    window.addEventListener("pointercancel", (event) => { this.down.delete(event.pointerId); });
  }

  /** A pointer comes down; returns whether it looks around and draws nothing. */
  press(event: PointerEvent): boolean {
    if (event.pointerType === "pen") this.pen = true;
    if (event.pointerType !== "touch") return false;
    this.down.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.down.size > 1) this.drop();
    const looks = this.pen || this.down.size > 1, orbit = this.orbit();
    // The camera's own controls did not see the first finger: both are followed here.
    if (looks && orbit) orbit.enabled = false;
    return looks;
  }

  /** A pointer moves; returns whether it looks around. */
  move(event: PointerEvent): boolean {
    const before = this.down.get(event.pointerId), orbit = this.orbit();
    if (event.pointerType !== "touch" || !before || !orbit) return false;
    const now = { x: event.clientX, y: event.clientY };
    const other = [...this.down].find(([id]) => id !== event.pointerId)?.[1];
    this.down.set(event.pointerId, now);
    if (!other) { if (this.pen) this.slide(orbit, now.x - before.x, now.y - before.y); return this.pen; }
    const apart = (at: { x: number; y: number }) => Math.max(20, Math.hypot(at.x - other.x, at.y - other.y));
    this.slide(orbit, (now.x - before.x) / 2, (now.y - before.y) / 2);
    this.zoom(orbit, apart(before) / apart(now));
    return true;
  }

  release(event: PointerEvent) {
    this.down.delete(event.pointerId);
    const orbit = this.orbit();
    if (this.down.size === 0 && orbit) orbit.enabled = true;
  }

  /** Moves the ground along with the fingers. */
  private slide(orbit: OrbitControls, dx: number, dy: number) {
    const eye = orbit.object as THREE.PerspectiveCamera, away = eye.position.distanceTo(orbit.target);
    const metres = (2 * away * Math.tan((eye.fov * Math.PI) / 360)) / this.canvas.clientHeight;
    const right = new THREE.Vector3().setFromMatrixColumn(eye.matrix, 0), forward = new THREE.Vector3(-right.y, right.x, 0).normalize();
    const by = right.multiplyScalar(-dx * metres).addScaledVector(forward, dy * metres);
    orbit.target.add(by);
    eye.position.add(by);
  }

  private zoom(orbit: OrbitControls, by: number) {
    const eye = orbit.object, away = eye.position.clone().sub(orbit.target);
    const far = Math.min(Math.max(away.length() * by, orbit.minDistance), orbit.maxDistance);
    eye.position.copy(orbit.target).add(away.setLength(far));
  }
}
