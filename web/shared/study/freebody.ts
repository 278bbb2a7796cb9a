// The free body of one link: the link alone with what acts on it, the polygon of these forces, which closes with the
// inertia force, their values, and N, V, M along the link.
import type { Clock } from "../clock";
import type { Run, Scene, Vector } from "../data";
import { type Motion, place, type Poses } from "../motion";
import { prefixOf, digits, quantity } from "../numbers";
import type { Store } from "../store";
import { change, line, make } from "../svg";
import { type Acting, actionsOn, balance } from "./actions";
import { drawArrow, drawTurn, Words } from "./arrow";
import { internalForces } from "./beam";
import { drawDiagrams } from "./diagrams";
import { fitted, fittedWith, middleOf, outward } from "./fit";
import { beamLine } from "./line";
import { type Cell, fillTable } from "./table";

const HIGH = 220; // pixels of a drawing
const LONGEST = 76; // pixels of the largest force
const LARGEST = 6; // forces that have their values in the drawing
const ROUNDING = 1e-9; // of the largest: what is left of a sum is rounding
const SHOWN = 1e-4; // of the largest: beyond the digits that are shown, such as what cubics between rows leave
const TONES: Record<string, string> = { load: "var(--load)", driver: "var(--load)", weight: "var(--quiet)" };

export class FreeBody {
  private select = document.createElement("select");
  private body = make("svg", { class: "study", role: "img" });
  private polygon = make("svg", { class: "study", role: "img" });
  private beam = make("svg", { class: "study", role: "img" });
  private table = document.createElement("div");
  private note = document.createElement("p");
  private beamNote = document.createElement("p");
  private colours: Map<string, string>;
  private shown = "";

  constructor(
    private root: HTMLElement,
    private scene: Scene,
    private motion: Motion,
    private run: Run,
    private clock: Clock,
    private store: Store,
  ) {
    this.colours = new Map(scene.bodies.map(({ name, colour }) => [name, colour]));
    const moving = scene.bodies.filter(({ fixed }) => !fixed).map(({ name }) => name);
    for (const name of moving) this.select.add(new Option(name, name));
    this.select.addEventListener("change", () => store.change({ selected: { kind: "body", name: this.select.value } }));
    this.note.className = this.beamNote.className = "note";
    this.build();
    clock.listen(() => this.show());
    store.listen(() => this.show());
    new ResizeObserver(() => this.show()).observe(root);
  }

  private build(): void {
    const label = document.createElement("label");
    label.append("free body of ", this.select);
    const missing = missingForces(this.scene, this.run);
    if (missing) {
      const text = document.createElement("p");
      text.textContent = missing;
      this.root.replaceChildren(text);
      return;
    }
    const pair = document.createElement("div");
    pair.className = "pair";
    const figure = (svg: SVGSVGElement, caption: string): HTMLElement => {
      const made = document.createElement("figure");
      const words = document.createElement("figcaption");
      words.textContent = caption;
      made.append(words, svg);
      return made;
    };
    pair.append(figure(this.body, "forces on it"), figure(this.polygon, "polygon of forces"));
    this.table.className = "wide";
    this.table.dataset.last = "sum";
    this.root.replaceChildren(label, pair, this.note, this.table, figure(this.beam, "along the link"), this.beamNote);
  }

  private chosen(): string {
    const { selected } = this.store.state;
    if (selected?.kind === "body") return selected.name;
    const joint = selected && this.scene.joints.find(({ name }) => name === selected.name.split(".on_")[0]);
    return joint?.between.find((name) => this.colours.has(name) && !this.fixed(name)) ?? this.select.value;
  }

  private fixed(name: string): boolean {
    return this.scene.bodies.find((body) => body.name === name)?.fixed !== false;
  }

  private show(): void {
    if (this.root.hidden || !this.scene.actions.length || this.root.clientWidth < 50) return;
    const asked = `${this.chosen()} ${this.clock.time} ${this.root.clientWidth}`;
    if (asked === this.shown) return;
    this.shown = asked;
    const name = (this.select.value = this.chosen());
    const poses = this.motion.at(this.clock.time);
    const acting = actionsOn(this.scene, name, poses, this.clock.time);
    const forces = acting.filter(({ holds }) => holds === "force");
    const largest = Math.max(...forces.map(({ value }) => Math.hypot(...value)), 0);
    this.drawBody(name, poses, acting, largest);
    this.drawPolygon(forces, largest);
    this.writeTable(acting);
    this.drawBeam(name, poses, acting);
  }

