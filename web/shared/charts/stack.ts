// Charts under each other that share the height of their pane and one axis. Hovering goes to a time, dragging enlarges
// a part of the axis, the wheel with Ctrl the vertical one; Shift and a click pins a second cursor.
import type { Clock } from "../clock";
import type { Column, Run, Scene } from "../data";
import { usualUnit } from "../numbers";
import { type ChartSpec, type Store } from "../store";
import { type Axis, columnAxis, timeAxis } from "./axis";
import { Chart } from "./chart";
import { isSquare } from "./kinds";
import { Panel } from "./panel";
import { PolarChart } from "./polar";

const CLICK = 6; // pixels that a hand may tremble
const [LEAST, MOST] = [64, 420]; // pixels of a chart's curves
const STACKED = "screen and (max-width: 700px)"; // where the page scrolls, they need not share a height,
const ROOMY = 90; // and are at least so high
const BESIDE = 320; // pixels across that charts need to stand in two columns where one is too low for all
const HIDDEN = 440; // pixels across where they are not seen but may be printed
const SQUARE = 2; // times the height of others has a chart with equal axes
const [AROUND, FOOT] = [20, 22]; // pixels around the curves of each, and below those of the last

export class Stack {
  private panels: Panel[] = [];
  private known: Map<string, Column>;
  private range: [number, number] | null = null; // the part of the shared axis that is seen; null: all
  private pinned: number | null = null;
  private resumes = false;
  private room = "";
  private columns = 1; // in which charts stand

  constructor(
    private holder: HTMLElement,
    private reset: HTMLElement,
    private run: Run,
    private scene: Scene,
    private clock: Clock,
    private store: Store,
  ) {
    this.known = new Map(run.columns.map((column) => [column.name, column]));
    new ResizeObserver(() => this.resize()).observe(holder);
    reset.addEventListener("click", () => this.enlarge(null));
    clock.follow(() => this.show());
    store.listen((state, before) => {
      if (state.axis !== before.axis) this.range = null;
      if (state.charts !== before.charts || state.axis !== before.axis || state.units !== before.units) this.build();
      else if (state.selected !== before.selected || state.hovered !== before.hovered) this.light();
    });
    this.build();
  }

  // Another run of the same mechanism: charts stay as they are chosen.
  load(run: Run, scene: Scene): void {
    [this.run, this.scene] = [run, scene];
    this.known = new Map(run.columns.map((column) => [column.name, column]));
    const whole = ({ columns }: ChartSpec): boolean => columns.every((name) => this.known.has(name));
    this.store.change({ charts: this.store.state.charts.filter(whole) });
  }

  private build(): void {
    const { charts, axis, units } = this.store.state;
    this.panels = charts.map((spec) => {
      const columns = spec.columns.map((name) => this.known.get(name)!);
      const chart = new (spec.polar ? PolarChart : Chart)(spec, columns, this.run, this.scene.events, units);
      const panel = new Panel(chart, this.run, axis, {
        close: () => this.replace(spec, []),
        over: (over) => this.replace(spec, [{ ...spec, over }]),
        unit: (name, unit) => this.store.change({ units: { ...this.store.state.units, [name]: unit } }),
        split: () =>
          this.replace(
            spec,
            spec.columns.map((name) => ({ columns: [name], over: spec.over })),
          ),
        show: (kind) => this.replace(spec, [kind]),
        join: () => this.join(spec),
        add: (columns) => this.replace(spec, [spec, { columns, over: spec.over }]),
        drop: (name, x, y) => this.drop(spec, name, x, y),
      });
      this.follow(chart);
      return panel;
    });
    this.holder.replaceChildren(...this.panels.map((panel) => panel.element));
    this.draw();
    this.light();
  }

  private replace(spec: ChartSpec, by: ChartSpec[]): void {
    this.store.change({ charts: this.store.state.charts.flatMap((one) => (one === spec ? by : [one])) });
  }

