// The solids of the mechanism, as they come; groups move with bodies, and stretch with what reaches between them.
import * as THREE from "three";
import type { Reach, Scene, Solid, Vector } from "../data";
import { type Motion, place, type Poses } from "../motion";

interface Group {
  frame: string;
  stretch: string;
  group: THREE.Group;
}
const Z = new THREE.Vector3(0, 0, 1);

export class Solids {
  readonly group = new THREE.Group();
  private groups: Group[] = [];
  private reaches: Map<string, Reach>;
  private materials = new Map<string, { material: THREE.MeshStandardMaterial; colour: string; paint: string }>();

  constructor(
    scene: Scene,
    private motion: Motion,
  ) {
    this.reaches = new Map(scene.reaches.map((reach) => [reach.name, reach]));
    for (const solid of scene.solids) {
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute("position", new THREE.BufferAttribute(solid.places, 3));
      geometry.setAttribute("normal", new THREE.BufferAttribute(solid.normals, 3));
      geometry.setIndex(new THREE.BufferAttribute(solid.triangles, 1));
      this.of(solid).add(new THREE.Mesh(geometry, this.material(solid)));
    }
  }

  move(poses: Poses, time: number): void {
    for (const { frame, stretch, group } of this.groups) {
      const reach = this.reaches.get(frame);
      if (reach) {
        this.reach(reach, stretch, group, poses, time);
        continue;
      }
      const pose = poses[frame];
      group.visible = pose !== null;
      if (!pose) continue;
      group.position.set(pose[0], pose[1], pose[2]);
      group.quaternion.set(pose[4], pose[5], pose[6], pose[3]);
    }
  }

  recolour(lighter: number, steel: THREE.Color): void {
    for (const { material, colour, paint } of this.materials.values()) {
      if (paint === "steel") material.color.copy(steel);
      else material.color.set(colour).lerp(new THREE.Color("white"), paint === "ink" ? 2 * lighter : lighter);
    }
  }

  private of({ frame, stretch }: Solid): THREE.Group {
    const known = this.groups.find((entry) => entry.frame === frame && entry.stretch === stretch);
    if (known) return known.group;
    const group = new THREE.Group();
    this.groups.push({ frame, stretch, group });
    this.group.add(group);
    return group;
  }

  private material({ colour, paint }: Solid): THREE.MeshStandardMaterial {
    const known = this.materials.get(colour);
    if (known) return known.material;
    const metal = paint === "steel";
    const material = new THREE.MeshStandardMaterial({ roughness: metal ? 0.45 : 0.55, metalness: metal ? 0.35 : 0.05 });
    this.materials.set(colour, { material, colour, paint });
    return material;
  }

  // z along the reach from its first end; stretched to its length along it, or altogether.
  private reach(reach: Reach, stretch: string, group: THREE.Group, poses: Poses, time: number): void {
    const start = place(poses, reach.first.body, reach.first.at);
    const along = this.motion.along(reach, poses, time);
    group.visible = start !== null && along !== null;
    if (!start || !along) return;
    const length = Math.max(Math.hypot(...along), 1e-12);
    const wide = stretch === "all" ? length : 1;
    group.position.copy(vector(start));
    group.quaternion.setFromUnitVectors(Z, vector(along).divideScalar(length));
    group.scale.set(wide, wide, stretch === "none" ? 1 : length);
  }
}

export function vector(v: Vector): THREE.Vector3 {
  return new THREE.Vector3(v[0], v[1], v[2]);
}
