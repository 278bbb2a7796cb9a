// Velocities and accelerations of the moment: their polygons, angular velocities of bodies, and instant centres.
import type { Clock } from "../clock";
import type { Run, Scene } from "../data";
import type { Motion } from "../motion";
import { digits, prefixOf } from "../numbers";
import type { Store } from "../store";
import { change, make } from "../svg";
import { drawArrow, Words } from "./arrow";
import { fitted, middleOf, outward } from "./fit";
import { type Leg, type Polygon, polygonOf } from "./polygon";
import { type Cell, fillTable } from "./table";
import { type Centre, type Twist, Twists } from "./twists";

const HIGH = 230; // pixels of a drawing
const MOST_NAMES = 14; // of corners: more cover each other
const TITLES = { v: "velocities", a: "accelerations" };
const TONES: Partial<Record<Leg["kind"], string>> = {
  absolute: "var(--quiet)",
  sliding: "var(--accent)",
  Coriolis: "var(--load)",
};

export class Velocities {
  private twists: Twists;
  private drawings = {
    v: make("svg", { class: "study", role: "img" }),
    a: make("svg", { class: "study", role: "img" }),
  };
  private tables = { v: document.createElement("div"), a: document.createElement("div") };
  private centres = document.createElement("div");
  private spins = document.createElement("div");
  private colours: Map<string, string>;
  private shown = "";

  constructor(
    private root: HTMLElement,
    private scene: Scene,
    private motion: Motion,
    run: Run,
    private clock: Clock,
    private store: Store,
  ) {
    this.twists = new Twists(scene, run);
    this.colours = new Map(scene.bodies.map(({ name, colour }) => [name, colour]));
    this.build();
    clock.listen(() => this.show());
    store.listen(() => this.show());
    new ResizeObserver(() => this.show()).observe(root);
  }

  private build(): void {
    if (this.twists.missing) {
      this.root.append(paragraph(this.twists.missing));
      return;
    }
    const pair = document.createElement("div");
    pair.className = "pair";
    for (const of of ["v", "a"] as const) {
      const figure = document.createElement("figure");
      const caption = document.createElement("figcaption");
      caption.textContent = `polygon of ${TITLES[of]}`;
      figure.append(caption, this.drawings[of]);
      pair.append(figure);
    }
    for (const holder of [this.spins, this.tables.v, this.tables.a, this.centres]) holder.className = "wide";
    const note = paragraph(
      "From the pole to a corner leads its velocity or acceleration; dashed: the normal part −ω² r; red: Coriolis, 2 ω × u. Select a body for its parts alone. The button “centres” (c) shows instant centres and centrodes in the drawing.",
    );
    note.className = "note";
    this.root.append(pair, note, this.spins, title("Velocities"), this.tables.v, title("Accelerations"), this.tables.a);
    this.root.append(title("Instant centres"), this.centres);
  }

  private show(): void {
    if (this.root.hidden || this.twists.missing || this.root.clientWidth < 50) return;
    const { selected } = this.store.state;
    const body = selected?.kind === "body" ? selected.name : null;
    const asked = `${body} ${this.clock.time} ${this.root.clientWidth}`;
    if (asked === this.shown) return;
    this.shown = asked;
    const poses = this.motion.at(this.clock.time);
    const twists = this.twists.at(poses, this.clock.time);
    for (const of of ["v", "a"] as const) {
      const polygon = part(polygonOf(this.scene, twists, poses, of), body);
      this.draw(this.drawings[of], polygon, TITLES[of]);
      this.write(this.tables[of], polygon, this.unit(of));
    }
    this.writeSpins(twists, body);
    this.writeCentres(this.twists.centres(twists), body);
  }

  private unit(of: "v" | "a"): string {
    const { length, time } = this.scene.units;
    return length ? `${length}/${time || "s"}${of === "a" ? "²" : ""}` : "";
  }

  private colour({ kind, body }: Leg): string {
    return TONES[kind] ?? this.colours.get(body) ?? "var(--ink)";
  }

