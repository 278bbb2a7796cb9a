// What is drawn over what, and groups that move with a body.
import type { Scene } from "../data";
import type { Poses } from "../motion";
import { change, make, short } from "../svg";

export const LAYERS = ["behind", "guides", "links", "paths", "glyphs", "pins"] as const;
export type Layer = (typeof LAYERS)[number];

export class Layers {
  readonly groups = {} as Record<Layer, SVGGElement>;
  private bodies: Record<string, SVGGElement[]> = {};
  private known: Record<string, Partial<Record<Layer, SVGGElement>>> = {};

  constructor(
    root: SVGGElement,
    readonly scene: Scene,
  ) {
    for (const layer of LAYERS) this.groups[layer] = make("g", { class: layer }, root);
  }

  // The group of a body in a layer; what is put there is in body axes.
  of(body: string, layer: Layer): SVGGElement {
    const held = (this.known[body] ??= {});
    if (!held[layer]) {
      const colour = this.scene.bodies.find((entry) => entry.name === body)!.colour;
      held[layer] = make("g", { "data-body": body, style: `--c:${colour}` }, this.groups[layer]);
      (this.bodies[body] ??= []).push(held[layer]);
    }
    return held[layer];
  }

  move(poses: Poses): void {
    for (const body in this.bodies) {
      const pose = poses[body];
      for (const group of this.bodies[body]) {
        group.style.display = pose === null ? "none" : "";
        if (pose)
          change(group, {
            transform: `translate(${short(pose[0])} ${short(pose[1])}) rotate(${short((pose[2] * 180) / Math.PI)})`,
          });
      }
    }
  }
}
