// Buttons, slider, speed and keys.
import { Clock, speeds } from "../shared/clock";
import type { SceneEvent } from "../shared/data";
import { digits } from "../shared/numbers";
import { rowBefore } from "../shared/rows";
import type { Viewer } from "../shared/viewer";

function part<T extends HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

export function controlTime(clock: Clock, rows: Float64Array, events: SceneEvent[], unit: string): void {
  const play = part<HTMLButtonElement>("play");
  const slider = part<HTMLInputElement>("slider");
  const time = part<HTMLOutputElement>("time");
  const speed = part<HTMLSelectElement>("speed");
  const length = clock.end - clock.start;
  slider.min = String(clock.start);
  slider.max = String(clock.end);
  slider.step = "any";
  const { offered, first } = speeds(length);
  for (const value of offered) speed.add(new Option(`${value}×`, String(value), value === first, value === first));
  clock.speed = first;
  speed.addEventListener("change", () => (clock.speed = Number(speed.value)));
  play.addEventListener("click", () => clock.toggle());
  slider.addEventListener("input", () => {
    const wanted = Number(slider.value); // the slider follows the clock, so it is read first
    clock.pause();
    clock.set(wanted);
  });
  const still = length <= 0;
  for (const element of [play, slider, speed]) element.disabled = still; // one row does not move
  mark(part("marks"), clock, events);
  clock.listen(() => {
    play.dataset.playing = String(clock.playing);
    play.setAttribute("aria-label", clock.playing ? "pause" : "play");
    slider.value = String(clock.time);
    time.textContent = `t = ${digits(clock.time)}${unit ? ` ${unit}` : ""}`;
  });
  keys(clock, rows);
}

function mark(holder: HTMLElement, clock: Clock, events: SceneEvent[]): void {
  for (const event of events) {
    const button = document.createElement("button");
    const t = Math.min(Math.max(event.t, clock.start), clock.end); // what stopped a motion lies behind its last row
    button.type = "button";
    button.title = event.message;
    button.setAttribute("aria-label", `go to the event at t = ${digits(event.t)}`);
    button.style.left = `${(100 * (t - clock.start)) / (clock.end - clock.start || 1)}%`;
    button.addEventListener("click", () => clock.set(t));
    holder.append(button);
  }
}

function keys(clock: Clock, rows: Float64Array): void {
  document.addEventListener(
    "keydown",
    (event) => {
      const on = event.target as HTMLElement;
      const types = on.matches("input:not([type=range]), select, textarea, summary");
      if (types || event.ctrlKey || event.altKey || event.metaKey) return;
      const step = event.shiftKey ? 10 : 1;
      const row = rowBefore(rows, clock.time);
      const go = (to: number): void => {
        clock.pause();
        clock.set(rows[Math.min(Math.max(to, 0), rows.length - 1)]);
      };
      if (event.key === " " && on.matches("button")) return; // the button's own
      if (event.key === " ") clock.toggle();
      else if (event.key === "ArrowRight") go(row + step);
      else if (event.key === "ArrowLeft")
        go(row - step + (rows[row] < clock.time ? 1 : 0)); // first to the row itself
      else if (event.key === "Home") go(0);
      else if (event.key === "End") go(rows.length - 1);
      else return;
      event.preventDefault();
    },
    { capture: true },
  );
}

export function controlView(viewer: Viewer): void {
  part("nearer").addEventListener("click", () => viewer.zoom(1.4));
  part("farther").addEventListener("click", () => viewer.zoom(1 / 1.4));
  part("fit").addEventListener("click", () => viewer.fit());
  const press = (id: string, change: (on: boolean) => void): void => {
    const button = part<HTMLButtonElement>(id);
    button.addEventListener("click", () => {
      const on = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(on));
      change(on);
    });
  };
  for (const layer of ["names", "paths", "forces", "velocity", "acceleration"] as const) {
    part(layer).hidden = !viewer.layers.includes(layer);
    press(layer, (on) => viewer.turn(layer, on));
  }
  part("growing").hidden = !viewer.layers.includes("paths");
  press("growing", (on) => viewer.grow(on));
}
