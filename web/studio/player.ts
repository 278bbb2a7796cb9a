// The time bar: play, pause, step, scrub, speed; it is loaded again with every run.
import { type Clock, durations, type Ending } from "../shared/clock";
import type { Run, Scene } from "../shared/data";
import { digits } from "../shared/numbers";
import { rowBefore } from "../shared/rows";

function part<T extends HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

export class Player {
  private rows: Float64Array = new Float64Array([0]);
  private unit = "";
  private length = -1;

  constructor(
    private clock: Clock,
    private playing: (on: boolean) => void,
  ) {
    const slider = part<HTMLInputElement>("slider");
    const play = part<HTMLButtonElement>("play");
    slider.step = "any";
    part("play").addEventListener("click", () => this.toggle());
    const direction = Object.assign(document.createElement("button"), { type: "button", id: "direction" });
    direction.textContent = "reverse";
    direction.title = "play backwards";
    direction.setAttribute("aria-pressed", "false");
    direction.addEventListener("click", () => {
      clock.backwards = !clock.backwards;
      direction.setAttribute("aria-pressed", String(clock.backwards));
    });
    part("ending").after(direction);
    part("back").addEventListener("click", () => this.step(-1));
    part("forth").addEventListener("click", () => this.step(1));
    part<HTMLSelectElement>("speed").addEventListener("change", () => this.pace());
    part<HTMLSelectElement>("ending").addEventListener("change", (event) => {
      clock.ending = (event.target as HTMLSelectElement).value as Ending;
    });
    slider.addEventListener("input", () => {
      const wanted = Number(slider.value);
      clock.pause();
      clock.set(wanted);
    });
    let was: boolean | null = null;
    clock.listen(() => {
      slider.value = String(clock.time);
      part("time").textContent = `t = ${digits(clock.time)}${this.unit ? ` ${this.unit}` : ""}`;
      if (clock.playing === was) return;
      was = clock.playing;
      play.dataset.playing = String(was);
      play.setAttribute("aria-label", was ? "pause" : "play");
    });
  }

  toggle(): void {
    if (!this.clock.playing) this.playing(true);
    this.clock.toggle();
  }

  load(run: Run, scene: Scene): void {
    const { clock } = this;
    const [start, end] = [scene.times[0], scene.times[scene.times.length - 1]];
    this.rows = run.rows;
    this.unit = scene.units.time;
    clock.span(start, end);
    const slider = part<HTMLInputElement>("slider");
    [slider.min, slider.max] = [String(start), String(end)];
    if (end - start !== this.length) this.offer(end - start);
    for (const id of ["play", "slider", "speed", "ending", "back", "forth"])
      part<HTMLButtonElement>(id).disabled = end <= start;
    if (end <= start) clock.pause();
    part("marks").replaceChildren(
      ...scene.events.map((event) => {
        const button = document.createElement("button");
        const t = Math.min(Math.max(event.t, start), end);
        const share = (t - start) / (end - start || 1);
        button.type = "button";
        button.title = event.message;
        button.textContent = event.kind.replace("_", " ");
        button.style.left = `${100 * share}%`;
        if (share > 0.8) button.classList.add("leftward");
        button.addEventListener("click", () => this.go(t));
        return button;
      }),
    );
  }

  go(time: number): void {
    this.clock.pause();
    this.clock.set(time);
  }

  step(by: number): void {
    const row = rowBefore(this.rows, this.clock.time);
    const to = row + by + (by < 0 && this.rows[row] < this.clock.time ? 1 : 0);
    this.go(this.rows[Math.min(Math.max(to, 0), this.rows.length - 1)]);
  }

  private offer(length: number): void {
    this.length = length;
    const speed = part<HTMLSelectElement>("speed");
    const { offered, first, real } = durations(length);
    speed.replaceChildren();
    for (const seconds of offered) {
      const text = real && seconds === length ? "real time" : `all in ${digits(seconds, 2)} s`;
      speed.add(new Option(text, String(seconds), seconds === first, seconds === first));
    }
    this.pace();
  }

  private pace(): void {
    this.clock.speed = this.length / Number(part<HTMLSelectElement>("speed").value);
  }
}
