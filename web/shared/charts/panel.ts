// A chart with its head: names and values of its columns, what it is drawn over, units, and files of it.
import type { Column, Run } from "../data";
import { DIGITS, digits, prefixOf, unitsLike, usualUnit } from "../numbers";
import { type ChartSpec, chartText } from "../store";
import type { Chart } from "./chart";
import { valueAt } from "./values";
import { kindsOf } from "./kinds";
import { saveCsv, savePng, saveSvg } from "./save";

export interface Actions {
  close(): void;
  over(column: string | null): void;
  unit(column: string, unit: string): void;
  split(column: string): void;
  join(): void; // with the chart above
  show(spec: ChartSpec): void; // in its place
  add(columns: string[]): void; // a chart of these below it
  drop(column: string, x: number, y: number): void; // a name was dragged to a place of the window
}

const DRAG = 8; // pixels after which a press on a name is a drag

export class Panel {
  readonly element = document.createElement("figure");
  private values: HTMLElement[] = [];
  private texts: string[] = [];
  private factor = 1;

  constructor(
    readonly chart: Chart,
    private run: Run,
    axis: string | null,
    private actions: Actions,
  ) {
    const { spec, lines } = chart;
    this.element.className = "chart";
    this.element.dataset.columns = spec.columns.join(" ");
    this.element.dataset.chart = chartText(spec);
    const head = document.createElement("figcaption");
    lines.forEach(({ column, colour, dash }, k) => head.append(this.legend(column, colour, dash, k)));
    head.append(this.menu(spec, axis));
    this.element.append(head, chart.plot);
  }

  // Values at the cursor; the difference from those at a second cursor where there is one.
  show(time: number, from: number | null): void {
    const now = this.chart.show(time);
    const before = from === null ? null : this.chart.lines.map(({ column, factor }) => valueAt(column, from) * factor);
    now.forEach((value, k) => {
      const text = before
        ? `Δ ${digits((value - before[k]) / this.factor, DIGITS)}`
        : digits(value / this.factor, DIGITS);
      if (text !== this.texts[k]) this.values[k].textContent = this.texts[k] = text;
    });
  }

  // After the chart was drawn: the unit with its prefix.
  label(): void {
    const size = this.chart.size();
    this.chart.lines.forEach(({ column }, k) => {
      const given = k === 0 ? this.chart.given : usualUnit(column.unit);
      const [factor, unit] = prefixOf(size, given);
      if (k === 0) this.factor = factor;
      const name = this.values[k].previousElementSibling!;
      name.textContent = unit ? ` [${unit}]` : "";
    });
  }

  private legend(column: Column, colour: string, dash: string, k: number): HTMLElement {
    const entry = document.createElement("span");
    entry.className = "legend";
    entry.style.setProperty("--c", colour);
    if (dash) entry.dataset.dashed = "yes";
    entry.title = `${column.name}: drag onto another chart to merge, away from it to part`;
    const name = document.createElement("b");
    name.textContent = k === 0 || this.chart.lines[0].column.owner !== column.owner ? column.name : column.word;
    const unit = document.createElement("span");
    const value = document.createElement("span");
    value.className = "value";
    value.dataset.column = column.name;
    this.values.push(value);
    entry.append(name, unit, value);
    this.drag(entry, column.name);
    return entry;
  }

  private drag(entry: HTMLElement, column: string): void {
    entry.addEventListener("pointerdown", (down) => {
      const move = (event: PointerEvent): void => {
        const far = Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > DRAG;
        entry.classList.toggle("dragged", far);
        entry.style.translate = far ? `${event.clientX - down.clientX}px ${event.clientY - down.clientY}px` : "";
      };
      const end = (event: PointerEvent): void => {
        entry.removeEventListener("pointermove", move);
        const far = entry.classList.contains("dragged");
        entry.classList.remove("dragged");
        entry.style.translate = "";
        if (far && event.type === "pointerup") this.actions.drop(column, event.clientX, event.clientY);
      };
      entry.setPointerCapture(down.pointerId);
      entry.addEventListener("pointermove", move);
      entry.addEventListener("pointerup", end, { once: true });
      entry.addEventListener("pointercancel", end, { once: true });
    });
  }

  private menu(spec: ChartSpec, axis: string | null): HTMLElement {
    const menu = document.createElement("details");
    menu.className = "menu";
    const summary = document.createElement("summary");
    summary.textContent = "⋯";
    summary.setAttribute("aria-label", `options of ${spec.columns.join(", ")}`);
    const list = document.createElement("div");
    const columns = this.run.columns.map(({ name }) => name);
    const shared = axis === null ? "as all (time)" : `as all (${axis})`;
    list.append(
      choice(
        "over",
        [["", shared], ["t", "time"], ...columns.map((name) => [name, name] as [string, string])],
        spec.over ?? "",
        (name) => this.actions.over(name || null),
      ),
    );
    const like = unitsLike(this.chart.lines[0].column.unit);
    if (like.length)
      list.append(
        choice(
          "unit",
          like.map((unit) => [unit, unit]),
          this.chart.given,
          (unit) => {
            for (const name of spec.columns) this.actions.unit(name, unit);
          },
        ),
      );
    const kinds = kindsOf(
      this.chart.lines[0].column,
      new Map(this.run.columns.map((one) => [one.name, one])),
      spec.columns,
    );
    for (const kind of kinds) list.append(button(kind.name, () => this.actions.show(kind.spec)));
    if (spec.columns.length > 1) list.append(button("part the columns", () => this.actions.split(spec.columns[0])));
    list.append(button("merge with the chart above", () => this.actions.join()));
    const differences = this.chart.lines.map(({ column }) => `${column.name}.difference`);
    const known = differences.filter((name) => columns.includes(name));
    if (known.length) list.append(button("show the difference", () => this.actions.add(known)));
    list.append(
      button("save as CSV", () => saveCsv(this.run, spec)),
      button("save as SVG", () => saveSvg(this.chart.plot, spec.columns.join("_"))),
      button("save as PNG", () => savePng(this.chart.plot, spec.columns.join("_"))),
      button("remove", () => this.actions.close()),
    );
    menu.append(summary, list);
    menu.addEventListener("focusout", (event) => {
      if (!menu.contains(event.relatedTarget as Node | null)) menu.open = false;
    });
    return menu;
  }
}

function button(text: string, act: () => void): HTMLButtonElement {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.addEventListener("click", act);
  return made;
}

function choice(
  text: string,
  options: [string, string][],
  chosen: string,
  act: (value: string) => void,
): HTMLLabelElement {
  const label = document.createElement("label");
  const select = document.createElement("select");
  for (const [value, shown] of options) select.add(new Option(shown, value, value === chosen, value === chosen));
  select.addEventListener("change", () => act(select.value));
  label.append(text, select);
  return label;
}
