// Presses and clicks on the drawing, by the state and the tool that are chosen; and the bar at what is selected.
import { GROUND, type Vector } from "../shared/data";
import { place } from "../shared/motion";
import { anchor } from "../shared/picking";
import type { Part } from "../shared/store";
import type { Edit } from "../shared/viewer";
import type { Tool } from "./messages";
import type { Spot } from "./overlay";
import { part } from "./page";
import type { Studio } from "./start";
import { type Action, type Mode, pinOf, showBar, toolsFor } from "./toolbar";

const PICK = 12; // pixels around a pin
const MODES: Mode[] = ["select", "link", "pin", "trace", "pose", "path", "scale", "choose"];
const HINTS: Partial<Record<Mode, string>> = {
  link: "Drag from pin to pin, or over empty space.",
  pin: "Click a link where the pin shall be.",
  trace: "Click a link where its path shall be drawn.",
  pose: "Drag from where the coupler shall be towards where it shall point; two to five poses.",
  path: "Draw the path of the coupler point.",
  scale: "Drag over a known length of the background.",
};

export class Selection {
  tools: Tool[] = []; // as the server declares them
  private pressed: Vector | null = null;
  private joined: { pin: string; joint: string } | null = null; // the selected joint was selected as its pin
  private pressedKeys: [number, number] = [0, 0]; // lines of the grid to move by, once the hand is free
  private pending: { tool: Tool; given: Record<string, unknown> } | null = null; // a tool that waits for a second part

  constructor(private studio: Studio) {}

  // The bar at the selection.
  bar(): void {
    const { selected } = this.studio.store.state;
    const root = part("bar-of-selection");
    const { scene, pins, plane, hand } = this.studio;
    if (!selected || !plane || !scene || !this.studio.editing || hand.busy) return showBar(root, [], null);
    const fitting = toolsFor(selected, scene, pins, this.tools);
    const actions = fitting.map(({ tool, given }): Action => [tool.name, tool.title, () => this.use(tool, given)]);
    if (selected.kind !== "point" || !selected.name.includes("."))
      actions.splice(-1, 0, ["rename", "rename; references follow", () => this.rename(selected)]);
    if (selected.kind === "point" && !selected.name.includes("."))
      actions.unshift(
        [
          "sensitivity",
          "which length moves it, and its tolerance band",
          () => this.studio.design.influence(selected.name),
        ],
        ["targets", "drag targets of its path: optimize follows", () => this.studio.targets.begin(selected.name)],
      );
    const at = this.where(selected);
    showBar(root, actions, at && plane.pixel(at));
  }

  // A pin that was joined is selected as its joint, which has more tools; when the joint goes, the pin is selected again.
  follow(): void {
    const { scene, pins, store } = this.studio;
    const { selected } = store.state;
    if (selected?.kind === "point" && selected.name.includes(".")) {
      const joint = scene!.joints.find(({ name }) => pinOf({ kind: "joint", name }, scene!, pins) === selected.name);
      this.joined = joint ? { pin: selected.name, joint: joint.name } : null;
      if (joint) store.change({ selected: { kind: "joint", name: joint.name } });
    } else if (selected?.kind === "joint" && selected.name === this.joined?.joint) {
      const gone = !scene!.joints.some(({ name }) => name === selected.name);
      if (gone) store.change({ selected: { kind: "point", name: this.joined.pin } });
    }
  }

  // Does what a tool does, or lets the hand choose its second part first.
  private use(tool: Tool, given: Record<string, unknown>): void {
    if (!tool.then) {
      this.studio.tool(tool.name, given);
      this.studio.rail.choose("select");
      if (tool.name === "delete") this.studio.store.change({ selected: null });
      return;
    }
    this.pending = { tool, given };
    this.studio.rail.choose("choose");
    this.studio.words.say(
      `${tool.name}: click ${tool.then === "pin" ? "the other pin" : "the other link"} (Esc leaves).`,
    );
  }

  where({ kind, name }: Part): Vector | null {
    const places = this.studio.overlay.places();
    if (kind === "body") {
      const own = places.filter(({ body }) => body === name).map(({ at }) => at);
      return own.length ? own.reduce((low, at) => (at[1] < low[1] ? at : low)) : null;
    }
    const pin = places.find(({ reference }) => reference === name);
    const joint = this.studio.scene!.joints.find((one) => one.name === name.split(".on_")[0]);
    const point = this.studio.scene!.points.find((one) => one.name === name);
    const found = kind === "point" ? point : joint;
    return pin?.at ?? (found ? place(this.studio.poses, found.body, found.at) : null);
  }

