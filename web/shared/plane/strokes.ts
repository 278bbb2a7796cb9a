// The strokes of the mechanism, in the order in which they come; groups move with bodies and reaches.
import { frameColours, type Reach, type Scene, type Stroke } from "../data";
import { baseName } from "../forces";
import type { Segment } from "../labels";
import { type Motion, place, type Poses } from "../motion";
import { change, line, make, short } from "../svg";
import type { Placed } from "../viewer";

const LINKS = 3; // paths are drawn over links and plates
const PIXELS = 4 / 3; // of a point of the paper
interface Group {
  frame: string;
  stretch: string;
  element: SVGGElement;
  reach: Reach | undefined;
  transform: string | null;
  colour: string;
}

export class Strokes {
  readonly paths: SVGGElement;
  forces = true; // whether their arrows are seen
  seen: Set<string> | null = null; // names of the arrows that are; null: all
  private groups: Group[] = [];
  private elements: SVGPathElement[] = [];
  private reaches: Map<string, Reach>;

  constructor(
    root: SVGGElement,
    private scene: Scene,
    private motion: Motion,
  ) {
    this.reaches = new Map(scene.reaches.map((reach) => [reach.name, reach]));
    const colours = frameColours(scene);
    const below = make("g", {}, root);
    this.paths = make("g", { class: "paths" }, root);
    const above = make("g", {}, root);
    for (const stroke of scene.strokes) {
      const group = this.group(stroke, stroke.layer > LINKS ? above : below, colours.get(stroke.frame) ?? "");
      const path = make("path", { class: "stroke", d: line(stroke.points) }, group);
      this.elements.push(path);
      path.style.fill = stroke.face ? `var(--${stroke.face})` : "none";
      path.style.stroke = stroke.edge ? `var(--${stroke.edge})` : "none";
      path.style.strokeWidth = `${(stroke.line * PIXELS).toFixed(2)}px`;
    }
  }

  // The last group, if it has the same frame; else a new one over it.
  private group({ frame, stretch }: Stroke, layer: SVGGElement, colour: string): SVGGElement {
    const last = this.groups[this.groups.length - 1];
    if (last && last.frame === frame && last.stretch === stretch && last.element.parentNode === layer)
      return last.element;
    const element = make("g", { "data-frame": frame, style: `--c:${colour}` }, layer);
    this.groups.push({ frame, stretch, element, reach: this.reaches.get(frame), transform: "", colour });
    return element;
  }

  // The same strokes with other points, as a hand changes them.
  reshape(scene: Scene, motion: Motion): void {
    scene.strokes.forEach((stroke, k) => {
      if (stroke !== this.scene.strokes[k]) change(this.elements[k], { d: line(stroke.points) });
    });
    const reaches = new Map(scene.reaches.map((reach) => [reach.name, reach]));
    for (const group of this.groups) group.reach = reaches.get(group.frame) ?? group.reach;
    this.seen = new Set(); // arrows of forces are those of the former motion
    [this.scene, this.motion] = [scene, motion];
  }

  move(poses: Poses, time: number): void {
    for (const group of this.groups) {
      const { frame, stretch, element, reach } = group;
      const hidden = reach?.to_scale && (!this.forces || (this.seen && !this.seen.has(baseName(frame))));
      const transform = hidden ? null : reach ? this.reaching(reach, stretch, poses, time) : standing(poses[frame]);
      if (transform === group.transform) continue;
      if ((transform === null) !== (group.transform === null)) element.style.display = transform === null ? "none" : "";
      if (transform !== null) change(element, { transform });
      group.transform = transform;
    }
  }

  // Lights the shapes of some bodies; null: all are as usual.
  light(bodies: Set<string> | null): void {
    for (const { frame, element, reach } of this.groups) {
      const calm = bodies !== null && !bodies.has(frame) && !reach?.to_scale;
      element.classList.toggle("calm", calm);
      element.classList.toggle("lit", bodies !== null && bodies.has(frame));
    }
  }

  // Gives a body another colour for a while, with words on it; null: its own.
  paint(body: string, colour: string | null, words: string): void {
    for (const { frame, element, colour: own } of this.groups) {
      if (frame !== body) continue;
      const shown = colour ?? own;
      if (element.style.getPropertyValue("--c") !== shown) element.style.setProperty("--c", shown);
      if (words) element.dataset.use = words;
      else delete element.dataset.use;
    }
  }

  // Areas of moving bodies at some positions, the earlier the paler.
  ghosts(layer: SVGGElement, positions: Poses[]): void {
    layer.replaceChildren();
    const moving = new Set(this.scene.bodies.filter((body) => !body.fixed).map((body) => body.name));
    positions.forEach((poses, k) => {
      const ghost = make("g", { style: `opacity:${(0.12 + (0.5 * (k + 1)) / positions.length).toFixed(2)}` }, layer);
      for (const { frame, element } of this.groups) {
        const transform = moving.has(frame) && !frame.includes(" ") ? standing(poses[frame]) : null;
        if (transform === null) continue;
        const copy = element.cloneNode(true) as SVGGElement;
        change(copy, { transform, class: "ghost" });
        copy.style.display = "";
        ghost.append(copy);
      }
    });
  }

  // Lines of the drawing in pixels, for names to keep clear of.
  segments(poses: Poses, pixel: (at: number[]) => Placed): Segment[] {
    const out: Segment[] = [];
    const add = (a: number[] | null, b: number[] | null): void => {
      if (!a || !b) return;
      const [p, q] = [pixel(a), pixel(b)];
      out.push([p.x, p.y, q.x, q.y]);
    };
    for (const { frame, points } of this.scene.lines) {
      const [a, b] = points.map((point) => place(poses, frame, point));
      add(a, b);
    }
    for (const [a, b] of this.ends(poses)) add(a, b);
    return out;
  }

  // Ends of everything that reaches from body to body.
  private ends(poses: Poses): [number[] | null, number[] | null][] {
    const where = (end: { body: string; at: number[] }): number[] | null => place(poses, end.body, end.at);
    return this.scene.reaches.flatMap(({ first, second }) =>
      second ? [[where(first), where(second)] as [number[] | null, number[] | null]] : [],
    );
  }

  // x along the reach from its first end; stretched to its length along it, or altogether.
  private reaching(reach: Reach, stretch: string, poses: Poses, time: number): string | null {
    const start = this.motion.begin(reach, poses, time);
    const along = this.motion.along(reach, poses, time);
    if (!start || !along) return null;
    const length = Math.max(Math.hypot(along[0], along[1]), 1e-12 * this.scene.size);
    const scale = stretch === "none" ? "" : ` scale(${short(length)}${stretch === "along" ? " 1" : ""})`;
    return standing([...start, Math.atan2(along[1], along[0])]) + scale;
  }
}

function standing(pose: number[] | null): string;
function standing(pose: number[] | null | undefined): string | null;
function standing(pose: number[] | null | undefined): string | null {
  if (pose === null) return null;
  if (pose === undefined) return "";
  return `translate(${short(pose[0])} ${short(pose[1])}) rotate(${short((pose[2] * 180) / Math.PI)})`;
}
