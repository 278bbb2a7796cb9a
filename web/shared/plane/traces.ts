// Paths of points in the colours of their bodies, whole or up to now.
import type { Scene } from "../data";
import type { Motion } from "../motion";
import { rowBefore } from "../rows";
import { change, make } from "../svg";

const FEW = 3; // paths that are drawn boldly

// The path of a point: what it was computed from, its text, and how long that is at which time.
interface Path {
  element: SVGPathElement;
  from: unknown[];
  drawn: string;
  ends: number[];
  times: number[];
  seen: number;
}

export class Traces {
  growing = false;
  private stale: { scene: Scene; motion: Motion } | null = null; // a motion whose paths nobody has looked at yet
  private paths: Path[];

  constructor(
    private layer: SVGGElement,
    scene: Scene,
    motion: Motion,
  ) {
    const colours = new Map(scene.bodies.map((body) => [body.name, body.colour]));
    const look = scene.points.length <= FEW ? "path" : "path faint";
    this.paths = scene.points.map((point) => {
      const element = make("path", { class: look, "data-path": point.name }, layer);
      element.style.setProperty("--c", colours.get(point.body) ?? "");
      return { element, from: [], drawn: "", ends: [], times: [], seen: -1 };
    });
    this.load(scene, motion);
    this.show(motion.start);
  }

  // Paths of the same points along another motion; hidden ones wait until they are seen.
  load(scene: Scene, motion: Motion): void {
    this.stale = { scene, motion };
  }

  private compute({ scene, motion }: { scene: Scene; motion: Motion }): void {
    this.stale = null;
    const decimals = Math.min(Math.max(Math.ceil(5 - Math.log10(scene.size || 1)), 0), 15); // a hundredth of a pixel
    scene.points.forEach((point, k) => {
      const from: unknown[] = [scene.poses[point.body], scene.times, ...point.at];
      if (from.every((one, n) => one === this.paths[k].from[n])) return; // this point moves as before
      let [drawn, going] = ["", false];
      const [ends, times]: number[][] = [[], []]; // how long the text is at each time
      for (const { t, at } of motion.path(point.body, point.at)) {
        if (at) drawn += `${going ? "L" : "M"}${at[0].toFixed(decimals)} ${at[1].toFixed(decimals)}`;
        going = at !== null;
        ends.push(drawn.length);
        times.push(t);
      }
      Object.assign(this.paths[k], { from, drawn, ends, times, seen: -1 });
    });
  }

  show(time: number): void {
    if (this.layer.style.display === "none") return;
    if (this.stale) this.compute(this.stale);
    for (const path of this.paths) {
      const { element, drawn, ends, times } = path;
      const seen = this.growing ? rowBefore(times, time) : times.length - 1;
      if (seen === path.seen) continue;
      path.seen = seen;
      change(element, { d: drawn.slice(0, ends[seen] ?? 0) });
    }
  }
}
