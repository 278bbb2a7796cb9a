// A parallel view, as pictures have it: nothing shrinks with its distance, so that a scale is true everywhere.
import * as THREE from "three";
import type { Scene } from "../data";
import { vector } from "./solids";

const AZIMUTH = (-55 * Math.PI) / 180;
const ELEVATION = (18 * Math.PI) / 180;
const NAMES = 40; // pixels around, for names

export class Eye {
  readonly camera = new THREE.OrthographicCamera();
  readonly middle: THREE.Vector3;
  readonly away: THREE.Vector3; // from the middle to the eye, of length 1
  readonly distance: number;
  readonly radius: number; // of a ball around everything

  constructor(scene: Scene) {
    const [low, high] = scene.framed.map(vector);
    const up = vector(scene.up);
    this.camera.up.copy(up); // before controls are made: they turn about what is up then
    this.middle = low.clone().add(high).multiplyScalar(0.5);
    this.radius = Math.max(high.clone().sub(this.middle).length(), 0.3 * scene.size);
    const [x, y] = sides(up);
    this.away = x
      .multiplyScalar(Math.cos(AZIMUTH))
      .addScaledVector(y, Math.sin(AZIMUTH))
      .multiplyScalar(Math.cos(ELEVATION))
      .addScaledVector(up, Math.sin(ELEVATION));
    this.distance = 4 * this.radius;
    this.camera.near = 0.01 * this.radius;
    this.camera.far = 12 * this.radius;
  }

  // Looks at places, a little from above, with room for names; buttons cover some pixels on the right, legends some above.
  fit(places: THREE.Vector3[], [wide, high]: [number, number], right: number, above: number): void {
    const across = this.camera.up.clone().cross(this.away).normalize();
    const upward = this.away.clone().cross(across);
    const [left, far] = ends(places, across);
    const [low, top] = ends(places, upward);
    const free = [Math.max(wide - right - 2 * NAMES, 0.4 * wide), Math.max(high - above - 2 * NAMES, 0.4 * high)];
    const size = Math.max((far - left) / free[0], (top - low) / free[1], (0.02 * this.radius) / high); // of a pixel
    const [near, back] = ends(places, this.away);
    this.middle.copy(this.away).multiplyScalar((near + back) / 2);
    this.middle.addScaledVector(across, (left + far + size * right) / 2);
    this.middle.addScaledVector(upward, (low + top + size * above) / 2);
    this.camera.position.copy(this.middle).addScaledVector(this.away, this.distance);
    this.camera.zoom = 1;
    this.shape((size * high) / 2, wide / high);
  }

  // Half the height that is seen, and the proportion of the picture.
  shape(half: number, aspect: number): void {
    [this.camera.top, this.camera.bottom] = [half, -half];
    [this.camera.left, this.camera.right] = [-half * aspect, half * aspect];
    this.camera.updateProjectionMatrix();
  }

  // Moves the picture so far across and down, and a place that is looked at with it.
  pan(across: number, down: number, target: THREE.Vector3): void {
    const [right, up] = [0, 1].map((k) => new THREE.Vector3().setFromMatrixColumn(this.camera.matrix, k));
    for (const at of [this.camera.position, target]) at.addScaledVector(right, -across).addScaledVector(up, down);
  }

  // What is seen at a place of the picture, from −1 to 1.
  ray(x: number, y: number): THREE.Raycaster {
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2(x, y), this.camera);
    return ray;
  }

  pixels(high: number): number {
    return (high * this.camera.zoom) / (2 * this.camera.top);
  }
}

// Least and greatest distance of places along a direction.
function ends(places: THREE.Vector3[], along: THREE.Vector3): [number, number] {
  const far = places.map((at) => at.dot(along));
  return [far.reduce((a, b) => Math.min(a, b), Infinity), far.reduce((a, b) => Math.max(a, b), -Infinity)];
}

// The two axes square to what is up, in the order in which they turn about it.
export function sides(up: THREE.Vector3): [THREE.Vector3, THREE.Vector3] {
  const size = up.toArray().map(Math.abs);
  const k = size.indexOf(Math.max(...size));
  const axis = (n: number): THREE.Vector3 => new THREE.Vector3().setComponent(n % 3, 1);
  return up.getComponent(k) > 0 ? [axis(k + 1), axis(k + 2)] : [axis(k + 2), axis(k + 1)];
}
