// Dimensions at what is selected, each a field to type into and a lock beside it: lengths and the angle of a link, the
// coordinates of a pin.
import type { Vector } from "../shared/data";
import { digits } from "../shared/numbers";
import type { PlaneViewer } from "../shared/plane/view";
import type { Part } from "../shared/store";
import { type Lock, lockButton, type Locks } from "./locks";
import type { Spot } from "./overlay";

const MOST = 4; // lengths of a link that are shown
const BESIDE = 24; // pixels from the middle of a line to its field
const GAP = 3; // pixels between two fields

export interface Typed {
  length(body: string, ends: [string, string], text: string): void;
  angle(first: Spot, second: Spot, text: string): void;
  coordinate(pin: Spot, axis: number, text: string): void;
}
// A dimension: where its field is, its name and value, what is typed, and what its lock keeps.
interface Dimension {
  key: string;
  at: Vector;
  by: [number, number]; // pixels beside the place
  title: string;
  value: string;
  typed(text: string): void;
  lock: Lock | null;
}

export class Fields {
  private drawn = "";

  constructor(
    private root: HTMLElement,
    private locks: () => Locks,
    private typed: Typed,
    private changed: () => void,
  ) {}

  clear(): void {
    this.drawn = "";
    this.root.replaceChildren();
  }

  // Fields for a part whose pins are at these places.
  show(viewer: PlaneViewer, part: Part | null, spots: Spot[], unit: string): void {
    const found = part?.kind === "body" ? this.ofLink(part.name, spots, unit) : this.ofPin(part, spots, unit);
    const key = found.map((one) => `${one.key} ${one.lock && this.locks().has(one.lock)}`).join();
    if (key !== this.drawn) {
      this.drawn = key;
      this.root.replaceChildren(...found.map((one) => this.field(one)));
    }
    const taken: Box[] = [];
    found.forEach((one, k) => {
      const holder = this.root.children[k] as HTMLElement;
      const field = holder.querySelector("input")!;
      if (document.activeElement !== field && field.value !== one.value) {
        field.value = one.value;
        field.size = Math.max(one.value.length - 1, 4);
        delete holder.dataset.wide;
      }
      const { x, y } = viewer.pixel(one.at);
      taken.push(free({ x: x + one.by[0], y: y + one.by[1], ...sizeOf(holder) }, taken));
      [holder.style.left, holder.style.top] = [`${taken[k].x}px`, `${taken[k].y}px`];
      (holder as any).typed = one.typed;
    });
  }

  private ofLink(body: string, spots: Spot[], unit: string): Dimension[] {
    const own = spots.filter((one) => one.body === body);
    const pairs = own.flatMap((a, k) => own.slice(k + 1).map((b): [Spot, Spot] => [a, b])).slice(0, MOST);
    const lengths = pairs.map(([a, b]): Dimension => {
      const ends: [string, string] = [letter(a), letter(b)];
      const value = Math.hypot(b.at[0] - a.at[0], b.at[1] - a.at[1]);
      return {
        key: `length ${body} ${ends.join("")}`,
        at: [(a.at[0] + b.at[0]) / 2, (a.at[1] + b.at[1]) / 2],
        by: [0, 0],
        title: `length ${ends.join("–")}`,
        value: `${digits(value)}${unit && ` ${unit}`}`,
        typed: (text) => this.typed.length(body, ends, text),
        lock: ["length", body, ...ends],
      };
    });
    if (!pairs.length) return [];
    const [a, b] = pairs[0];
    const angle = (Math.atan2(b.at[1] - a.at[1], b.at[0] - a.at[0]) * 180) / Math.PI;
    return [
      ...lengths,
      {
        key: `angle ${body}`,
        at: a.at,
        by: [44, -BESIDE],
        title: `angle of ${letter(a)}${letter(b)} at this time`,
        value: `${digits(angle)}°`,
        typed: (text) => this.typed.angle(a, b, text),
        lock: ["angle", body, letter(a), letter(b)],
      },
    ];
  }

  private ofPin(part: Part | null, spots: Spot[], unit: string): Dimension[] {
    const [pin] = spots;
    if (!part || !pin) return [];
    return ["x", "y"].map((word, axis) => ({
      key: `${word} ${pin.reference}`,
      at: pin.at,
      by: [axis ? 58 : 68, -BESIDE - 14 + 24 * axis] as [number, number],
      title: `${word} of ${pin.reference} at this time`,
      value: `${word} ${digits(pin.at[axis])}${unit && ` ${unit}`}`,
      typed: (text: string) => this.typed.coordinate(pin, axis, text),
      lock: axis ? null : (["pin", pin.body, letter(pin), letter(pin)] as Lock),
    }));
  }

  private field({ key, title, value, lock }: Dimension): HTMLElement {
    const holder = document.createElement("span");
    const field = document.createElement("input");
    field.value = value;
    field.size = Math.max(value.length - 1, 4);
    field.title = `${title}: type another and press Enter`;
    field.setAttribute("aria-label", title);
    field.dataset.dimension = key;
    field.addEventListener("focus", () => field.select());
    field.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Escape") field.blur();
      if (event.key !== "Enter") return;
      const text = field.value;
      field.blur();
      (holder as any).typed(text);
    });
    holder.append(field);
    if (lock)
      holder.append(
        lockButton(this.locks().has(lock), title, () => {
          this.locks().toggle(lock);
          this.changed();
        }),
      );
    return holder;
  }
}

interface Box {
  x: number; // of its middle
  y: number;
  wide: number;
  high: number;
}

// The size of a field is measured once for each text: while a hand drags, nothing is laid out for it.
function sizeOf(holder: HTMLElement): { wide: number; high: number } {
  holder.dataset.wide ??= `${holder.offsetWidth} ${holder.offsetHeight}`;
  const [wide, high] = holder.dataset.wide.split(" ").map(Number);
  return { wide, high };
}

// The place nearest to the wanted one, above or below it, where a field covers none of those before it.
function free(box: Box, taken: Box[]): Box {
  const covers = (y: number): boolean =>
    taken.some((a) => Math.abs(a.x - box.x) < (a.wide + box.wide) / 2 && Math.abs(a.y - y) < (a.high + box.high) / 2);
  const apart = [0, 1, 2, 3, 4].flatMap((k) => [-k, k]).map((k) => box.y + 0.5 * k * (box.high + GAP));
  return { ...box, y: apart.find((y) => !covers(y)) ?? box.y };
}

function letter({ reference }: Spot): string {
  return reference.split(".")[1];
}