  // A column was dragged to a place: onto another chart it joins that one, elsewhere it gets a chart of its own.
  private drop(from: ChartSpec, name: string, x: number, y: number): void {
    const target = this.panels.find(({ element }) => {
      const box = element.getBoundingClientRect();
      return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
    });
    if (target?.chart.spec === from || (!target && from.columns.length === 1)) return;
    const rest = { ...from, columns: from.columns.filter((column) => column !== name) };
    const kept = this.store.state.charts.flatMap((spec) => {
      if (spec === from)
        return [...(rest.columns.length ? [rest] : []), ...(target ? [] : [{ ...from, columns: [name] }])];
      return spec === target?.chart.spec ? [{ ...spec, columns: [...new Set([...spec.columns, name])] }] : [spec];
    });
    this.store.change({ charts: kept });
  }

  // The columns of a chart join the one above it.
  private join(spec: ChartSpec): void {
    const { charts } = this.store.state;
    const above = charts[charts.indexOf(spec) - 1];
    if (!above) return;
    const columns = [...new Set([...above.columns, ...spec.columns])];
    this.store.change({
      charts: charts.flatMap((one) => (one === spec ? [] : [one === above ? { ...above, columns } : one])),
    });
  }

  private axis(over: string | null): Axis {
    const name = over ?? this.store.state.axis;
    const span: [number, number] = [this.clock.start, this.clock.end];
    const column = name && name !== "t" ? this.known.get(name) : null;
    if (column) return columnAxis(column, this.store.state.units[column.name] ?? usualUnit(column.unit), span);
    const end = Math.max(this.clock.end, ...this.scene.events.map((event) => event.t)); // where a motion stopped
    return timeAxis(this.clock.start, end, this.scene.units.time);
  }

  private resize(): void {
    const room = `${this.holder.clientWidth} ${this.holder.clientHeight}`;
    if (room !== this.room) this.draw();
  }

  private draw(): void {
    this.room = `${this.holder.clientWidth} ${this.holder.clientHeight}`;
    const heads = (): number[] => this.panels.map(({ element }) => element.firstElementChild!.clientHeight);
    this.arrange(1);
    if (this.holder.clientWidth >= 2 * BESIDE && this.share(heads()) < LEAST) this.arrange(2);
    let [taken, lefts] = [heads(), this.measure(heads())];
    for (const panel of this.panels) panel.label(); // with its unit a head may need another line
    if (heads().some((high, k) => high !== taken[k])) [taken, lefts] = [heads(), this.measure(heads())];
    for (const { chart } of this.panels) chart.draw(Math.max(...lefts));
    this.reset.hidden = this.range === null;
    this.show();
  }

  private arrange(columns: number): void {
    this.columns = columns;
    this.holder.dataset.columns = String(columns);
  }

  // Whether a chart has the numbers of its axis below it: none below it shares them.
  private named(k: number): boolean {
    const below = this.panels[k + this.columns];
    return !below || this.panels[k].chart.spec.over !== null || !!below.chart.spec.over;
  }

  // Pixels that are left for the curves of a chart of usual height, with heads so high.
  private share(heads: number[]): number {
    let [left, shares] = [this.holder.clientHeight, 0];
    for (let k = 0; k < heads.length; k += this.columns) {
      const row = heads.map((_, n) => n).slice(k, k + this.columns);
      left -= Math.max(...row.map((n) => heads[n] + AROUND + (this.named(n) ? FOOT : 0)));
      shares += Math.max(...row.map((n) => weight(this.panels[n].chart)));
    }
    return left / Math.max(shares, 1);
  }

  // Gives every chart its frame, with heads so high, and answers the pixels that the numbers beside each need.
  private measure(heads: number[]): number[] {
    const wide = Math.max((this.holder.clientWidth || HIDDEN) / this.columns - (this.columns - 1) * 8, 200);
    const shared = this.axis(null);
    const room = Math.max(this.share(heads), matchMedia(STACKED).matches ? ROOMY : LEAST);
    return this.panels.map(({ chart }, k) => {
      const own = chart.spec.over ? this.axis(chart.spec.over) : null;
      const range = own ? own.whole : (this.range ?? shared.whole);
      const high = weight(chart) * Math.min(room, MOST);
      return chart.measure({ wide, high, range, axis: own ?? shared, first: k === 0, last: this.named(k) });
    });
  }

  private show(): void {
    for (const panel of this.panels) panel.show(this.clock.time, this.pinned);
  }

