// The solids of the mechanism, as they come; groups move with bodies, and stretch with what reaches between them.
import * as THREE from "three";
import type { Reach, Scene, Solid, Vector } from "../data";
import { baseName } from "../forces";
import type { Motion, Poses } from "../motion";

interface Group {
  frame: string;
  stretch: string;
  group: THREE.Group;
  shadow: THREE.Group; // of the same shapes, where the others are; flattened by what it is in
}
type Material = THREE.MeshStandardMaterial | THREE.MeshLambertMaterial;
const Z = new THREE.Vector3(0, 0, 1);
const SHARP = 26; // degrees between faces that meet in an edge; round things have corners of 15
export const FORCES = 1; // the layer of their arrows, which nothing hides

export class Solids {
  readonly group = new THREE.Group();
  readonly shadow = new THREE.Group();
  forces = true; // whether their arrows are seen
  seen: Set<string> | null = null; // names of the arrows that are; null: all
  private mask = new THREE.MeshBasicMaterial({ color: 0xffffff, side: THREE.DoubleSide, fog: false });
  private edge = new THREE.LineBasicMaterial({ transparent: true, opacity: 0.45 });
  private thick: number; // what joins two bodies reaches so far out of them
  private groups: Group[] = [];
  private reaches: Map<string, Reach>;
  private materials = new Map<string, { material: Material; colour: string; paint: string }>();

  constructor(
    scene: Scene,
    private motion: Motion,
    down: THREE.Matrix4,
    private soft: boolean, // whether a program draws: plain light costs it a tenth less
  ) {
    this.thick = scene.thick;
    this.shadow.matrixAutoUpdate = false;
    this.shadow.matrix.copy(down);
    this.reaches = new Map(scene.reaches.map((reach) => [reach.name, reach]));
    for (const solid of scene.solids) {
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute("position", new THREE.BufferAttribute(solid.places, 3));
      geometry.setAttribute("normal", new THREE.BufferAttribute(solid.normals, 3));
      geometry.setIndex(new THREE.BufferAttribute(solid.triangles, 1));
      const { group, shadow } = this.of(solid);
      const mesh = new THREE.Mesh(geometry, this.material(solid));
      group.add(mesh);
      const acts = this.reaches.get(solid.frame)?.to_scale;
      if (acts) mesh.layers.set(FORCES);
      else group.add(new THREE.LineSegments(new THREE.EdgesGeometry(geometry, SHARP), this.edge));
      if (!acts) shadow.add(new THREE.Mesh(geometry, this.mask));
    }
  }

  move(poses: Poses, time: number): void {
    for (const { frame, stretch, group, shadow } of this.groups) {
      const reach = this.reaches.get(frame);
      const hidden = !this.forces || (this.seen && !this.seen.has(baseName(frame)));
      if (reach?.to_scale && hidden) group.visible = false;
      else if (reach) this.reach(reach, stretch, group, poses, time);
      else stand(group, poses[frame]);
      shadow.visible = group.visible;
      shadow.position.copy(group.position);
      shadow.quaternion.copy(group.quaternion);
      shadow.scale.copy(group.scale);
    }
  }

  // Lights the solids of some bodies by a glow; null: none.
  light(bodies: Set<string> | null): void {
    for (const { frame, group } of this.groups) {
      group.traverse((mesh) => {
        if (!(mesh instanceof THREE.Mesh)) return;
        mesh.userData.plain ??= mesh.material;
        const lit = bodies?.has(frame);
        if (lit && !mesh.userData.lit) {
          mesh.userData.lit = mesh.userData.plain.clone();
          mesh.userData.lit.emissive.copy(mesh.userData.plain.color);
          mesh.userData.lit.emissiveIntensity = 0.45;
        }
        mesh.material = lit ? mesh.userData.lit : mesh.userData.plain;
      });
    }
  }

  // The frame of the first solid that a ray meets, and where.
  hit(ray: THREE.Raycaster): { frame: string; at: number[] } | null {
    const hits = ray.intersectObject(this.group, true);
    const [first] = hits.filter(({ object }) => object instanceof THREE.Mesh && object.parent?.visible);
    const frame = this.groups.find(({ group }) => group === first?.object.parent)?.frame;
    return frame ? { frame, at: first.point.toArray() } : null;
  }

  // Takes away what lies before a plane; null: all is whole.
  cut(plane: THREE.Plane | null): void {
    for (const material of [...this.materials.values()].map((one) => one.material)) {
      material.clippingPlanes = plane && [plane];
      material.side = plane ? THREE.DoubleSide : THREE.FrontSide;
      material.needsUpdate = true;
    }
    this.edge.clippingPlanes = plane && [plane];
    this.edge.needsUpdate = true;
  }

  // Whether another body lies between a place of one and the eye, which is far away in a direction.
  hides(own: string, at: THREE.Vector3, towards: THREE.Vector3): boolean {
    const ray = new THREE.Raycaster(at, towards);
    const others = this.groups.filter(({ frame, group }) => frame !== own && group.visible && !this.reaches.has(frame));
    const hits = ray.intersectObjects(
      others.map(({ group }) => group),
      true,
    );
    return hits.some(({ object, distance }) => object instanceof THREE.Mesh && distance > this.thick);
  }

  recolour(lighter: number, steel: THREE.Color): void {
    this.edge.color.set(lighter ? 0x000000 : 0x1d2126);
    for (const { material, colour, paint } of this.materials.values()) {
      if (paint === "steel") material.color.copy(steel);
      else if (paint === "frame")
        material.color.set(colour).multiplyScalar(1 - 1.6 * lighter); // no light in the dark
      else material.color.set(colour).lerp(new THREE.Color("white"), paint === "ink" ? 2 * lighter : lighter);
    }
  }

  private of({ frame, stretch }: Solid): Group {
    const known = this.groups.find((entry) => entry.frame === frame && entry.stretch === stretch);
    if (known) return known;
    const made = { frame, stretch, group: new THREE.Group(), shadow: new THREE.Group() };
    this.groups.push(made);
    this.group.add(made.group);
    this.shadow.add(made.shadow);
    return made;
  }

  private material({ colour, paint }: Solid): Material {
    const known = this.materials.get(colour);
    if (known) return known.material;
    const metal = paint === "steel";
    const gloss = { roughness: metal ? 0.45 : 0.55, metalness: metal ? 0.35 : 0.05 };
    const material = this.soft ? new THREE.MeshLambertMaterial() : new THREE.MeshStandardMaterial(gloss);
    material.fog = !["load", "force", "open"].includes(paint); // forces do not fade with their distance
    this.materials.set(colour, { material, colour, paint });
    return material;
  }

  // z along the reach from its first end; stretched to its length along it, or altogether.
  private reach(reach: Reach, stretch: string, group: THREE.Group, poses: Poses, time: number): void {
    const start = this.motion.begin(reach, poses, time);
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

function stand(group: THREE.Group, pose: Vector | null | undefined): void {
  group.visible = pose !== null;
  if (!pose) return;
  group.position.set(pose[0], pose[1], pose[2]);
  group.quaternion.set(pose[4], pose[5], pose[6], pose[3]);
}

export function vector(v: Vector): THREE.Vector3 {
  return new THREE.Vector3(v[0], v[1], v[2]);
}
