// The light over a mechanism in space: the sky from all around, the sun from above on one side.
import * as THREE from "three";
import { FORCES } from "./solids";

export function lights(up: THREE.Vector3): THREE.Light[] {
  const sky = new THREE.HemisphereLight(0xffffff, 0xb0b0ba, 2.6);
  const sun = new THREE.DirectionalLight(0xffffff, 2.2);
  const upright = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), up);
  sun.position.set(-0.4, -0.7, 1).applyQuaternion(upright);
  for (const light of [sky, sun]) light.layers.enable(FORCES);
  return [sky, sun];
}
