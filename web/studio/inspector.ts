// The right pane: what the file says about the selected part, each value a field; sliders of the parameters; and the
// columns of the run, each a click away from a chart.
import { toggleChart } from "../shared/charts/picker";
import { ownedBy } from "../shared/charts/stack";
import { settled, valueAt } from "../shared/charts/values";
import type { Clock } from "../shared/clock";
import type { Column, Run } from "../shared/data";
import { digits, prefixOf } from "../shared/numbers";
import type { Part, Store } from "../shared/store";
import type { Entry, Path } from "./messages";

const MOST = 80; // columns that are listed

export interface Changes {
  set(path: Path, literal: string): void;
  slide(path: Path, literal: string): void;
  parameter(path: Path, name: string): void;
  reveal(line: number): void;
}

export class Inspector {
  private lines: { column: Column; value: HTMLElement; largest: number }[] = [];
  private run: Run | null = null;
  private entries: Entry[] = [];
  private wanted = "";
  private sliding = false;

  constructor(
    private values: HTMLElement,
    private sliders: HTMLElement,
    private columns: HTMLElement,
    search: HTMLInputElement,
    private clock: Clock,
    private store: Store,
    private changes: Changes,
  ) {
    let waiting = false;
    clock.listen(() => {
      if (waiting) return;
      waiting = true;
      setTimeout(() => {
        waiting = false;
        this.show();
      }, 120);
    });
    store.listen((state, before) => {
      if (state.selected !== before.selected) this.listValues();
      if (state.selected !== before.selected || state.charts !== before.charts) this.listColumns();
    });
    search.addEventListener("input", () => {
      this.wanted = search.value.toLowerCase();
      this.listColumns();
    });
  }

  load(run: Run): void {
    this.run = run;
    this.listColumns();
  }

  // What the file says.
  read(entries: Entry[]): void {
    this.entries = entries;
    if (!this.values.contains(document.activeElement)) this.listValues();
    if (!this.sliding) this.listSliders();
  }

  // The line of the table of a part.
  lineOf(part: Part): number | null {
    const own = this.entries.filter(([path]) => belongs(path, part));
    return own.length ? Math.min(...own.map(([, , line]) => line)) : null;
  }

  private listValues(): void {
    const part = this.store.state.selected;
    const title = document.createElement("h3");
    title.textContent = part ? `${part.kind} ${part.name}` : "Nothing selected";
    const note = document.createElement("p");
    if (!part) {
      note.textContent = "Click a link, a pin or a point; drag it to change it.";
      this.values.replaceChildren(title, note);
      return;
    }
    const own = this.entries.filter(([path]) => belongs(path, part));
    const fields = own.map(([path, literal, line]) => this.field(path, literal, line));
    note.textContent = own.length ? "" : "This file does not give it by values of its own.";
    this.values.replaceChildren(title, ...fields, ...(own.length ? [] : [note]));
  }