  private colour({ kind, from }: Acting): string {
    if (kind === "inertia") return "var(--acceleration)";
    return TONES[kind] ?? (this.fixed(from) ? "var(--frame)" : (this.colours.get(from) ?? "var(--ink)"));
  }

  private force(value: number): string {
    return quantity(value, this.scene.effort_units.force, 3);
  }

  private drawBody(name: string, poses: Poses, acting: Acting[], largest: number): void {
    const [wide, svg] = [this.body.parentElement!.clientWidth, this.body];
    svg.replaceChildren();
    change(svg, { viewBox: `0 0 ${wide} ${HIGH}`, width: wide, height: HIGH, "aria-label": `forces on ${name}` });
    const strokes = this.scene.strokes.filter(({ frame }) => frame === name);
    const outline = strokes.map(({ points }) => points.map((at) => place(poses, name, at)!));
    const tips = acting
      .filter(({ holds }) => holds === "force")
      .map(({ at, value }) => ({ at, by: value.map((x) => (LONGEST * x) / (largest || 1)) }));
    const pixel = fittedWith(
      outline.flat().filter((at) => Number.isFinite(at[0])),
      tips,
      wide,
      HIGH,
    );
    const group = make("g", { "data-frame": name, style: `--c:${this.colours.get(name)}` }, svg);
    strokes.forEach(({ face, edge }, k) => {
      const d = line(outline[k].map((at) => (Number.isFinite(at[0]) ? [pixel(at).x, pixel(at).y] : null)));
      const path = make("path", { class: "stroke", d }, group);
      path.style.fill = face ? `var(--${face})` : "none";
      path.style.stroke = edge ? `var(--${edge})` : "none";
    });
    const words = new Words(svg, wide, HIGH);
    const size = ({ holds, value }: Acting): number => (holds === "force" ? Math.hypot(...value) : Math.abs(value[0]));
    const named = new Set(
      [...acting]
        .sort((a, b) => size(b) - size(a))
        .filter(({ holds }) => holds === "force")
        .slice(0, LARGEST),
    );
    const turns = Math.max(...acting.filter(({ holds }) => holds === "torque").map(size), 0);
    for (const one of acting) {
      const [at, colour] = [pixel(one.at), this.colour(one)];
      const data = { acts: one.name, kind: one.kind };
      if (one.holds === "torque") {
        if (Math.abs(one.value[0]) <= 1e-6 * turns) continue;
        const radius = 12 + (10 * Math.abs(one.value[0])) / turns;
        drawTurn(svg, at, radius, one.value[0] > 0, { colour, data });
        words.put(
          `${one.name} ${quantity(one.value[0], this.scene.effort_units.torque, 3)}`,
          { x: at.x, y: at.y - radius },
          { x: 0, y: -1 },
          colour,
        );
        continue;
      }
      const part = (LONGEST * size(one)) / (largest || 1);
      const to = {
        x: at.x + (LONGEST * one.value[0]) / (largest || 1),
        y: at.y - (LONGEST * one.value[1]) / (largest || 1),
      };
      drawArrow(svg, at, to, { colour, data, dashed: one.kind === "inertia" });
      if (part > 6 && named.has(one))
        words.put(`${one.name} ${this.force(size(one))}`, to, { x: to.x - at.x, y: to.y - at.y }, colour);
    }
  }

