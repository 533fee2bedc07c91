// Vehicles: bodies of glass above the doors, so that those who ride can be seen.
import * as THREE from "three";
import { category } from "./looks";

export interface VehicleShape { name: string; length: number; width: number }
export interface VehicleMoment { vehicle: number; open: boolean; x: number; y: number; heading: number }

const HEIGHT = 2.9, SILL = 0.95, FLOOR = 0.06, WHEEL = 0.48;

export class Vehicles {
  readonly group = new THREE.Group();
  private readonly lamps: THREE.MeshBasicMaterial[] = [];

  constructor(shapes: VehicleShape[]) {
    shapes.forEach((shape, index) => this.group.add(this.body(shape, category(index))));
  }

  /** A body around its middle, facing along x. */
  private body({ length, width }: VehicleShape, colour: string): THREE.Group {
    const body = new THREE.Group();
    const paint = new THREE.MeshLambertMaterial({ color: colour, side: THREE.DoubleSide });
    const glass = new THREE.MeshLambertMaterial({ color: "#a9c7de", transparent: true, opacity: 0.22, depthWrite: false, side: THREE.DoubleSide });
    const dark = new THREE.MeshLambertMaterial({ color: "#23262e" });
    const lamp = new THREE.MeshBasicMaterial();
    this.lamps.push(lamp);
    const box = (size: [number, number, number], at: [number, number, number], material: THREE.Material) => {
      const mesh = new THREE.Mesh(new THREE.BoxGeometry(...size), material);
      mesh.position.set(...at);
      body.add(mesh);
    };
    const side = width / 2, end = length / 2, wall = 0.06;
    for (const sign of [-1, 1]) {
      box([length, wall, SILL - 0.25], [0, sign * side, (SILL + 0.25) / 2], paint);
      box([wall, width, SILL - 0.25], [sign * end, 0, (SILL + 0.25) / 2], paint);
      box([length, wall, HEIGHT - SILL], [0, sign * side, (HEIGHT + SILL) / 2], glass);
      box([wall, width, HEIGHT - SILL], [sign * end, 0, (HEIGHT + SILL) / 2], glass);
      box([length, 0.12, 0.14], [0, sign * side, HEIGHT], paint);
      box([0.12, width, 0.14], [sign * end, 0, HEIGHT], paint);
      // The doors' lamps, over both sides.
      box([0.5, 0.16, 0.1], [0, sign * side, HEIGHT + 0.13], lamp);
      for (const along of [-0.3, 0.3]) {
        const wheel = new THREE.Mesh(new THREE.CylinderGeometry(WHEEL, WHEEL, 0.22, 24), dark);
        wheel.position.set(along * length, sign * (side - 0.06), WHEEL);
        body.add(wheel);
      }
    }
    box([length, width, 0.05], [0, 0, HEIGHT], glass);
    box([length, width, FLOOR], [0, 0, FLOOR / 2], dark);
    box([0.06, width * 0.8, 0.16], [end + 0.03, 0, SILL - 0.25], new THREE.MeshBasicMaterial({ color: "#fff3c4" }));
    body.visible = false;
    return body;
  }

  /** Shows those that are on their way where they are. */
  update(moments: VehicleMoment[]) {
    for (const body of this.group.children) body.visible = false;
    for (const { vehicle, open, x, y, heading } of moments) {
      const body = this.group.children[vehicle];
      if (!body) continue;
      body.visible = true;
      body.position.set(x, y, 0);
      body.rotation.z = heading;
      this.lamps[vehicle].color.set(open ? "#27b35a" : "#e5322d");
    }
  }
}