  private field(path: Path, literal: string, line: number): HTMLElement {
    const label = document.createElement("label");
    const name = document.createElement("span");
    const letters = /^["']/.test(literal) && path[2] === "between" ? ["1", "2", "3"] : ["x", "y", "z", "w"];
    name.textContent = path
      .slice(path[0] === "body" && path[2] === "points" ? 3 : 2)
      .map((one, k) => (typeof one === "number" ? (letters[one] ?? `${one}`) : k ? `.${one}` : `${one}`))
      .join(" ");
    const field = document.createElement("input");
    field.value = literal.replace(/^(["'])(.*)\1$/, "$2");
    field.dataset.path = JSON.stringify(path);
    field.title = `line ${line} of the file`;
    const quoted = /^["']/.test(literal);
    const send = (): void => {
      const text = field.value.trim();
      if (text === literal.replace(/^(["'])(.*)\1$/, "$2") || !text) return;
      this.changes.set(path, quoted && !/^["'[{]/.test(text) ? JSON.stringify(text) : text);
    };
    field.addEventListener("change", send);
    field.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Enter" || event.key === "Escape") field.blur();
    });
    field.addEventListener("focus", () => this.changes.reveal(line));
    label.append(name, field);
    if (/^["']?\s*[-+.\d]/.test(literal) && path[0] !== "parameters") label.append(this.makeParameter(path));
    return label;
  }

  // A button that makes a number a parameter, under a name that is offered.
  private makeParameter(path: Path): HTMLElement {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: "p" });
    button.className = "to-parameter";
    button.title = "make it a parameter, with a slider";
    button.setAttribute("aria-label", `make ${path.join(" ")} a parameter`);
    button.addEventListener("click", (event) => {
      event.preventDefault();
      const letters = ["x", "y", "z"];
      const words = path
        .slice(1)
        .filter((one) => one !== "points")
        .map((one) => (typeof one === "number" ? letters[one] : one));
      this.changes.parameter(path, words.join("_"));
    });
    return button;
  }

  // A slider for every parameter that is a number, from half to one and a half of its value.
  private listSliders(): void {
    const own = this.entries.filter(([path]) => path[0] === "parameters" && path.length === 2);
    this.sliders.hidden = own.length === 0;
    const head = document.createElement("h3");
    head.textContent = "Parameters";
    const rows = own.flatMap(([path, literal]) => {
      const match = /^(["']?)\s*([-+]?[\d.]+(?:[eE][-+]?\d+)?)(\s*[^\d\s].*?|\s*)\1$/.exec(literal);
      if (!match) return [];
      const [, quote, number, unit] = match;
      const value = Number(number);
      if (!Number.isFinite(value) || /[*/+(-]/.test(unit.replace(/\/|\^-?\d/g, ""))) return [];
      return [this.slider(path, value, (x) => `${quote}${x}${unit}${quote}`, unit.trim())];
    });
    this.sliders.replaceChildren(head, ...rows);
  }

  private slider(path: Path, value: number, literal: (x: string) => string, unit: string): HTMLElement {
    const label = document.createElement("label");
    const name = document.createElement("span");
    const out = document.createElement("output");
    const slider = document.createElement("input");
    name.textContent = String(path[1]);
    slider.type = "range";
    slider.dataset.parameter = String(path[1]);
    const size = Math.abs(value) || 1;
    [slider.min, slider.max] = [String(value - 0.5 * size), String(value + 0.5 * size)];
    slider.step = String(size / 200);
    slider.value = String(value);
    const text = (): string => String(Number(Number(slider.value).toPrecision(4)));
    const tell = (): void => void (out.textContent = `${text()}${unit ? ` ${unit}` : ""}`);
    tell();
    slider.addEventListener("input", () => {
      this.sliding = true;
      tell();
      this.changes.slide(path, literal(text()));
    });
    slider.addEventListener("change", () => {
      this.sliding = false;
      this.changes.set(path, literal(text()));
    });
    label.append(name, slider, out);
    return label;
  }

  private listColumns(): void {
    if (!this.run) return;
    const { selected, charts } = this.store.state;
    const part = selected?.name.includes(".on_") ? selected.name.split(".on_")[0] : selected?.name;
    const words = this.wanted.split(/\s+/);
    const fits = ({ name, owner }: Column): boolean =>
      this.wanted ? words.every((word) => name.toLowerCase().includes(word)) : !part || ownedBy(owner, part);
    const found = this.run.columns.filter(fits);
    const shown = new Set(charts.flatMap(({ columns }) => columns));
    this.lines = [];
    const rows = found.slice(0, MOST).map((column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.column = column.name;
      button.setAttribute("aria-pressed", String(shown.has(column.name)));
      const [name, value] = [document.createElement("span"), document.createElement("span")];
      name.textContent = column.name;
      value.className = "value";
      const largest = column.v.reduce((most, one) => Math.max(most, Math.abs(one) || 0), 0);
      this.lines.push({ column, value, largest });
      button.append(name, value);
      button.title = "click for a chart, click again to put it away";
      button.addEventListener("click", () => toggleChart(this.store, column.name));
      return button;
    });
    const more = document.createElement("p");
    more.textContent = found.length > MOST ? `${found.length - MOST} more: search them.` : "";
    this.columns.replaceChildren(...rows, more);
    this.show();
  }

  private show(): void {
    for (const { column, value, largest } of this.lines) {
      const [factor, unit] = prefixOf(largest, column.unit);
      const now = settled(column, valueAt(column, this.clock.time));
      value.textContent = `${digits(now / factor)}${unit ? ` ${unit}` : ""}`;
    }
  }
}

// Whether a value of the file is one of a part.
function belongs(path: Path, part: Part): boolean {
  const [body, point] = part.name.split(".");
  if (part.kind === "point" && point) return path[0] === "body" && path[1] === body && path[3] === point;
  return path[0] === part.kind && path[1] === part.name.split(".on_")[0];
}
