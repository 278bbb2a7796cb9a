// Bars with their names and values: contributions to a variance, components of a shape.
import { digits } from "../numbers";
import type { FigureData } from "./data";

export class Bars {
  readonly element = document.createElement("figure");

  constructor(
    readonly data: FigureData,
    act: (() => void) | null,
  ) {
    const { name, title, x, parts = [] } = data;
    this.element.className = "plot bars";
    this.element.dataset.figure = name;
    const caption = document.createElement("figcaption");
    const head = document.createElement(act ? "button" : "b");
    head.textContent = title;
    if (act) head.addEventListener("click", act);
    caption.append(head);
    const list = document.createElement("dl");
    const most = Math.max(...parts.map(({ value }) => Math.abs(value)), 1e-300);
    const signed = parts.some(({ value }) => value < 0);
    for (const { label, value } of parts) {
      const [term, text] = [document.createElement("dt"), document.createElement("dd")];
      term.textContent = label;
      const share = (100 * Math.abs(value)) / most;
      const bar = document.createElement("i");
      bar.style.width = `${(signed ? 0.5 : 1) * share}%`;
      if (signed) bar.style.marginLeft = value < 0 ? `${50 - share / 2}%` : "50%";
      const track = document.createElement("span");
      track.append(bar);
      text.append(track, `${digits(value, 3)}${x.unit ? ` ${x.unit}` : ""}`);
      list.append(term, text);
    }
    this.element.append(caption, list);
  }

  show(): void {} // it does not follow the clock
}
