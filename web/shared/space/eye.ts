// A parallel view, as pictures have it: nothing shrinks with its distance, so that a scale is true everywhere.
import * as THREE from "three";
import type { Scene } from "../data";
import { vector } from "./solids";

const AZIMUTH = (-55 * Math.PI) / 180;
const ELEVATION = (18 * Math.PI) / 180;
const ROOM = 1.1;

export class Eye {
  readonly camera = new THREE.OrthographicCamera();
  readonly middle: THREE.Vector3;
  readonly away: THREE.Vector3; // from the middle to the eye
  readonly distance: number;
  readonly radius: number; // of a ball around everything
  private corners: THREE.Vector3[];

  constructor(scene: Scene) {
    const [low, high] = scene.framed.map(vector);
    const up = vector(scene.up);
    this.camera.up.copy(up); // before controls are made: they turn about what is up then
    this.middle = low.clone().add(high).multiplyScalar(0.5);
    this.corners = Array.from({ length: 8 }, (_, k) =>
      new THREE.Vector3(...[0, 1, 2].map((n) => (k & (1 << n) ? high : low).getComponent(n))).sub(this.middle),
    );
    this.radius = Math.max(this.corners[0].length(), 0.3 * scene.size);
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

  // Looks at the whole motion, a little from above.
  fit(wide: number, high: number, covered: number): void {
    const right = this.camera.up.clone().cross(this.away).normalize();
    const above = this.away.clone().cross(right);
    let [across, upward] = [0.15 * this.radius, 0.15 * this.radius];
    for (const corner of this.corners) {
      across = Math.max(across, Math.abs(corner.dot(right)));
      upward = Math.max(upward, Math.abs(corner.dot(above)));
    }
    const half = ROOM * Math.max(upward, (across * high) / Math.max(wide - covered, 1));
    this.camera.position.copy(this.middle).addScaledVector(this.away, this.distance);
    this.camera.zoom = 1;
    this.shape(half, wide / high);
  }

  // Half the height that is seen, and the proportion of the picture.
  shape(half: number, aspect: number): void {
    [this.camera.top, this.camera.bottom] = [half, -half];
    [this.camera.left, this.camera.right] = [-half * aspect, half * aspect];
    this.camera.updateProjectionMatrix();
  }

  pixels(high: number): number {
    return (high * this.camera.zoom) / (2 * this.camera.top);
  }
}

// The two axes square to what is up, in the order in which they turn about it.
export function sides(up: THREE.Vector3): [THREE.Vector3, THREE.Vector3] {
  const size = up.toArray().map(Math.abs);
  const k = size.indexOf(Math.max(...size));
  const axis = (n: number): THREE.Vector3 => new THREE.Vector3().setComponent(n % 3, 1);
  return up.getComponent(k) > 0 ? [axis(k + 1), axis(k + 2)] : [axis(k + 2), axis(k + 1)];
}