  private draw(svg: SVGSVGElement, { legs, corners }: Polygon, what: string): void {
    const wide = svg.parentElement!.clientWidth;
    svg.replaceChildren();
    change(svg, { viewBox: `0 0 ${wide} ${HIGH}`, width: wide, height: HIGH, "aria-label": `polygon of ${what}` });
    const places = [[0, 0], ...legs.flatMap(({ from, to }) => [from, to])];
    const pixel = fitted(places, wide, HIGH, 30);
    const words = new Words(svg, wide, HIGH);
    const middle = middleOf(places, pixel);
    const order = (leg: Leg): number => (leg.kind === "absolute" ? 0 : 1);
    for (const leg of [...legs].sort((a, b) => order(a) - order(b))) {
      const look = { colour: this.colour(leg), thin: leg.kind === "absolute", dashed: leg.kind === "normal" };
      const [from, to] = [pixel(leg.from), pixel(leg.to)];
      drawArrow(svg, from, to, { ...look, data: { leg: leg.name, kind: leg.kind } });
      if (leg.kind !== "Coriolis" || Math.hypot(to.x - from.x, to.y - from.y) < 16) continue;
      words.put(
        "Coriolis",
        { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 },
        outward(from, to, middle),
        "var(--load)",
      );
    }
    const pole = pixel([0, 0]);
    make("circle", { class: "pole", r: 3.5, cx: pole.x, cy: pole.y }, svg);
    words.put("o", pole, { x: pole.x - middle.x || 1, y: pole.y - middle.y });
    for (const { name, value } of corners.slice(0, MOST_NAMES)) {
      const at = pixel(value);
      words.put(name, at, { x: at.x - pole.x || 1, y: at.y - pole.y });
    }
  }

  private write(holder: HTMLElement, { legs }: Polygon, unit: string): void {
    const sizes = legs.map(({ from, to }) => Math.hypot(to[0] - from[0], to[1] - from[1]));
    const [factor, shown] = prefixOf(Math.max(...sizes, 0), unit);
    const bracket = shown ? ` [${shown}]` : "";
    const rows = legs.map(({ name, kind, from, to }, k): Cell[] => {
      const angle = (Math.atan2(to[1] - from[1], to[0] - from[0]) * 180) / Math.PI;
      return [name, kind, [sizes[k], factor], `${digits(angle, 4)}°`];
    });
    fillTable(holder, ["from to", "part", `size${bracket}`, "direction"], rows);
  }

  private writeSpins(twists: Map<string, Twist>, body: string | null): void {
    const { radians, units } = this.scene;
    const angle = units.angle || "rad";
    const time = units.time || "s";
    const rows = this.twists.bodies
      .slice(1)
      .filter((name) => twists.has(name) && (!body || name === body))
      .map((name): Cell[] => {
        const { omega, alpha } = twists.get(name)!;
        return [name, [omega / radians, 1], [alpha / radians, 1]];
      });
    fillTable(this.spins, ["body", `ω [${angle}/${time}]`, `α [${angle}/${time}²]`], rows);
  }

  private writeCentres(centres: Centre[], body: string | null): void {
    const [factor, unit] = [1, this.scene.units.length];
    const near = (x: number): number => (Math.abs(x) < 1e-9 * this.scene.size ? 0 : x);
    const rows = centres
      .filter(({ pair }) => !body || pair.includes(body))
      .sort((a, b) => Number(b.absolute) - Number(a.absolute))
      .map(({ pair, at, angle }): Cell[] => {
        const name = pair.join(" – ");
        if (!at) return [name, "at infinity", `${digits((angle * 180) / Math.PI, 4)}°`];
        return [name, [near(at[0]), factor], [near(at[1]), factor]];
      });
    const bracket = unit ? ` [${unit}]` : "";
    fillTable(this.centres, ["of", `x${bracket}`, `y${bracket}`], rows);
  }
}

// What belongs to a body alone; all where none is selected.
function part(polygon: Polygon, body: string | null): Polygon {
  if (!body) return polygon;
  const own = polygon.legs.filter((leg) => leg.body === body);
  const most = Math.max(...polygon.corners.map(({ value }) => Math.hypot(...value)), 0);
  const ends = own.flatMap(({ from, to }) => [from, to]);
  const corners = polygon.corners.filter(({ value }) =>
    ends.some((at) => Math.hypot(at[0] - value[0], at[1] - value[1]) <= 1e-9 * most),
  );
  const names = new Set(corners.map(({ name }) => name));
  const absolute = polygon.legs.filter(({ kind, name }) => kind === "absolute" && names.has(name));
  return { legs: [...own, ...absolute], corners };
}

function paragraph(text: string): HTMLParagraphElement {
  const made = document.createElement("p");
  made.textContent = text;
  return made;
}

function title(text: string): HTMLHeadingElement {
  const made = document.createElement("h3");
  made.textContent = text;
  return made;
}
