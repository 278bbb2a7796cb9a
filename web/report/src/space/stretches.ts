// What reaches from body to body in space: springs as helices, massless rods, rods of rams.
import * as THREE from "three";
import type { End, Scene } from "../data";
import { place, type Poses } from "../motion";
import { vector } from "./solids";

interface Stretch {
  first: End;
  second: End;
  mesh: THREE.Mesh;
  length?: number;
} // a barrel keeps its length
const TURNS = 9;

// A helix about y from 0 to 1, with straight ends; it is stretched to its length.
class Helix extends THREE.Curve<THREE.Vector3> {
  constructor(private radius: number) {
    super();
  }

  getPoint(part: number): THREE.Vector3 {
    const wide = this.radius * Math.min(Math.max(Math.min(part, 1 - part) / 0.06 - 1.2, 0), 1);
    const angle = 2 * Math.PI * TURNS * part;
    return new THREE.Vector3(wide * Math.cos(angle), part, wide * Math.sin(angle));
  }
}

export class Stretches {
  private held: Stretch[] = [];

  constructor(world: THREE.Group, scene: Scene, thick: number, steel: THREE.Material) {
    const rod = new THREE.CylinderGeometry(0.8 * thick, 0.8 * thick, 1, 16).translate(0, 0.5, 0);
    const coil = new THREE.TubeGeometry(new Helix(2.4 * thick), 24 * TURNS, 0.35 * thick, 8);
    const barrel = new THREE.CylinderGeometry(1.7 * thick, 1.7 * thick, 1, 24).translate(0, 0.5, 0);
    const add = (first: End, second: End, geometry: THREE.BufferGeometry, length?: number): void => {
      const mesh = new THREE.Mesh(geometry, steel);
      world.add(mesh);
      this.held.push({ first, second, mesh, length });
    };
    for (const joint of scene.joints) {
      if (joint.glyph === "rod" || joint.glyph === "ram") add(joint.first, joint.second, rod);
      if (joint.glyph === "ram" && joint.kind === "distance")
        add(joint.first, joint.second, barrel, 0.72 * (joint.travel?.[0] ?? 0));
    }
    for (const spring of scene.springs) add(spring.first, spring.second, coil);
  }

  move(poses: Poses): void {
    for (const { first, second, mesh, length: own } of this.held) {
      const a = place(poses, first.body, first.at);
      const b = place(poses, second.body, second.at);
      mesh.visible = a !== null && b !== null;
      if (!a || !b) continue;
      const along = vector(b).sub(vector(a));
      const length = along.length();
      mesh.position.copy(vector(a));
      mesh.scale.set(1, Math.max(own ?? length, 1e-12), 1);
      if (length > 0) mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), along.divideScalar(length));
    }
  }
}
