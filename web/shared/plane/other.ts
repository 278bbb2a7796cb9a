// Another run in the same drawing, pale behind the first: the mechanism before a change, or a variant of it.
import type { Scene } from "../data";
import { Motion, type Poses } from "../motion";
import { change, make } from "../svg";
import { Strokes } from "./strokes";
import { Traces } from "./traces";
import type { Layer } from "../viewer";

const GHOSTS = 6;

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

// Positions drawn behind: some of the whole motion, or the one that it swings about.
export function ghosts(scene: Scene, motion: Motion, on: boolean): Poses[] {
  if (!on) return scene.rest ? [scene.rest] : [];
  const step = (motion.end - motion.start) / GHOSTS;
  return Array.from({ length: GHOSTS }, (_, k) => motion.at(motion.start + k * step));
}

// The layers that there is something to show of.
export function layersOf(
  scene: Scene,
  { velocity, acceleration, centres, used }: Record<"velocity" | "acceleration" | "centres" | "used", { any: boolean }>,
  travels: boolean,
): Layer[] {
  const known: [Layer, boolean][] = [
    ["names", true],
    ["paths", scene.points.length > 0],
    ["ghosts", true],
    ["other", scene.other !== undefined],
    ["forces", scene.forces !== null],
    ["velocity", velocity.any],
    ["acceleration", acceleration.any],
    ["centres", centres.any],
    ["used", used.any],
    ["follow", travels],
  ];
  return known.filter(([, any]) => any).map(([layer]) => layer);
}
