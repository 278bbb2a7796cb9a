// Brings the page to life: one clock, one store, the mechanism, the charts, the facts and the player.
import { keepAddress, readAddress } from "../shared/address";
import { Picker } from "../shared/charts/picker";
import { Stack } from "../shared/charts/stack";
import { Clock } from "../shared/clock";
import type { Run, Scene } from "../shared/data";
import { decode } from "../shared/decode";
import { Motion } from "../shared/motion";
import { type ChartSpec, type State, Store } from "../shared/store";
import { FreeBody } from "../shared/study/freebody";
import { Velocities } from "../shared/study/velocities";
import { drawing } from "../shared/svg";
import type { Viewer, Wishes } from "../shared/viewer";
import { controlTime, controlView } from "./controls";
import { readEmbedded, readStudy } from "./embedded";
import { copyInFull, Extremes } from "./extremes";
import { Facts } from "./facts";
import { offerFiles } from "./files";
import { Instants } from "./instants";
import { keepPanes } from "./panes";
import { keepPaper } from "./paper";
import { keepStudies } from "./studies";
import { Study } from "./study";
import { keepTables } from "./tables";

type Open = (figure: HTMLElement, scene: Scene, motion: Motion, run: Run, wishes: Wishes) => Viewer;

export async function start(open: Open): Promise<void> {
  const embedded = await readEmbedded();
  const { run, scene } = decode(embedded("run"), embedded("scene"));
  let motion = new Motion(scene);
  const clock = new Clock(motion.start, motion.end);
  const units = new Map(run.columns.map(({ name, unit }) => [name, unit]));
  const study = readStudy(embedded("study"));
  const first: State = {
    study: study ? "figures" : "charts",
    selected: null,
    hovered: null,
    charts: firstCharts(run),
    axis: run.axis,
    units: {},
    switches: scene.walk ? { paths: false } : {}, // a walk is followed: its paths only cross the view
  };
  const asked = readAddress((name) => units.get(name), study !== null);
  const store = new Store({ ...first, ...asked, switches: { ...first.switches, ...asked.switches } });
  const figure = document.getElementById("figure")!;
  drawing(figure.querySelector<SVGSVGElement>("#drawing")!);
  document.documentElement.classList.add("live");
  for (const section of document.querySelectorAll<HTMLDetailsElement>("details[data-closed]")) section.open = false;
  keepPanes(document.getElementById("stage")!, store);
  const viewer = open(figure, scene, motion, run, {
    select: (part) => store.select(part),
    hover: (part) => store.hover(part),
    go: (time) => {
      clock.pause();
      clock.set(time);
    },
    now: () => clock.time,
  });
  store.listen(({ selected, hovered }, before) => {
    if (selected !== before.selected || hovered !== before.hovered) viewer.light(selected, hovered);
  });
  viewer.light(store.state.selected, null);
  controlView(viewer, figure, store);
  const player = controlTime(clock, run, scene);
  const stack = new Stack(
    document.getElementById("plots")!,
    document.getElementById("whole")!,
    run,
    scene,
    clock,
    store,
  );
  new Picker(document.getElementById("picker")!, run, store);
  const facts = new Facts(document.getElementById("facts")!, run, scene, clock, store);
  offerFiles(document.getElementById("files")!, document.getElementById("picture")!, viewer, clock);
  new Extremes(document.getElementById("extremes"), run);
  copyInFull();
  keepTables(document.getElementById("sections")!);
  keepStudies(document.getElementById("charts")!, store, study?.title ?? null);
  new FreeBody(document.getElementById("body-study")!, scene, motion, run, clock, store);
  new Velocities(document.getElementById("velocity-study")!, scene, motion, run, clock, store);
  new Instants(document.body, clock, store);
  let loaded = study?.designs?.first;
  // Another design takes the stage: camera, time and charts stay.
  const load = (design: number): void => {
    if (design === loaded) return;
    loaded = design;
    const one = embedded(`design-${design}`);
    const next = decode(one.run, one.scene);
    motion = new Motion(next.scene);
    clock.span(motion.start, motion.end);
    player.load(next.run);
    viewer.load(next.scene, motion, next.run);
    stack.load(next.run, next.scene);
    facts.load(next.run, next.scene);
    clock.set(clock.time);
  };
  if (study) new Study(document.getElementById("study-pane")!, study, clock, store, load);
  clock.listen(() => {
    viewer.show(motion.at(clock.time), clock.time);
    figure.dataset.time = String(clock.time);
  });
  clock.set(asked.time ?? scene.forces?.largest ?? clock.start);
  keepAddress(store, clock, first);
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (!calm && asked.time === undefined && !matchMedia("print").matches) clock.playOnce();
  keepPaper(figure, clock, viewer, scene.units.time);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => viewer.recolour());
}

// Columns that share a chart by their group.
function firstCharts(run: Run): ChartSpec[] {
  const known = new Map(run.columns.map((column) => [column.name, column]));
  const groups = new Map<string, string[]>();
  for (const name of run.shown) {
    const { group } = known.get(name)!;
    groups.set(group, [...(groups.get(group) ?? []), name]);
  }
  return [...groups.values()].map((columns) => ({ columns, over: null }));
}
