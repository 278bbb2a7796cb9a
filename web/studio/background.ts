// A photo or a DXF drawing behind the grid, to trace a mechanism over it: placed in lengths of the model, scaled by a known
// length. It stays in this browser, by the name of the file; the model file knows nothing of it.
import type { Vector } from "../shared/data";
import { make } from "../shared/svg";
import { button, paragraph } from "./design";
import { readDxf } from "./dxf";
import type { Studio } from "./start";

const WIDE = 0.9; // of the view's width, at first
const MOST = 4e6; // characters that a browser keeps
interface Picture {
  source: string; // an image as text, or the lines of a drawing as an SVG path
  drawn: boolean;
  width: number; // of the source, in its own units
  height: number;
  left: number; // of its upper left corner in lengths of the model
  top: number;
  length: number; // lengths of the model per unit of the source
  opacity: number;
}

export class Background {
  private picture: Picture | null = null;

  constructor(
    private studio: Studio,
    private layer: SVGSVGElement,
  ) {
    try {
      const kept = localStorage.getItem(this.key);
      if (kept) this.picture = JSON.parse(kept) as Picture;
    } catch {
      this.picture = null; // a frame without an address keeps nothing
    }
  }

  private get key(): string {
    return `mubo background ${this.studio.file}`;
  }

  // The panel: choose a file, scale it, make it paler, take it away.
  open(): void {
    const choose = Object.assign(document.createElement("input"), { type: "file", id: "photo" });
    choose.accept = "image/*,.dxf";
    choose.setAttribute("aria-label", "photo or DXF drawing");
    choose.addEventListener("change", () => choose.files?.[0] && void this.load(choose.files[0]));
    const note = paragraph("A photo or a DXF drawing to trace over. Scale it by dragging over a length that you know.");
    const pale = Object.assign(document.createElement("input"), { type: "range", min: "0.1", max: "1", step: "0.05" });
    pale.value = String(this.picture?.opacity ?? 0.5);
    pale.setAttribute("aria-label", "how strong the background is");
    pale.addEventListener("input", () => this.change({ opacity: Number(pale.value) }));
    const more = this.picture
      ? [
          button("set the scale", () => this.studio.rail.choose("scale")),
          button("take it away", () => {
            this.picture = null;
            this.keep();
            this.studio.redraw();
            this.open();
          }),
          pale,
        ]
      : [];
    this.studio.panel.show("Background", note, choose, ...more);
  }

  async load(file: File): Promise<void> {
    try {
      this.picture = /\.dxf$/i.test(file.name) ? await this.fromDxf(file) : await this.fromImage(file);
    } catch {
      return this.studio.words.say(`${file.name} is no picture or DXF drawing that this browser can read.`, true);
    }
    this.keep();
    this.studio.redraw();
    this.open();
  }

  private async fromImage(file: File): Promise<Picture> {
    const source = await new Promise<string>((done, failed) => {
      const reader = new FileReader();
      reader.onload = () => done(reader.result as string);
      reader.onerror = () => failed(reader.error);
      reader.readAsDataURL(file);
    });
    const image = new Image();
    image.src = source;
    await image.decode();
    const [low, high] = this.view();
    const length = (WIDE * (high[0] - low[0])) / image.naturalWidth;
    const { naturalWidth: width, naturalHeight: height } = image;
    const [left, top] = [(low[0] + high[0] - length * width) / 2, (low[1] + high[1] + length * height) / 2];
    return { source, drawn: false, width, height, left, top, length, opacity: 0.5 };
  }

  private async fromDxf(file: File): Promise<Picture> {
    const { lines, millimetre } = readDxf(await file.text());
    if (!lines.length) throw new Error("no lines");
    const all = lines.flat();
    const [xs, ys] = [0, 1].map((axis) => all.map((at) => at[axis]));
    const [left, right, low, top] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const source = lines
      .map((line) => line.map(([x, y], k) => `${k ? "L" : "M"}${x - left} ${top - y}`).join(""))
      .join("");
    const unit = { mm: 1, cm: 10, m: 1000, in: 25.4, ft: 304.8 }[this.studio.scene?.units.length ?? ""] ?? 1;
    const length = millimetre / unit;
    const [width, height] = [right - left, top - low];
    return { source, drawn: true, width, height, left: left * length, top: top * length, length, opacity: 0.8 };
  }

  // Two places of the picture, whose distance is asked for.
  scale(a: Vector, b: Vector): void {
    this.studio.rail.choose("select");
    const drawn = Math.hypot(b[0] - a[0], b[1] - a[1]);
    if (!this.picture || !(drawn > 0)) return;
    const unit = this.studio.scene?.units.length ?? "";
    const field = Object.assign(document.createElement("input"), {
      type: "number",
      id: "known",
      min: "0",
      step: "any",
    });
    field.setAttribute("aria-label", `the true length${unit && ` in ${unit}`}`);
    const set = (): void => {
      const factor = Number(field.value) / drawn;
      if (!(factor > 0) || !Number.isFinite(factor)) return;
      const { left, top, length } = this.picture!;
      this.change({ length: length * factor, left: a[0] + (left - a[0]) * factor, top: a[1] + (top - a[1]) * factor });
      this.open();
    };
    field.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Enter") set();
    });
    this.studio.panel.show(
      "Background",
      paragraph(`How long is it truly${unit && `, in ${unit}`}?`),
      field,
      button("set", set),
    );
    field.focus();
  }

  private change(patch: Partial<Picture>): void {
    if (!this.picture) return;
    Object.assign(this.picture, patch);
    this.keep();
    this.studio.redraw();
  }

  private keep(): void {
    try {
      if (!this.picture) localStorage.removeItem(this.key);
      else if (this.picture.source.length < MOST) localStorage.setItem(this.key, JSON.stringify(this.picture));
      else this.studio.words.say("The picture is too large to be kept: it is gone after a reload.");
    } catch {
      this.studio.words.say("This browser keeps no more pictures: this one is gone after a reload.");
    }
  }

  private view(): [Vector, Vector] {
    const { plane } = this.studio;
    const box = this.layer.getBoundingClientRect();
    return [plane!.world({ x: 0, y: box.height }), plane!.world({ x: box.width, y: 0 })];
  }

  // Draws it anew, below the grid.
  draw(): void {
    this.layer.replaceChildren();
    const { plane } = this.studio;
    if (!this.picture || !plane) return;
    const { source, drawn, width, height, left, top, length, opacity } = this.picture;
    const { x, y } = plane.pixel([left, top]);
    const scale = length * plane.scale;
    const transform = `translate(${x} ${y}) scale(${scale})`;
    if (drawn) make("path", { d: source, transform, class: "traced", style: `opacity:${opacity}` }, this.layer);
    else make("image", { href: source, width, height, transform, style: `opacity:${opacity}` }, this.layer);
  }
}
