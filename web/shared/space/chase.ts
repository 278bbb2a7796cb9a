// The view in space goes along with what travels, and its shadow with it.
import type { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Scene, Vector } from "../data";
import { Travel } from "../follow";
import type { Motion, Poses } from "../motion";
import type { Eye } from "./eye";
import type { SoftShadow } from "./shadow";
import { vector } from "./solids";

export class Chase {
  readonly travel: Travel;

  constructor(
    private scene: Scene,
    motion: Motion,
    private eye: Eye,
    private controls: OrbitControls,
    private shadow: SoftShadow,
    on: boolean,
  ) {
    this.travel = Object.assign(new Travel(scene, motion), { on });
  }

  go(before: Poses, now: Poses): void {
    const [from, to] = [before, now].map((poses) => this.travel.followed(poses));
    if (!from || !to) return;
    const step = vector(to).sub(vector(from));
    this.eye.camera.position.add(step);
    this.controls.target.add(step);
    this.controls.update();
    this.lay(this.travel.box, to);
  }

  turn(on: boolean, poses: Poses): void {
    this.travel.on = on;
    if (on) this.go(poses, poses);
    else this.lay(this.scene.box, [0, 0, 0]);
  }

  private lay([low, high]: [Vector, Vector], at: Vector): void {
    this.shadow.lay(vector(low).add(vector(at)), vector(high).add(vector(at)));
  }
}