  // A press on the drawing: what a drag from there does in the state and with the tool that are chosen.
  press(over: Part | null, at: Vector, towards?: Vector): Edit | null {
    this.pressed = at;
    const { hand, rail, design, background } = this.studio;
    if (!this.studio.editing) return null;
    if (towards) return this.inSpace(over, at, towards);
    if (this.studio.release.on) return this.studio.release.hold(over, at);
    if (rail.chosen === "link") return hand.link(at);
    if (rail.chosen === "pose") return design.pose(at);
    if (rail.chosen === "path") return hand.draw(at, (line) => design.path(line));
    if (rail.chosen === "scale") return hand.draw(at, (line) => background.scale(line[0], line[line.length - 1]));
    if (rail.chosen !== "select") return null;
    const aimed = this.studio.targets.press(at);
    if (aimed) return aimed;
    const target = this.meant(over, at);
    if (!target || target.kind === "force" || target.kind === "driver") return null;
    const own = this.where(target);
    return hand.take(target, target.kind === "body" || !own ? at : own);
  }

  // In space a link is dragged along its joint where its motion begins; at other times it goes through its motion.
  private inSpace(over: Part | null, at: Vector, towards: Vector): Edit | null {
    const { scene, hinges, clock, hand } = this.studio;
    const body = over?.kind === "body" ? over.name : over && anchor(scene!, over)?.body;
    if (!body || !hinges[body] || clock.time !== clock.start) return null;
    return hand.turn(body, at, towards);
  }

  // The part that a hand means: a joint before a traced point on it, a free pin before the link below it.
  private meant(over: Part | null, at: Vector): Part | null {
    const { scene, overlay, poses } = this.studio;
    if (over?.kind === "joint") return over;
    if (over?.kind === "point" && scene!.points.some(({ name }) => name === over.name)) {
      const here = this.where(over);
      const joint = scene!.joints.find((one) => {
        const there = here && place(poses, one.body, one.at);
        return there && Math.hypot(there[0] - here[0], there[1] - here[1]) < 1e-6 * (scene!.size || 1);
      });
      return joint ? { kind: "joint", name: joint.name } : over;
    }
    const free = overlay.near(at, PICK);
    return free ? { kind: "point", name: free.reference } : over;
  }

  click(over: Part | null): void {
    const at = this.pressed;
    const { editing, rail, overlay, plane, release } = this.studio;
    if (release.on) return;
    const pin = at && plane ? overlay.near(at, PICK) : null;
    if (editing && at && (rail.chosen === "pin" || rail.chosen === "trace") && over?.kind === "body") {
      this.studio.tool(rail.chosen, { body: over.name, at });
      return rail.choose("select");
    }
    if (editing && this.pending) return this.second(over, pin);
    const free = over?.kind !== "joint" && over?.kind !== "point" && pin && editing;
    this.studio.store.select(free ? { kind: "point", name: pin!.reference } : over);
  }

  // The second part of a tool.
  private second(over: Part | null, pin: Spot | null): void {
    const { tool, given } = this.pending!;
    const body = over?.kind === "body" ? over.name : pin && pin.body !== GROUND ? pin.body : null;
    const [chosen, what] = tool.then === "pin" ? [pin?.reference, "pin"] : [body, "link"];
    if (!chosen) return this.studio.words.say(`There is no ${what} here.`, true);
    this.studio.tool(tool.name, { ...given, [tool.for]: chosen });
    this.studio.rail.choose("select");
  }

  chosen(mode: Mode): void {
    for (const one of MODES) document.body.classList.toggle(`tool-${one}`, one === mode);
    if (mode !== "choose") this.pending = null;
    this.studio.words?.say(HINTS[mode] ?? "");
  }

