// What is selected: its columns with small curves, each a click away from a chart; with nothing selected, everything.
import { toggleChart } from "../shared/charts/picker";
import { spark } from "../shared/charts/spark";
import { ownedBy } from "../shared/charts/stack";
import { settled, valueAt } from "../shared/charts/values";
import type { Clock } from "../shared/clock";
import type { Column, Run, Scene } from "../shared/data";
import { conversion, digits, prefixOf, quantity, usualUnit } from "../shared/numbers";
import type { Part, Store } from "../shared/store";

const MOST = 60; // lines that are shown
const LEFT_OUT = /\.(x|y|z|phi|qw|qx|qy|qz|vx|vy|vz|omega|ax|ay|az|alpha)$/; // of bodies, where nothing is selected

interface Line {
  column: Column;
  value: HTMLElement;
  largest: number;
}

export class Facts {
  private lines: Line[] = [];
  private waiting = false;

  constructor(
    private root: HTMLElement,
    private run: Run,
    private scene: Scene,
    private clock: Clock,
    private store: Store,
  ) {
    clock.listen(() => this.later());
    store.listen((state, before) => {
      if (state.selected !== before.selected || state.charts !== before.charts || state.units !== before.units)
        this.build();
    });
    this.build();
  }

  load(run: Run, scene: Scene): void {
    [this.run, this.scene] = [run, scene];
    this.build();
  }

  private build(): void {
    const { selected } = this.store.state;
    const head = document.createElement("header");
    const title = document.createElement("h3");
    title.textContent = selected ? `${selected.kind} ${selected.name}` : "Columns";
    title.setAttribute("aria-level", "2"); // below the page's own heading
    head.append(title);
    if (selected) head.append(this.clearButton());
    const columns = this.columns(selected);
    const table = document.createElement("div");
    table.className = "lines";
    this.lines = [];
    let owner = selected?.name ?? "";
    for (const column of columns.slice(0, MOST)) {
      if (column.owner !== owner) table.append(ownerLine((owner = column.owner)));
      table.append(this.line(column));
    }
    const more = document.createElement("p");
    more.className = "note";
    more.textContent = columns.length
      ? columns.length > MOST
        ? `${columns.length - MOST} more: search them under “Add a chart”.`
        : ""
      : "It has no columns of its own.";
    this.root.replaceChildren(head, ...(selected ? [this.about(selected)] : []), table, more);
    this.show();
  }

  private clearButton(): HTMLButtonElement {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "clear (Esc)";
    button.addEventListener("click", () => this.store.change({ selected: null }));
    return button;
  }

  // A sentence on what the part is joined to.
  private about(part: Part): HTMLElement {
    const text = document.createElement("p");
    const joints = this.scene.joints.filter(({ between }) => between.includes(part.name)).map(({ name }) => name);
    const joint = this.scene.joints.find(({ name }) => name === part.name.split(".on_")[0]);
    const point = this.scene.points.find(({ name }) => name === part.name);
    if (part.kind === "body") text.textContent = joints.length ? `Joints: ${joints.join(", ")}.` : "It has no joint.";
    else if (part.kind === "point" && point) text.textContent = `A point of ${point.body}.`;
    else if (joint)
      text.textContent = `It joins ${joint.between.join(" and ")}${joint.driven ? "; it is driven" : ""}.`;
    return text;
  }

  private columns(part: Part | null): Column[] {
    if (part) return this.run.columns.filter(({ owner }) => ownedBy(owner, part.name));
    const bodies = new Set(this.scene.bodies.map(({ name }) => name));
    const wanted = this.run.columns.filter(
      ({ name, owner, difference }) => !difference && (!bodies.has(owner) || !LEFT_OUT.test(name)),
    );
    const moving = new Set(wanted.filter(varies).map(({ owner }) => owner)); // what stands still comes last
    const sorted = [
      ...wanted.filter((one) => moving.has(one.owner)),
      ...wanted.filter((one) => !moving.has(one.owner)),
    ];
    return sorted.length ? sorted : this.run.columns;
  }

  private line(column: Column): HTMLElement {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.column = column.name;
    button.setAttribute("aria-label", column.name);
    const shown = this.store.state.charts.some(({ columns }) => columns.includes(column.name));
    button.setAttribute("aria-pressed", String(shown));
    button.title = this.range(column) || `${column.name}: click for a chart`;
    const name = document.createElement("span");
    name.textContent = column.name.replace(`${column.owner}.`, "");
    const value = document.createElement("span");
    value.className = "value";
    const largest = column.v.reduce((most, one) => Math.max(most, Math.abs(one) || 0), 0);
    this.lines.push({ column, value, largest });
    button.append(name, spark(column), value);
    button.addEventListener("click", () => toggleChart(this.store, column.name));
    return button;
  }

  // Least and greatest value, as they were searched between rows.
  private range({ name, unit, extremes }: Column): string {
    if (!extremes) return "";
    const [low, early, high, late] = extremes;
    const shown = usualUnit(unit);
    const [least, most] = [low, high].map((value) => quantity(conversion(unit, shown) * value, shown));
    return `${name}: ${least} at t = ${digits(early)} … ${most} at t = ${digits(late)}`;
  }

  // Numbers follow the clock a few times a second.
  private later(): void {
    if (this.waiting) return;
    this.waiting = true;
    setTimeout(() => {
      this.waiting = false;
      this.show();
    }, 120);
  }

  private show(): void {
    for (const { column, value, largest } of this.lines) {
      const shown = this.store.state.units[column.name] ?? usualUnit(column.unit);
      const change = conversion(column.unit, shown);
      const now = change * settled(column, valueAt(column, this.clock.time));
      const [factor, unit] = prefixOf(change * largest, shown);
      const words = `${digits(now / factor)}${unit ? ` ${unit}` : ""}`;
      if (value.textContent !== words) value.textContent = words; // what stands is not laid out again
    }
  }
}

// Whether the values of a column differ by more than rounding.
function varies({ v }: Column): boolean {
  let [low, high] = [Infinity, -Infinity];
  for (const value of v) if (Number.isFinite(value)) [low, high] = [Math.min(low, value), Math.max(high, value)];
  return high - low > 1e-12 * Math.max(Math.abs(low), Math.abs(high));
}

// The name over the columns of a body, joint, point or driver.
function ownerLine(owner: string): HTMLElement {
  return Object.assign(document.createElement("h4"), { textContent: owner, ariaLevel: "3" });
}
