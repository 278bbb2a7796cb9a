// Solids of bodies: rods, boxes, cylinders, tubes, plates and spheres, in body axes.
import * as THREE from "three";
import type { Shape, Vector } from "../data";

const ROUND = 24;

export function solid(shape: Shape, thin: number): THREE.BufferGeometry {
  if (shape.kind === "rod") return between(vector(shape.from!), vector(shape.to!), shape.radius!);
  return placed(form(shape, thin), shape.at, shape.turned);
}

function form(shape: Shape, thin: number): THREE.BufferGeometry {
  if (shape.kind === "sphere") return new THREE.SphereGeometry(shape.radius!, ROUND, ROUND / 2);
  if (shape.kind === "box") return new THREE.BoxGeometry(...(shape.size as [number, number, number]));
  if (shape.kind === "plate") return new THREE.BoxGeometry(shape.size![0], shape.size![1], thin);
  if (shape.kind === "tube") return tube(shape.radius!, shape.inner!, shape.length!);
  return new THREE.CylinderGeometry(shape.radius!, shape.radius!, shape.length!, ROUND).rotateX(Math.PI / 2);
}

// A wall turned about z.
function tube(outer: number, inner: number, length: number): THREE.BufferGeometry {
  const h = length / 2;
  const wall = [
    [inner, -h],
    [outer, -h],
    [outer, h],
    [inner, h],
    [inner, -h],
  ].map(([x, y]) => new THREE.Vector2(x, y));
  return new THREE.LatheGeometry(wall, ROUND).toNonIndexed().rotateX(Math.PI / 2);
}

function placed(geometry: THREE.BufferGeometry, at?: Vector, turned?: Vector): THREE.BufferGeometry {
  const turn = turned ? new THREE.Quaternion(turned[1], turned[2], turned[3], turned[0]) : new THREE.Quaternion();
  return geometry.applyMatrix4(
    new THREE.Matrix4().compose(at ? vector(at) : new THREE.Vector3(), turn, new THREE.Vector3(1, 1, 1)),
  );
}

// A round bar with round ends from one place to another.
export function between(from: THREE.Vector3, to: THREE.Vector3, radius: number): THREE.BufferGeometry {
  const along = to.clone().sub(from);
  const geometry = new THREE.CapsuleGeometry(radius, along.length(), 6, ROUND);
  return lying(geometry, along, from.clone().add(to).multiplyScalar(0.5));
}

// A cylinder about an axis.
export function about(axis: THREE.Vector3, at: THREE.Vector3, radius: number, length: number): THREE.BufferGeometry {
  return lying(new THREE.CylinderGeometry(radius, radius, length, ROUND), axis, at);
}

export function boxAbout(axis: THREE.Vector3, at: THREE.Vector3, side: number, length: number): THREE.BufferGeometry {
  return lying(new THREE.BoxGeometry(side, length, side), axis, at);
}

function lying(geometry: THREE.BufferGeometry, axis: THREE.Vector3, at: THREE.Vector3): THREE.BufferGeometry {
  const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), axis.clone().normalize());
  return geometry.applyMatrix4(new THREE.Matrix4().compose(at, turn, new THREE.Vector3(1, 1, 1)));
}

export function vector(v: Vector): THREE.Vector3 {
  return new THREE.Vector3(v[0], v[1], v[2]);
}
