// Another run in the same drawing, pale behind the first: the mechanism before a change, or a variant of it.
import type { Scene } from "../data";
import { Motion } from "../motion";
import { change, make } from "../svg";
import { Strokes } from "./strokes";
import { Traces } from "./traces";

export class OtherRun {
  private strokes: Strokes;
  private motion: Motion;

  constructor(
    private layer: SVGGElement,
    scene: Scene,
  ) {
    const other: Scene = { ...scene, reaches: [], ...scene.other! };
    this.motion = new Motion(other);
    change(layer, { class: "other" });
    this.strokes = new Strokes(layer, other, this.motion);
    new Traces(make("g", { class: "paths" }, layer), other, this.motion);
  }

  // At the same time; where its own motion ends sooner, it stays there.
  show(time: number): void {
    const own = Math.min(Math.max(time, this.motion.start), this.motion.end);
    this.strokes.move(this.motion.at(own), own);
  }

  turn(on: boolean): void {
    change(this.layer, { display: on ? "inline" : "none" });
  }
}
