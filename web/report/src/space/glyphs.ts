// Joints in space by what they leave free: hinges as pins along their axis, balls, sliders on their rail, sheets.
import * as THREE from "three";
import type { Joint, Scene } from "../data";
import type { Poses } from "../motion";
import { about, between, boxAbout, vector } from "./solids";

export interface Part {
  body: string;
  geometry: THREE.BufferGeometry;
  colour: string | null;
} // null: steel

export function jointParts(scene: Scene, joint: Joint, thick: number, first: Poses): Part[] {
  const [at, on, axis] = [vector(joint.first.at), vector(joint.second.at), vector(joint.axis)];
  const parts: Part[] = [];
  const steel = (body: string, geometry: THREE.BufferGeometry): void =>
    void parts.push({ body, geometry, colour: null });
  const { glyph } = joint;
  if (glyph === "hinge" || glyph === "cross") steel(joint.first.body, about(axis, at, 1.7 * thick, 6 * thick));
  else if (glyph === "ball")
    steel(joint.second.body, new THREE.SphereGeometry(2.1 * thick, 24, 12).translate(...on.toArray()));
  else if (["slider", "cylinder", "screw", "slot", "ram"].includes(glyph)) {
    const [low, high] = joint.travel ?? [0, 0];
    const reach = glyph === "ram" ? [0, Math.max(0.72 * low, 4 * thick)] : [low - 5 * thick, high + 5 * thick];
    if (joint.kind === "distance") return parts; // a ram between two points stretches
    const ends = reach.map((along) => at.clone().addScaledVector(axis, along));
    steel(joint.first.body, between(ends[0], ends[1], (glyph === "ram" ? 1.7 : 0.6) * thick));
    for (const end of joint.grounded ? ends : []) parts.push(stand(scene, joint, end, thick));
    const colour = scene.bodies.find((body) => body.name === joint.second.body)!.colour;
    parts.push({ body: joint.second.body, geometry: block(joint, on, thick, first), colour });
  } else if (glyph === "plane") {
    steel(joint.first.body, boxAbout(axis, at, 24 * thick, 0.3 * thick));
    steel(joint.second.body, new THREE.SphereGeometry(2.1 * thick, 24, 12).translate(...on.toArray()));
  }
  if (joint.grounded && ["hinge", "cross", "ball", "rod"].includes(glyph)) {
    parts.push(stand(scene, joint, joint.first.body === held(scene, joint) ? at : on, thick));
  }
  return parts;
}

// The end that does not move.
function held(scene: Scene, joint: Joint): string {
  return scene.bodies.find((body) => body.name === joint.first.body)!.fixed ? joint.first.body : joint.second.body;
}

// What slides: a box, round where it may turn too; its axis as seen from the second body at the start.
function block(joint: Joint, on: THREE.Vector3, thick: number, first: Poses): THREE.BufferGeometry {
  const axis = vector(joint.axis)
    .applyQuaternion(turn(first, joint.first.body))
    .applyQuaternion(turn(first, joint.second.body).invert());
  if (joint.glyph === "slider" || joint.glyph === "ram") return boxAbout(axis, on, 4 * thick, 7 * thick);
  if (joint.glyph === "slot") return new THREE.SphereGeometry(2.2 * thick, 24, 12).translate(...on.toArray());
  return about(axis, on, 2.2 * thick, 7 * thick);
}

export function turn(poses: Poses, body: string): THREE.Quaternion {
  const pose = poses[body];
  return pose ? new THREE.Quaternion(pose[4], pose[5], pose[6], pose[3]) : new THREE.Quaternion();
}

// A plate that holds a joint of the frame, on the side away from the mechanism.
function stand(scene: Scene, joint: Joint, place: THREE.Vector3, thick: number): Part {
  const up = vector(scene.up);
  const middle = vector(scene.box[0]).add(vector(scene.box[1])).multiplyScalar(0.5);
  const side = place.clone().sub(middle).dot(up) > 0 ? 1 : -1;
  const at = place.clone().addScaledVector(up, side * 2.6 * thick);
  return { body: held(scene, joint), geometry: boxAbout(up, at, 9 * thick, 1.2 * thick), colour: "#8a8f96" };
}
