// Names of bodies, points and joints of a planar drawing, clear of its lines; and the marks of points and of places that
// they should pass.
import type { Scene } from "../data";
import { Labels, type Wanted } from "../labels";
import { place, type Poses } from "../motion";
import { anchor } from "../picking";
import type { Part } from "../store";
import { change, make } from "../svg";
import type { Placed } from "../viewer";
import type { Strokes } from "./strokes";

const POINT = 5; // pixels that a name keeps away from its point
type Pixel = (at: number[]) => Placed;

interface Named extends Wanted {
  body: string;
  at: number[];
  clear: number;
}

export class Names {
  on = true;
  private named: Named[];
  private labels: Labels;

  constructor(
    layer: SVGGElement,
    scene: Scene,
    private strokes: Strokes,
  ) {
    const colours = new Map(scene.bodies.map((body) => [body.name, body.colour]));
    this.named = scene.texts.map(({ text, of, body, anchors, clear }) => {
      const colour = of === "body" ? colours.get(body) : undefined;
      return { text, kind: of, colour, body, at: anchors[0], clear };
    });
    this.labels = new Labels(layer, this.named);
  }

  // The same names at other places of their bodies.
  reshape(scene: Scene): void {
    scene.texts.forEach(({ anchors }, k) => (this.named[k].at = anchors[0]));
  }

  // `scale`: pixels per length; `kept`: boxes of other texts.
  show(poses: Poses, pixel: Pixel, scale: number, wide: number, high: number, kept: number[][] = []): void {
    if (!this.on) return this.labels.hide();
    const anchors = this.named.map(({ body, at }) => {
      const here = place(poses, body, at);
      return here && pixel(here);
    });
    const clear = this.named.map((entry) => (entry.kind === "point" ? POINT : entry.clear * scale + 1));
    this.labels.place(anchors, this.strokes.segments(poses, pixel), clear, wide, high, kept);
  }
}

export class Marks {
  private dots: { element: SVGCircleElement; body: string; at: number[] }[];
  private asked: { element: SVGGElement; at: number[] }[];

  constructor(svg: SVGSVGElement, scene: Scene) {
    const layer = make("g", { class: "dots" }, svg);
    this.dots = scene.points
      .filter((point) => point.named)
      .map(({ name, body, at }) => {
        return { element: make("circle", { class: "dot", r: 4, "data-point": name }, layer), body, at };
      });
    this.asked = (scene.marks ?? []).map((at, k) => {
      const element = make("g", { class: "asked" }, svg);
      make("path", { d: "M-5 0h10M0 -5v10" }, element);
      make("text", { x: 7, y: -5 }, element).textContent = String(k + 1);
      return { element, at };
    });
  }

  reshape(scene: Scene): void {
    const at = new Map(scene.points.map((point) => [point.name, point.at]));
    for (const dot of this.dots) dot.at = at.get(dot.element.dataset.point!) ?? dot.at;
  }

  show(poses: Poses, pixel: Pixel): void {
    for (const { element, body, at } of this.dots) {
      const here = place(poses, body, at);
      element.style.display = here ? "" : "none";
      if (!here) continue;
      const { x, y } = pixel(here);
      change(element, { cx: x, cy: y, "data-x": here[0], "data-y": here[1] });
    }
    for (const { element, at } of this.asked)
      change(element, { transform: `translate(${pixel(at).x} ${pixel(at).y})` });
  }
}

// A ring around the joint, point or force that is selected or under the pointer.
export class Ring {
  private element: SVGCircleElement;

  constructor(svg: SVGSVGElement) {
    this.element = make("circle", { class: "ring", r: 10 }, svg);
  }

  show(scene: Scene, poses: Poses, part: Part | null, pixel: Pixel): void {
    const held = part && anchor(scene, part);
    const here = held && place(poses, held.body, held.at);
    this.element.style.display = here ? "" : "none";
    if (here) change(this.element, { cx: pixel(here).x, cy: pixel(here).y });
  }
}
