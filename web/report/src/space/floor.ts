// A grid under the mechanism, square to what is up, with a round mesh; and the directions x, y, z at the origin.
import * as THREE from "three";
import type { Scene } from "../data";
import { vector } from "./solids";

export function floor(scene: Scene): THREE.LineSegments {
  const [low, high] = scene.box.map(vector);
  const wide = Math.max(...high.clone().sub(low).toArray()) || scene.size;
  const decade = 10 ** Math.floor(Math.log10(wide / 8));
  const mesh = [1, 2, 5, 10].map((k) => k * decade).find((step) => step >= wide / 10)!;
  const count = 2 * Math.ceil(wide / mesh / 2 + 1);
  const points: number[] = [];
  const half = (count * mesh) / 2;
  for (let k = 0; k <= count; k++) {
    const x = -half + k * mesh;
    points.push(x, -half, 0, x, half, 0, -half, x, 0, half, x, 0);
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
  const grid = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial());
  const up = vector(scene.up);
  const down = low.clone().min(high);
  const middle = low.clone().add(high).multiplyScalar(0.5);
  const least = up.dot(up.dot(new THREE.Vector3(1, 1, 1)) > 0 ? down : high);
  grid.position.copy(middle.addScaledVector(up, least - up.dot(middle) - 0.03 * wide));
  // lines of the grid lie on multiples of its mesh
  for (const axis of ["x", "y", "z"] as const)
    if (up[axis] === 0) grid.position[axis] = mesh * Math.round(grid.position[axis] / mesh);
  grid.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), up);
  return grid;
}

export function triad(length: number): THREE.Group {
  const group = new THREE.Group();
  [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ].forEach((axis, k) => {
    const colour = [0xd55e00, 0x009e73, 0x0072b2][k];
    group.add(
      new THREE.ArrowHelper(
        new THREE.Vector3(...axis),
        new THREE.Vector3(),
        length,
        colour,
        0.22 * length,
        0.11 * length,
      ),
    );
  });
  return group;
}