  // Head to tail: with the inertia force they come back to where they began.
  private drawPolygon(forces: Acting[], largest: number): void {
    const [wide, svg] = [this.polygon.parentElement!.clientWidth, this.polygon];
    svg.replaceChildren();
    change(svg, { viewBox: `0 0 ${wide} ${HIGH}`, width: wide, height: HIGH, "aria-label": "polygon of forces" });
    const corners: Vector[] = [[0, 0]];
    for (const { value } of forces) corners.push(corners[corners.length - 1].map((x, k) => x + value[k]));
    const gap = corners[corners.length - 1];
    svg.dataset.gap = String(Math.hypot(...gap) / (largest || 1));
    if (!largest) return;
    const pixel = fitted(corners, wide, HIGH, 30);
    const words = new Words(svg, wide, HIGH);
    const middle = middleOf(corners, pixel);
    forces.forEach((one, k) => {
      const [from, to] = [pixel(corners[k]), pixel(corners[k + 1])];
      drawArrow(svg, from, to, {
        colour: this.colour(one),
        data: { acts: one.name, kind: one.kind },
        dashed: one.kind === "inertia",
      });
      const centre = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
      if (Math.hypot(to.x - from.x, to.y - from.y) > 10)
        words.put(one.name, centre, outward(from, to, middle), this.colour(one));
    });
    make("circle", { class: "pole", r: 3.5, cx: pixel([0, 0]).x, cy: pixel([0, 0]).y }, svg);
  }

  private writeTable(acting: Acting[]): void {
    const { force, torque } = this.scene.effort_units;
    const largest = Math.max(...acting.filter((a) => a.holds === "force").map(({ value }) => Math.hypot(...value)), 0);
    const turns = Math.max(...acting.filter((a) => a.holds === "torque").map(({ value }) => Math.abs(value[0])), 0);
    const [factor, unit] = prefixOf(largest, force);
    const [turn, turnUnit] = prefixOf(turns, torque);
    const near = (x: number, most: number): number => (Math.abs(x) <= ROUNDING * most ? 0 : x);
    const rows = acting
      .filter(({ holds, value }) => holds === "force" || Math.abs(value[0]) > ROUNDING * turns)
      .map((one): Cell[] => {
        const what = describe(one);
        if (one.holds === "torque") return [what, "", "", "", "", [one.value[0], turn]];
        const [fx, fy] = one.value.map((x) => near(x, largest));
        const angle = (Math.atan2(fy, fx) * 180) / Math.PI;
        return [what, [fx, factor], [fy, factor], [Math.hypot(fx, fy), factor], digits(angle, 4) + "°", ""];
      });
    const left = balance(acting);
    const sum: Cell[] = [
      "sum",
      ...left.force.map((x): Cell => [Math.abs(x) <= SHOWN * left.size ? 0 : x, factor]),
      "",
      "",
      [Math.abs(left.moment) <= SHOWN * left.turn ? 0 : left.moment, turn],
    ];
    const bracket = (u: string): string => (u ? ` [${u}]` : "");
    const head = [
      "force",
      `Fx${bracket(unit)}`,
      `Fy${bracket(unit)}`,
      `|F|${bracket(unit)}`,
      "angle",
      `M${bracket(turnUnit)}`,
    ];
    fillTable(this.table, head, [...rows, sum]);
    this.note.textContent =
      "Reactions in the colour of the body that exerts them; inertia dashed. The polygon closes: the link is in balance with its inertia (d’Alembert).";
  }

  private drawBeam(name: string, poses: Poses, acting: Acting[]): void {
    const found = beamLine(this.scene, this.run, name, poses, this.clock.time, acting);
    const figure = this.beam.parentElement!;
    figure.hidden = typeof found === "string";
    this.beamNote.textContent = typeof found === "string" ? found : found.note;
    if (typeof found === "string") return;
    const cuts = internalForces(found.line, found.entries);
    drawDiagrams(this.beam, cuts, found.ends, this.scene, figure.clientWidth);
  }
}

// Why there are no free bodies; empty where there are.
function missingForces({ actions, dimension, bodies }: Scene, run: Run): string {
  if (actions.length) return "";
  if (dimension === 3)
    return "Free bodies are drawn in the plane; this mechanism moves in space. Its reactions are among the columns.";
  if (bodies.every(({ fixed }) => fixed)) return "Nothing moves here.";
  if (run.columns.some(({ name }) => /\.on_.+\.fx$/.test(name)))
    return "The model has more forces than free bodies are drawn of. Its reactions are among the columns.";
  return "This run has no forces: it solved the motion alone. Write the page with --forces, and give the bodies a mass and the model its gravity (or gravity = [0, 0]).";
}

// "B, by crank", "inertia −m a".
function describe({ name, kind, from, holds }: Acting): string {
  if (kind === "inertia") return holds === "force" ? "inertia −m a" : "inertia −J α";
  return from ? `${name}, by ${from}` : name;
}
