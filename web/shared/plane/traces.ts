// Paths of points in the colours of their bodies, whole or up to now.
import type { Scene } from "../data";
import type { Motion } from "../motion";
import { rowBefore } from "../rows";
import { change, make, short } from "../svg";

const FEW = 3; // paths that are drawn boldly

export class Traces {
  growing = false;
  private paths: { element: SVGPathElement; drawn: string; ends: number[]; times: number[]; seen: number }[];

  constructor(layer: SVGGElement, scene: Scene, motion: Motion) {
    const colours = new Map(scene.bodies.map((body) => [body.name, body.colour]));
    const look = scene.points.length <= FEW ? "path" : "path faint";
    this.paths = scene.points.map((point) => {
      const element = make("path", { class: look, "data-path": point.name }, layer);
      element.style.setProperty("--c", colours.get(point.body) ?? "");
      return { element, drawn: "", ends: [], times: [], seen: -1 };
    });
    this.load(scene, motion);
    this.show(motion.start);
  }

  // Paths of the same points along another motion.
  load(scene: Scene, motion: Motion): void {
    scene.points.forEach((point, k) => {
      let [drawn, going] = ["", false];
      const [ends, times]: number[][] = [[], []]; // how long the text is at each time
      for (const { t, at } of motion.path(point.body, point.at)) {
        if (at) drawn += `${going ? "L" : "M"}${short(at[0])} ${short(at[1])}`;
        going = at !== null;
        ends.push(drawn.length);
        times.push(t);
      }
      Object.assign(this.paths[k], { drawn, ends, times, seen: -1 });
    });
  }

  show(time: number): void {
    for (const path of this.paths) {
      const { element, drawn, ends, times } = path;
      const seen = this.growing ? rowBefore(times, time) : times.length - 1;
      if (seen === path.seen) continue;
      path.seen = seen;
      change(element, { d: drawn.slice(0, ends[seen] ?? 0) });
    }
  }
}
