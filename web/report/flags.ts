// Events as flags on the time bar. Those that would cover each other share a flag; a flag without room for its words is a
// narrow one.
import type { Clock } from "../shared/clock";
import type { SceneEvent } from "../shared/data";
import { digits } from "../shared/numbers";

const [NARROW, LETTER, AROUND] = [10, 6.4, 12]; // pixels of a flag without words; of a letter; around the words

export interface Flag {
  at: number; // pixels from the left
  events: SceneEvent[];
  words: string;
}

// Flags of events in their order, on a bar so wide.
export function flagsOf(events: SceneEvent[], place: (t: number) => number, wide: number): Flag[] {
  const flags: Flag[] = [];
  for (const event of [...events].sort((a, b) => a.t - b.t)) {
    const at = place(event.t);
    const last = flags[flags.length - 1];
    if (last && at - last.at < NARROW) last.events.push(event);
    else flags.push({ at, events: [event], words: "" });
  }
  flags.forEach((flag, k) => {
    const words = wordsOf(flag.events);
    const room = (flags[k + 1]?.at ?? Infinity) - flag.at;
    const left = flag.at - (flags[k - 1]?.at ?? 0) - (flags[k - 1] ? widthOf(flags[k - 1].words) : 0);
    const fits = leftward(flag.at, wide) ? left : room;
    flag.words = fits >= widthOf(words) ? words : "";
  });
  return flags;
}

// Whether a flag hangs to the left, so that it stays on the bar.
function leftward(at: number, wide: number): boolean {
  return at > 0.85 * wide;
}

function widthOf(words: string): number {
  return words ? LETTER * words.length + AROUND : NARROW;
}

// "impact", "3 impacts", "impact, rest".
function wordsOf(events: SceneEvent[]): string {
  const kinds = [...new Set(events.map(({ kind }) => kind.replace("_", " ")))];
  return kinds.length === 1 && events.length > 1 ? `${events.length} × ${kinds[0]}` : kinds.join(", ");
}

export class Flags {
  constructor(
    private holder: HTMLElement,
    private clock: Clock,
    private events: SceneEvent[],
    private unit: string,
  ) {
    if (events.length) new ResizeObserver(() => this.draw()).observe(holder);
  }

  private draw(): void {
    const { start, end } = this.clock;
    const wide = this.holder.clientWidth;
    const within = (t: number): number => Math.min(Math.max(t, start), end); // what stopped a motion lies behind its last row
    const place = (t: number): number => (wide * (within(t) - start)) / (end - start || 1);
    this.holder.replaceChildren(
      ...flagsOf(this.events, place, wide).map((flag) => this.flag(flag, leftward(flag.at, wide), within)),
    );
  }

  private flag({ at, events, words }: Flag, left: boolean, within: (t: number) => number): HTMLElement {
    const button = document.createElement("button");
    const t = within(events[0].t);
    button.type = "button";
    button.title = events.map(({ message }) => message).join("\n");
    button.textContent = words;
    button.dataset.passed = String(events.every(({ passed }) => passed));
    const when = `${digits(t)}${this.unit ? ` ${this.unit}` : ""}`;
    button.setAttribute("aria-label", `${wordsOf(events)}: go to t = ${when}`);
    button.style.left = `${at}px`;
    button.classList.toggle("leftward", left);
    button.addEventListener("click", () => {
      this.clock.pause();
      this.clock.set(t);
    });
    return button;
  }
}