  // Charts of the part that is selected or under the pointer stand out.
  private light(): void {
    const { selected, hovered } = this.store.state;
    const part = hovered ?? selected;
    for (const { element, chart } of this.panels) {
      const belongs = part !== null && chart.lines.some(({ column }) => ownedBy(column.owner, part.name));
      element.classList.toggle("lit", belongs);
    }
  }

  private enlarge(range: [number, number] | null): void {
    this.range = range;
    this.draw();
  }

  private pin(time: number | null): void {
    this.pinned = time;
    for (const { chart } of this.panels) chart.pin(time);
    this.show();
  }

  private follow(chart: Chart): void {
    const { plot } = chart;
    let from: number | null = null;
    const place = (event: MouseEvent): [number, number] => {
      const box = plot.getBoundingClientRect();
      const scale = plot.viewBox.baseVal.width / box.width;
      return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
    };
    plot.addEventListener("pointerenter", () => {
      this.resumes = this.clock.playing;
      this.clock.pause();
    });
    plot.addEventListener("pointermove", (event) => {
      const [x, y] = place(event);
      this.clock.set(chart.nearest(x, y));
      if (from !== null && Math.abs(x - from) > CLICK) chart.select(from, x);
    });
    plot.addEventListener("pointerdown", (event) => {
      const [x, y] = place(event);
      this.resumes = false; // a press means to stay
      this.clock.set(chart.nearest(x, y));
      if (event.shiftKey) this.pin(this.pinned === null ? this.clock.time : null);
      if (event.pointerType !== "mouse" || event.shiftKey) return; // a finger goes through time, and the page scrolls
      from = x;
      plot.setPointerCapture(event.pointerId);
    });
    plot.addEventListener("pointerup", (event) => {
      chart.select(null);
      const [x] = place(event);
      if (from !== null && Math.abs(x - from) > CLICK && !chart.spec.over) {
        const ends = [chart.at(from), chart.at(x)].sort((a, b) => a - b);
        this.enlarge([ends[0], ends[1]]);
      }
      from = null;
    });
    plot.addEventListener("pointerleave", () => {
      if (this.resumes) this.clock.play();
      this.resumes = false;
    });
    plot.addEventListener("dblclick", () => {
      chart.zoom(0, 0);
      this.enlarge(null);
    });
    this.press(chart);
    plot.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey) return;
        event.preventDefault();
        chart.zoom(Math.exp(-0.003 * event.deltaY), place(event)[1]);
        this.show();
      },
      { passive: false },
    );
  }

  // Keys of a chart: + and − enlarge the axis about the time shown, up and down the values; Enter pins a second cursor,
  // Escape shows all again.
  private press(chart: Chart): void {
    chart.plot.addEventListener("keydown", (event) => {
      const { range, axis } = chart.frame;
      const [at, y] = [axis.value(this.clock.time), chart.height(this.clock.time)];
      const about = (factor: number): [number, number] => [
        at - (at - range[0]) * factor,
        at + (range[1] - at) * factor,
      ];
      if (event.key === "Enter") this.pin(this.pinned === null ? this.clock.time : null);
      else if (event.key === "+" && !chart.spec.over) this.enlarge(about(0.5));
      else if (event.key === "-" && !chart.spec.over) this.enlarge(within(about(2), axis.whole));
      else if (event.key === "ArrowUp") chart.zoom(1.5, y);
      else if (event.key === "ArrowDown") chart.zoom(1 / 1.5, y);
      else if (event.key === "Escape") {
        chart.zoom(0, 0);
        this.enlarge(null);
      } else return;
      event.preventDefault();
      event.stopPropagation();
      this.show();
    });
  }
}

function weight({ spec }: Chart): number {
  return isSquare(spec) ? SQUARE : 1;
}

// A range within the whole; null where it is all of it.
function within([from, to]: [number, number], [least, most]: [number, number]): [number, number] | null {
  return from <= least && to >= most ? null : [Math.max(from, least), Math.min(to, most)];
}

// Whether columns of an owner, such as "A" or "A.on_crank", belong to a part.
export function ownedBy(owner: string, part: string): boolean {
  return owner === part || owner.startsWith(`${part}.on_`) || owner.endsWith(`.on_${part}`);
}
