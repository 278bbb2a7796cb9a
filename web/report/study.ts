// The pane of a study beside the drawing: figures of its own, or the designs that can be looked at one by one.
import { type Clock } from "../shared/clock";
import { Bars } from "../shared/figures/bars";
import type { FigureData } from "../shared/figures/data";
import { type DesignData, varies } from "../shared/figures/designs";
import { DesignContours } from "../shared/figures/map";
import { Parallel } from "../shared/figures/parallel";
import { keyOf, Plot } from "../shared/figures/plot";
import { digits } from "../shared/numbers";
import type { Store } from "../shared/store";

export interface StudyData {
  title: string; // of its tab
  columns: number; // figures side by side
  figures: FigureData[];
  note: string;
  designs?: DesignData;
}

export class Study {
  private plots: (Plot | Bars)[] = [];
  private views: (Parallel | DesignContours)[] = [];
  private shown = -1;
  private bar: HTMLElement | null = null;
  private table: HTMLElement | null = null;

  constructor(
    private root: HTMLElement,
    private data: StudyData,
    private clock: Clock,
    private store: Store,
    private load: (design: number) => void,
  ) {
    if (data.designs) this.offer(data.designs);
    const grid = document.createElement("div");
    grid.className = "figures";
    grid.style.setProperty("--columns", String(data.columns));
    const named = data.figures.map(({ curves }) => curves.map(({ label, colour }) => label + colour).join());
    const shared = named.length > 1 && new Set(named).size === 1; // then the curves are named once
    for (const figure of data.figures) {
      const pick = data.designs && figure.curves[0]?.points ? (x: number) => this.pickOver(figure, x) : null;
      const show = figure.design === undefined ? null : () => this.choose(figure.design!);
      const plot = figure.parts ? new Bars(figure, show) : new Plot(figure, clock, pick, !shared);
      this.plots.push(plot);
      grid.append(plot.element);
    }
    if (data.note) {
      const note = document.createElement("p");
      note.className = "note";
      note.append(...(shared && data.figures[0].curves.length > 1 ? data.figures[0].curves.map(keyOf) : []), data.note);
      root.append(note);
    }
    root.append(grid);
    clock.follow(() => this.show());
    store.listen(({ selected, hovered, study }, before) => {
      if (study !== before.study) this.show();
      const part = hovered ?? selected;
      for (const { element } of this.plots)
        element.classList.toggle("lit", part !== null && element.dataset.part === `${part.kind}:${part.name}`);
    });
  }

  private show(): void {
    if (this.store.state.study === "figures") for (const plot of this.plots) plot.show(this.clock.time);
  }

  // A bar that goes from design to design, a table of them, and what draws all of them at once.
  private offer(designs: DesignData): void {
    this.bar = document.createElement("div");
    this.bar.className = "stepper";
    const step = (by: number, text: string): HTMLButtonElement => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = text;
      button.setAttribute("aria-label", by < 0 ? `${designs.word} before` : `next ${designs.word}`);
      button.addEventListener("click", () => this.step(by));
      return button;
    };
    const words = document.createElement("span");
    words.setAttribute("aria-live", "polite");
    this.bar.append(step(-1, "‹"), words, step(1, "›"));
    this.root.append(this.bar);
    const choose = (design: number): void => this.choose(design);
    for (const map of designs.maps) this.views.push(new DesignContours(designs, map, choose));
    const axes = designs.axes.filter(varies);
    if (designs.parallel && axes.length > 1) this.views.push(new Parallel({ ...designs, axes }, choose));
    if (this.views.length) {
      const many = document.createElement("div");
      many.className = "views";
      many.style.setProperty("--columns", String(Math.min(Math.max(designs.maps.length, 1), 2)));
      many.append(...this.views.map(({ element }) => element));
      this.root.append(many);
    }
    this.table = this.list(designs);
    this.root.append(this.table);
    document.addEventListener("keydown", (event) => {
      if ((event.target as HTMLElement).matches("input, select, textarea")) return;
      if (event.key === "[") this.step(-1);
      if (event.key === "]") this.step(1);
    });
    this.choose(designs.first);
  }

  private list(designs: DesignData): HTMLElement {
    const holder = document.createElement("div");
    holder.className = "wide design-list";
    holder.tabIndex = 0;
    holder.setAttribute("role", "region");
    holder.setAttribute("aria-label", `all ${designs.word}s`);
    const table = document.createElement("table");
    const head = table.createTHead().insertRow();
    const cell = (text: string, kind = ""): void => {
      const th = document.createElement("th");
      th.className = kind;
      th.scope = "col";
      th.textContent = text;
      head.append(th);
    };
    cell(designs.word);
    for (const { label, unit } of designs.axes) cell(unit ? `${label} [${unit}]` : label);
    const noted = designs.notes.some(Boolean);
    if (noted) cell("note", "words");
    const body = table.createTBody();
    designs.names.forEach((name, design) => {
      const row = body.insertRow();
      row.dataset.design = String(design);
      const th = document.createElement("th");
      th.scope = "row";
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = name;
      button.disabled = !designs.moving.includes(design);
      button.addEventListener("click", () => this.choose(design));
      th.append(button);
      row.append(th);
      for (const { values } of designs.axes) {
        const value = row.insertCell();
        value.className = "number";
        value.textContent = values[design] === null ? "–" : digits(values[design]!);
      }
      if (noted) row.insertCell().textContent = designs.notes[design];
    });
    holder.append(table);
    return holder;
  }

  private step(by: number): void {
    const { moving } = this.data.designs!;
    const at = moving.indexOf(this.shown);
    this.choose(moving[(at + by + moving.length) % moving.length]);
  }

  private pickOver(figure: FigureData, x: number): void {
    const axis = this.data.designs!.axes.find(({ label }) => label === figure.x.label);
    let [best, found] = [Infinity, -1];
    axis?.values.forEach((value, k) => {
      if (value === null || Math.abs(value - x) >= best) return;
      [best, found] = [Math.abs(value - x), k];
    });
    this.choose(found);
  }

  private choose(design: number): void {
    const { names, notes, axes, moving } = this.data.designs!;
    if (design < 0 || design === this.shown) return;
    for (const view of this.views) view.choose(design);
    const known = axes.filter(({ values: all }) => all[design] !== null);
    const values = known.map(
      ({ label, unit, values: all }) => `${label} ${digits(all[design]!)}${unit ? ` ${unit}` : ""}`,
    );
    const moves = moving.includes(design);
    const note = [notes[design], moves ? "" : "it cannot be shown moving"].filter(Boolean).join("; ");
    const words = this.bar!.querySelector("span")!;
    const name = document.createElement("b");
    name.textContent = names[design];
    words.replaceChildren(name, ` ${values.join(" · ")}${note ? ` (${note})` : ""}`);
    this.root.dataset.design = String(design);
    for (const row of this.table?.querySelectorAll<HTMLElement>("[data-design]") ?? [])
      row.classList.toggle("lit", row.dataset.design === String(design));
    if (moves) this.load(design);
    this.shown = moves ? design : this.shown;
  }
}
