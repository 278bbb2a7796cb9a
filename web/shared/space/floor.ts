// The floor: a grid under the mechanism, square to what is up, with a round mesh, and the shadows that fall on it.
import * as THREE from "three";
import type { Scene } from "../data";
import { vector } from "./solids";

const BELOW = 1.5; // half widths of a link between the lowest part and the floor

export interface Floor {
  grid: THREE.LineSegments;
  mesh: number; // from line to line
  level: number; // of the shadow, along what is up
  down: THREE.Matrix4; // a place to its shadow, straight below it
}

export function floor(scene: Scene): Floor {
  const [low, high] = scene.box.map(vector);
  const up = vector(scene.up);
  const wide = Math.max(...high.clone().sub(low).toArray()) || scene.size;
  const decade = 10 ** Math.floor(Math.log10(wide / 9));
  const mesh = [1, 2, 5, 10].map((k) => k * decade).find((step) => step >= (0.999 * wide) / 9)!;
  const level = Math.min(up.dot(low), up.dot(high)) - BELOW * scene.thick;
  const grid = new THREE.LineSegments(squares(low, high, up, level, mesh), new THREE.LineBasicMaterial());
  const over = level + 0.002 * wide;
  return { grid, mesh, level: over, down: flattened(up, over) };
}

// Lines at multiples of the mesh along the two sides that are square to what is up.
function squares(
  low: THREE.Vector3,
  high: THREE.Vector3,
  up: THREE.Vector3,
  level: number,
  mesh: number,
): THREE.BufferGeometry {
  const sides = [0, 1, 2].filter((k) => Math.abs(up.getComponent(k)) < 0.5);
  const ends = sides.map((k) => {
    const [from, to] = [Math.floor(low.getComponent(k) / mesh), Math.ceil(high.getComponent(k) / mesh)];
    return [from, Math.max(to, from + 1)];
  });
  const points: THREE.Vector3[] = [];
  const at = (a: number, b: number): THREE.Vector3 =>
    up
      .clone()
      .multiplyScalar(level)
      .setComponent(sides[0], a * mesh)
      .setComponent(sides[1], b * mesh);
  for (let k = ends[0][0]; k <= ends[0][1]; k++) points.push(at(k, ends[1][0]), at(k, ends[1][1]));
  for (let k = ends[1][0]; k <= ends[1][1]; k++) points.push(at(ends[0][0], k), at(ends[0][1], k));
  return new THREE.BufferGeometry().setFromPoints(points);
}

// p − (u·p − level) u
function flattened(u: THREE.Vector3, level: number): THREE.Matrix4 {
  const row = (k: number): number[] => {
    const along = [0, 1, 2].map((n) => (n === k ? 1 : 0) - u.getComponent(k) * u.getComponent(n));
    return [...along, level * u.getComponent(k)];
  };
  const [a, b, c] = [0, 1, 2].map(row);
  return new THREE.Matrix4(a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3], c[0], c[1], c[2], c[3], 0, 0, 0, 1);
}
