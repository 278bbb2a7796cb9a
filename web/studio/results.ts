// Results around the drawing: the first charts of a run, what they are drawn over, the headline, and an empty scene.
import type { Run, Scene, Vector } from "../shared/data";
import { type ChartSpec, type Part, readPart } from "../shared/store";
import type { Fact } from "./messages";
import { part } from "./page";

// Offers time, then the values of drivers, then every other column to draw charts over.
export function offerAxes(run: Run): void {
  const select = part<HTMLSelectElement>("axis");
  const names = run.columns.map(({ name }) => name);
  const drivers = names.filter((name) => name.endsWith(".value"));
  select.replaceChildren(
    new Option("time", ""),
    ...[...drivers, ...names.filter((one) => !drivers.includes(one))].map((name) => new Option(name, name)),
  );
  select.value = run.axis ?? "";
}

// The headline: numbers that lead to their instant and part.
export function showHeadline(facts: Fact[], go: (time: number) => void, select: (part: Part | null) => void): void {
  part("headline").replaceChildren(
    ...facts.map(({ label, text, t, part: of, judgement }) => {
      const [item, link] = [document.createElement("li"), document.createElement(t !== null || of ? "a" : "span")];
      if (link instanceof HTMLAnchorElement) link.href = "#";
      else link.className = "fact";
      if (judgement) link.dataset.judgement = judgement;
      link.append(Object.assign(document.createElement("small"), { textContent: label }));
      link.append(Object.assign(document.createElement("b"), { textContent: text }));
      link.addEventListener("click", (event) => {
        event.preventDefault();
        if (t !== null) go(t);
        if (of) select(readPart(of));
      });
      item.append(link);
      return item;
    }),
  );
}

// Columns that share a chart by their group.
export function firstCharts(run: Run): ChartSpec[] {
  const known = new Map(run.columns.map((column) => [column.name, column]));
  const groups = new Map<string, string[]>();
  for (const name of run.shown) {
    const column = known.get(name);
    if (column) groups.set(column.group, [...(groups.get(column.group) ?? []), name]);
  }
  return [...groups.values()].map((columns) => ({ columns, over: null }));
}

// A grid of half a metre to begin on.
export function emptyScene(): { scene: Scene; run: Run } {
  const corner = [
    [-100, -100],
    [400, 300],
  ] as [Vector, Vector];
  const none = {
    reaches: [],
    strokes: [],
    solids: [],
    lines: [],
    points: [],
    joints: [],
    texts: [],
    events: [],
    bodies: [],
  };
  const times = new Float64Array([0]);
  const units = { length: "mm", time: "s", angle: "deg" };
  const scene: Scene = {
    name: "",
    dimension: 2,
    units,
    size: 500,
    thick: 8,
    up: [0, 1],
    box: corner,
    framed: corner,
    forces: null,
    ...none,
    times,
    poses: {},
    rates: {},
    actions: [],
    beams: {},
    masses: {},
    radians: Math.PI / 180,
    effort_units: { force: "N", torque: "N mm" },
  };
  const run: Run = { times, rows: times, columns: [], shown: [], axis: null };
  return { scene, run };
}
