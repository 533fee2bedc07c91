// Cameras of the scene: they stand, go along keys, or follow somebody.
import * as THREE from "three";

export interface CameraShape {
  name: string; field_of_view: number;
  /** The person that it follows; places are then counted from there: ahead, to the left, up. */
  follow?: number;
  keys: { time: number; at: [number, number, number]; look_at: [number, number, number] }[];
}

/** Where somebody is and faces. */
export interface Subject { x: number; y: number; heading: number }

/** A value between keys, smooth in place and speed: Hermite's curve with the slopes between neighbours. */
function between(times: number[], values: number[], time: number): number {
  const last = times.length - 1;
  if (last < 1 || time <= times[0]) return values[0];
  if (time >= times[last]) return values[last];
  const at = times.findIndex((each) => each > time) - 1;
  const slope = (key: number) => {
    const [a, b] = [Math.max(0, key - 1), Math.min(last, key + 1)];
    // A camera starts and comes to rest slowly.
    return key === 0 || key === last ? 0 : (values[b] - values[a]) / (times[b] - times[a]);
  };
  const step = times[at + 1] - times[at], t = (time - times[at]) / step, t2 = t * t, t3 = t2 * t;
  return values[at] * (2 * t3 - 3 * t2 + 1) + values[at + 1] * (3 * t2 - 2 * t3)
    + slope(at) * step * (t3 - 2 * t2 + t) + slope(at + 1) * step * (t3 - t2);
}

/** Puts cameras into place. */
export class Cameras {
  /** The way that the followed one is seen to go: it turns more slowly than the person does. */
  private heading = NaN;
  private before = NaN;

  constructor(readonly all: CameraShape[]) {}

  find(name: string): CameraShape | undefined {
    const near = /^near (\d+)$/.exec(name);
    if (near) return { name, field_of_view: 45, follow: Number(near[1]), keys: [{ time: 0, at: [-3.2, 0.9, 2.0], look_at: [0.6, 0, 1.35] }] };
    return this.all.find((camera) => camera.name === name);
  }

  /** Moves `eye` to where a camera is at a time; `subject` is whom it follows, where that one is there. */
  place(camera: CameraShape, time: number, subject: Subject | null, eye: THREE.PerspectiveCamera, target: THREE.Vector3) {
    const times = camera.keys.map((key) => key.time);
    const value = (part: "at" | "look_at", axis: number) => between(times, camera.keys.map((key) => key[part][axis]), time);
    const at = new THREE.Vector3(value("at", 0), value("at", 1), value("at", 2));
    target.set(value("look_at", 0), value("look_at", 1), value("look_at", 2));
    if (camera.follow !== undefined) {
      if (!subject) return;
      const passed = Math.abs(time - this.before), turn = Math.atan2(Math.sin(subject.heading - this.heading), Math.cos(subject.heading - this.heading));
      // After a jump in time it is there at once.
      this.heading = Number.isFinite(turn) && passed < 1 ? this.heading + turn * (1 - Math.exp(-2 * passed)) : subject.heading;
      this.before = time;
      const up = new THREE.Vector3(0, 0, 1), away = new THREE.Vector3(subject.x, subject.y, 0);
      at.applyAxisAngle(up, this.heading).add(away);
      target.applyAxisAngle(up, this.heading).add(away);
    }
    eye.position.copy(at);
    eye.lookAt(target);
    if (eye.fov !== camera.field_of_view) {
      eye.fov = camera.field_of_view;
      eye.updateProjectionMatrix();
    }
  }
}
