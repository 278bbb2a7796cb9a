// Charts under each other with one time axis. Hovering goes to a time; dragging enlarges a part of it.
import type { Clock } from "../clock";
import type { Column, Run, Scene } from "../data";
import { Chart } from "./chart";

const CLICK = 6; // pixels that a hand may tremble

export class Stack {
  private charts: Chart[] = [];
  private readonly whole: [number, number]; // all rows, and where the motion stopped
  private range: [number, number];
  private shown: Set<string>;
  private resumes = false;

  constructor(
    private holder: HTMLElement,
    private reset: HTMLElement,
    private run: Run,
    private scene: Scene,
    private clock: Clock,
    private changed: () => void,
  ) {
    this.whole = [clock.start, Math.max(clock.end, ...scene.events.map((event) => event.t))];
    this.range = this.whole;
    this.shown = new Set(run.shown);
    new ResizeObserver(() => this.draw()).observe(holder);
    reset.addEventListener("click", () => this.enlarge(this.whole));
    clock.listen(() => this.show());
    this.build();
  }

  has(name: string): boolean {
    return this.shown.has(name);
  }

  toggle(name: string): void {
    if (!this.shown.delete(name)) this.shown.add(name);
    this.build();
  }

  private build(): void {
    const groups = new Map<string, Column[]>();
    for (const column of this.run.columns) {
      if (!this.shown.has(column.name)) continue;
      if (!groups.has(column.group)) groups.set(column.group, []);
      groups.get(column.group)!.push(column);
    }
    this.charts = [...groups.values()].map((columns) => {
      const chart = new Chart(columns, this.scene.events, () => {
        for (const column of columns) this.shown.delete(column.name);
        this.build();
      });
      this.follow(chart);
      return chart;
    });
    this.holder.replaceChildren(...this.charts.map((chart) => chart.element));
    this.draw();
    this.changed();
  }

  private draw(): void {
    const wide = Math.max(this.holder.clientWidth, 200);
    const last = this.charts.length - 1;
    this.charts.forEach((chart, k) => chart.draw(wide, this.range, k === 0, k === last, this.scene.units.time));
    this.reset.hidden = this.range[0] === this.whole[0] && this.range[1] === this.whole[1];
    this.show();
  }

  private show(): void {
    for (const chart of this.charts) chart.show(this.clock.time);
  }

  private enlarge(range: [number, number]): void {
    this.range = range;
    this.draw();
  }

  private follow(chart: Chart): void {
    const { plot } = chart;
    let from: number | null = null;
    const x = (event: PointerEvent): number => {
      const box = plot.getBoundingClientRect();
      return ((event.clientX - box.left) * plot.viewBox.baseVal.width) / box.width;
    };
    plot.addEventListener("pointerenter", () => {
      this.resumes = this.clock.playing;
      if (this.resumes) this.clock.pause();
    });
    plot.addEventListener("pointermove", (event) => {
      this.clock.set(chart.time(x(event)));
      if (from !== null && Math.abs(x(event) - from) > CLICK) chart.select(from, x(event));
    });
    plot.addEventListener("pointerdown", (event) => {
      this.clock.set(chart.time(x(event)));
      if (event.pointerType !== "mouse") return; // a finger goes through time, and the page still scrolls
      from = x(event);
      plot.setPointerCapture(event.pointerId);
    });
    plot.addEventListener("pointerup", (event) => {
      chart.select(null);
      if (from !== null && Math.abs(x(event) - from) > CLICK) {
        const ends = [chart.time(from), chart.time(x(event))].sort((a, b) => a - b);
        this.enlarge([ends[0], ends[1]]);
      }
      from = null;
    });
    plot.addEventListener("pointerleave", () => {
      if (this.resumes) this.clock.play();
      this.resumes = false;
    });
    plot.addEventListener("dblclick", () => this.enlarge(this.whole));
  }
}
