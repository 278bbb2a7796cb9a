// Buttons, slider, speed and keys.
import { type Clock, durations, type Ending } from "../shared/clock";
import type { Run, Scene } from "../shared/data";
import { conversion, digits, unitsLike } from "../shared/numbers";
import { rowBefore } from "../shared/rows";
import { keepSwitch, type Store } from "../shared/store";
import { FIRST_LAYERS, type Layer, type Viewer } from "../shared/viewer";
import { Flags } from "./flags";

const LAYERS: readonly Layer[] = [
  ...([
    "names",
    "paths",
    "ghosts",
    "forces",
    "velocity",
    "acceleration",
    "centres",
    "other",
    "used",
    "cut",
    "follow",
  ] as const),
];
const PAN = 40; // pixels of an arrow key
const TURN = Math.PI / 12 / PAN; // radians per pixel: 15° of an arrow key

function part<T extends HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

// Answers what takes another run of the same mechanism.
export function controlTime(clock: Clock, run: Run, { events, units }: Scene): { load(run: Run): void } {
  const play = part<HTMLButtonElement>("play");
  const slider = part<HTMLInputElement>("slider");
  const time = part("time");
  const speed = part<HTMLSelectElement>("speed");
  const ending = part<HTMLSelectElement>("ending");
  const length = clock.end - clock.start;
  const range = (): void => {
    slider.min = String(clock.start);
    slider.max = String(clock.end);
  };
  range();
  slider.step = "any";
  const turn = turnTime(run, length);
  const { offered, first, real } = durations(turn ?? length);
  for (const seconds of offered) {
    const text = `${turn ? "one turn" : "all"} in ${digits(seconds, 2)} s`;
    const words = real && seconds === (turn ?? length) ? "real time" : text;
    speed.add(new Option(words, String(seconds), seconds === first, seconds === first));
  }
  const pace = (): void => void (clock.speed = (turn ?? length) / Number(speed.value));
  pace();
  speed.addEventListener("change", pace);
  ending.addEventListener("change", () => (clock.ending = ending.value as Ending));
  play.addEventListener("click", () => clock.toggle());
  slider.addEventListener("input", () => {
    const wanted = Number(slider.value); // the slider follows the clock, so it is read first
    clock.pause();
    clock.set(wanted);
  });
  const rows = { now: run.rows };
  const step = stepper(clock, rows);
  part("back").addEventListener("click", () => step(-1));
  part("forth").addEventListener("click", () => step(1));
  const still = length <= 0;
  for (const id of ["play", "slider", "speed", "ending", "back", "forth"]) part<HTMLButtonElement>(id).disabled = still; // one row does not move
  new Flags(part("marks"), clock, events, units.time);
  let playing: boolean | null = null;
  clock.follow(() => {
    if (clock.playing !== playing) {
      playing = clock.playing;
      play.dataset.playing = String(playing);
      play.setAttribute("aria-label", playing ? "pause" : "play");
    }
    slider.value = String(clock.time);
    time.textContent = `t = ${digits(clock.time)}${units.time ? ` ${units.time}` : ""}`;
  });
  keys(clock, rows, step);
  const load = (next: Run): void => {
    rows.now = next.rows;
    clock.speed *= (clock.end - clock.start) / (Number(slider.max) - Number(slider.min) || 1);
    range();
  };
  return { load };
}

// How long the driver takes for a turn, where it turns at a constant rate and once at least.
function turnTime({ axis, columns }: Run, length: number): number | null {
  const column = columns.find(({ name }) => name === axis);
  const whole = column && conversion("rev", column.unit); // 1 where the unit is not that of an angle
  if (!column || !whole || !unitsLike(column.unit).includes("rev")) return null;
  const turns = Math.abs(column.v[column.v.length - 1] - column.v[0]) / whole;
  return turns > 0.999 ? length / turns : null;
}

// Goes so many rows on.
function stepper(clock: Clock, held: { now: Float64Array }): (by: number) => void {
  return (by) => {
    const rows = held.now;
    const row = rowBefore(rows, clock.time);
    const to = row + by + (by < 0 && rows[row] < clock.time ? 1 : 0); // first to the row itself
    clock.pause();
    clock.set(rows[Math.min(Math.max(to, 0), rows.length - 1)]);
  };
}

function keys(clock: Clock, rows: { now: Float64Array }, step: (by: number) => void): void {
  document.addEventListener(
    "keydown",
    (event) => {
      const on = event.target as HTMLElement;
      const types = on.matches("input:not([type=range]), select, textarea, summary, [role=separator], [role=tab]");
      if (types || event.ctrlKey || event.altKey || event.metaKey) return;
      const by = event.shiftKey ? 10 : 1;
      if (event.key === " " && on.matches("button")) return; // the button's own
      if (event.key === " ") clock.toggle();
      else if (event.key === "ArrowRight") step(by);
      else if (event.key === "ArrowLeft") step(-by);
      else if (event.key === "Home") step(-rows.now.length);
      else if (event.key === "End") step(rows.now.length);
      else return;
      event.preventDefault();
    },
    { capture: true },
  );
}

export function controlView(viewer: Viewer, figure: HTMLElement, store: Store): void {
  part("nearer").addEventListener("click", () => viewer.zoom(1.4));
  part("farther").addEventListener("click", () => viewer.zoom(1 / 1.4));
  part("fit").addEventListener("click", () => viewer.fit());
  const press = (id: string, change: (on: boolean) => void): void => {
    const button = part<HTMLButtonElement>(id);
    const turn = keepSwitch(store, id, button.getAttribute("aria-pressed") === "true", (on) => {
      button.setAttribute("aria-pressed", String(on));
      change(on);
    });
    button.addEventListener("click", turn);
  };
  for (const layer of LAYERS) {
    part(layer).hidden = !viewer.layers.includes(layer);
    const first = part(layer).getAttribute("aria-pressed") === "true";
    if (first !== FIRST_LAYERS[layer]) viewer.turn(layer, first);
    press(layer, (on) => viewer.turn(layer, on));
  }
  part("growing").hidden = !viewer.layers.includes("paths");
  press("growing", (on) => viewer.grow(on));
  letters(viewer, figure, store);
}

// Letters switch layers; with the drawing in focus, + and − enlarge it, arrows with Alt move it, with Alt and Shift turn it in space.
function letters(viewer: Viewer, figure: HTMLElement, store: Store): void {
  const buttons: Record<string, string> = { f: "fit", n: "names", p: "paths", v: "velocity", a: "acceleration" };
  Object.assign(buttons, { F: "forces", g: "ghosts", c: "centres", o: "other", u: "used", x: "cut", l: "follow" });
  document.addEventListener("keydown", (event) => {
    if ((event.target as HTMLElement).matches("input, select, textarea") || event.ctrlKey || event.metaKey) return;
    const button = event.altKey ? null : buttons[event.key];
    if (event.key === "Escape") store.change({ selected: null });
    else if (button && !part(button).hidden) part(button).click();
  });
  figure.addEventListener("keydown", (event) => {
    const moves: Record<string, [number, number]> = {
      ...{ ArrowLeft: [PAN, 0], ArrowRight: [-PAN, 0], ArrowUp: [0, PAN], ArrowDown: [0, -PAN] },
    };
    if (event.key === "+" || event.key === "-") viewer.zoom(event.key === "+" ? 1.2 : 1 / 1.2);
    else if (event.altKey && moves[event.key]) {
      const [across, down] = moves[event.key];
      if (event.shiftKey) viewer.orbit?.(-TURN * across, TURN * down);
      else viewer.pan(across, down);
    } else return;
    event.preventDefault();
  });
}