  // Asks for another name in the bar itself.
  private rename(selected: Part): void {
    const root = part("bar-of-selection");
    const field = document.createElement("input");
    field.value = selected.name;
    field.setAttribute("aria-label", `new name of ${selected.name}`);
    field.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Enter") {
        this.studio.tool("rename", { kind: selected.kind, old: selected.name, new: field.value.trim() });
        this.studio.store.change({ selected: null });
      }
      if (event.key === "Escape") root.dataset.words = "";
    });
    root.replaceChildren(field);
    field.focus();
    field.select();
  }

  remove(): void {
    const { selected } = this.studio.store.state;
    if (selected) this.studio.tool("delete", { kind: selected.kind, name: selected.name.split(".on_")[0] });
    this.studio.store.change({ selected: null });
  }

  // Selects the next part or the one before it: joints, links, traced points. For hands without a pointer.
  step(by: 1 | -1): void {
    const { scene, store } = this.studio;
    const parts = [
      ...(scene?.joints ?? []).map(({ name }): Part => ({ kind: "joint", name })),
      ...(scene?.bodies ?? []).filter(({ fixed }) => !fixed).map(({ name }): Part => ({ kind: "body", name })),
      ...(scene?.points ?? []).map(({ name }): Part => ({ kind: "point", name })),
    ];
    const { selected } = store.state;
    const at = parts.findIndex(({ kind, name }) => kind === selected?.kind && name === selected.name);
    const to = at < 0 ? (by > 0 ? 0 : parts.length - 1) : (at + by + parts.length) % parts.length;
    if (parts.length) store.change({ selected: parts[to] });
  }

  // The selected part is the second one of a tool that waits for it; else its bar gets the focus.
  enter(): void {
    const { store, scene, pins, overlay } = this.studio;
    const { selected } = store.state;
    if (!this.pending || !selected) return part("bar-of-selection").querySelector("button")?.focus();
    const reference = selected.kind === "point" ? selected.name : pinOf(selected, scene!, pins);
    this.second(selected, overlay.places().find((one) => one.reference === reference) ?? null);
  }

  // Moves the selected part by lines of the grid, as a gesture of its own; quick presses are put together.
  move(dx: number, dy: number): void {
    const { selected } = this.studio.store.state;
    const step = this.studio.overlay.step();
    if (!selected || !this.studio.editing) return;
    const [x, y] = this.pressedKeys;
    this.pressedKeys = this.studio.hand.busy ? [x + dx, y + dy] : [0, 0];
    if (this.studio.hand.busy) return;
    const snapping = this.studio.hand.snapping;
    this.studio.hand.snapping = false;
    const edit = this.studio.hand.take(selected, [0, 0]);
    edit?.move([dx * step, dy * step]);
    edit?.end();
    this.studio.hand.snapping = snapping;
  }

  // The hand is free: keys that were pressed meanwhile are followed.
  again(): void {
    const [dx, dy] = this.pressedKeys;
    this.pressedKeys = [0, 0];
    if (dx || dy) this.move(dx, dy);
  }

  setLength(body: string, ends: [string, string], text: string): void {
    const number = lengthOf(text, this.unit);
    if (number === null) return this.studio.words.say(`"${text}" is no length.`, true);
    this.studio.tool("length", { body, ends, length: number });
  }

  // Turns a link about its first pin, at the time that is shown: its second pin goes where the angle leads it.
  setAngle(first: Spot, second: Spot, text: string): void {
    const number = numberOf(text);
    if (number === null) return this.studio.words.say(`"${text}" is no angle.`, true);
    const degrees = /rad/.test(text) ? (number * 180) / Math.PI : number;
    const long = Math.hypot(second.at[0] - first.at[0], second.at[1] - first.at[1]);
    const angle = (degrees * Math.PI) / 180;
    this.place(second, [first.at[0] + long * Math.cos(angle), first.at[1] + long * Math.sin(angle)]);
  }

  setCoordinate(pin: Spot, axis: number, text: string): void {
    const number = lengthOf(text.replace(/^[xy]\s*=?/, ""), this.unit);
    if (number === null) return this.studio.words.say(`"${text}" is no length.`, true);
    const to = pin.at.map((x, k) => (k === axis ? number : x));
    this.place(pin, to);
  }

  // Puts a pin to a place, with everything that is joined to it.
  private place(pin: Spot, to: Vector): void {
    const shift = [to[0] - pin.at[0], to[1] - pin.at[1]];
    const t = this.studio.clock.time;
    this.studio.send({ do: "place", kind: "point", name: pin.reference, t, shift, decimals: 6 });
  }

  private get unit(): string {
    return this.studio.scene?.units.length ?? "";
  }

  // A line of the text selects the part whose table it is in.
  line(line: number): void {
    const before = (this.studio.state?.entries ?? []).filter(([path, , at]) => at <= line && path.length > 1);
    const [kind, name] = (before[before.length - 1]?.[0] ?? []).map(String);
    if (name !== GROUND && ["body", "joint", "point"].includes(kind))
      this.studio.store.change({ selected: { kind: kind as Part["kind"], name } });
  }
}

const METRES: Record<string, number> = { mm: 1e-3, cm: 1e-2, dm: 0.1, m: 1, km: 1e3, in: 0.0254, ft: 0.3048 };

// A typed length in the unit of the drawing; a unit of its own is taken over.
function lengthOf(text: string, unit: string): number | null {
  const number = numberOf(text);
  const own = /[a-z]+\s*$/i.exec(text)?.[0].trim() ?? unit;
  if (number === null || own === unit) return number;
  return METRES[own] && METRES[unit] ? (number * METRES[own]) / METRES[unit] : null;
}

function numberOf(text: string): number | null {
  const number = Number.parseFloat(text.replace("−", "-"));
  return Number.isFinite(number) ? number : null;
}
