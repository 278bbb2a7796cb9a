// The scale of the arrows of forces: bars of round values in the upper corner, and what colours mean.
import type { Scene } from "./data";
import { change, make } from "./svg";

const LINE = 17; // pixels
const [LEFT, TOP, TICK] = [14, 18, 4];

export class ForceLegend {
  on = true;
  private group: SVGGElement;

  constructor(
    svg: SVGSVGElement,
    private scene: Scene,
  ) {
    this.group = make("g", { class: "force-scale" }, svg);
  }

  // `scale`: pixels per length of the drawing.
  show(scale: number, wide: number): void {
    this.group.replaceChildren();
    const { forces } = this.scene;
    change(this.group, { display: this.on && forces ? "inline" : "none" });
    if (!this.on || !forces) return;
    let y = TOP;
    for (const { per, unit, si, suffix, part } of forces.scales) {
      const value = rounded((per / scale) * Math.min(0.22 * wide, 130) * part);
      const end = LEFT + (value * scale) / per;
      make("path", { d: `M${LEFT} ${y - TICK}v${2 * TICK}m0 ${-TICK}H${end}m0 ${-TICK}v${2 * TICK}` }, this.group);
      const own = `${Number(value.toPrecision(6))}${unit ? ` ${unit}` : ""}`;
      const text = si ? `${Number((value * si.factor).toPrecision(6))} ${si.unit} = ${own}` : own;
      make("text", { x: end + 7, y: y + 4 }, this.group).textContent = `${text}${suffix}`;
      y += LINE;
    }
    for (const words of forces.words) {
      make("text", { x: LEFT, y: y + 2, class: "words" }, this.group).textContent = words;
      y += LINE - 2;
    }
  }
}

// The largest of 1, 2, 5 times a power of ten that is not more.
function rounded(most: number): number {
  const decade = 10 ** Math.floor(Math.log10(most) + 1e-12);
  return [5, 2, 1].map((k) => k * decade).find((x) => x <= most * (1 + 1e-9))!;
}
