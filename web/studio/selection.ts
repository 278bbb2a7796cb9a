// Presses and clicks on the drawing, by the state and the tool that are chosen; and the bar at what is selected.
import { GROUND, type Vector } from "../shared/data";
import { place } from "../shared/motion";
import type { Part } from "../shared/store";
import type { Edit } from "../shared/viewer";
import { part } from "./page";
import type { Studio } from "./start";
import { actionsOf, showBar, type Tool } from "./toolbar";

const PICK = 12; // pixels around a pin

export class Selection {
  private pressed: Vector | null = null;
  private from = ""; // the pin that a join or a spring begins at

  constructor(private studio: Studio) {}

  // The bar at the selection.
  bar(): void {
    const { selected } = this.studio.store.state;
    const root = part("bar-of-selection");
    if (!selected || !this.studio.plane || !this.studio.scene || !this.studio.editing || this.studio.hand.busy)
      return showBar(root, [], null);
    const at = this.where(selected);
    const actions = {
      tool: this.studio.tool.bind(this.studio),
      choose: this.begin.bind(this),
      rename: this.rename.bind(this),
    };
    showBar(root, actionsOf(selected, this.studio.scene, this.studio.pins, actions), at && this.studio.plane.pixel(at));
  }

  private where({ kind, name }: Part): Vector | null {
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
  press(over: Part | null, at: Vector): Edit | null {
    this.pressed = at;
    if (!this.studio.editing || !this.studio.plane) return null;
    if (this.studio.rail.chosen === "link") return this.studio.hand.link(at);
    if (this.studio.rail.chosen !== "select") return null;
    const free =
      over?.kind === "joint" ||
      (over?.kind === "point" && this.studio.scene!.points.some(({ name }) => name === over.name))
        ? null
        : this.studio.overlay.near(at, PICK);
    const target: Part | null = free ? { kind: "point", name: free.reference } : over;
    if (!target || target.kind === "force" || target.kind === "driver") return null;
    const own = this.where(target);
    return this.studio.hand.take(target, target.kind === "body" || !own ? at : own);
  }

  click(over: Part | null): void {
    const at = this.pressed;
    const tool = this.studio.rail.chosen;
    const pin = at && this.studio.plane ? this.studio.overlay.near(at, PICK) : null;
    if (this.studio.editing && at && (tool === "pin" || tool === "trace") && over?.kind === "body") {
      this.studio.tool(tool, { body: over.name, at });
      return this.studio.rail.choose("select");
    }
    if (this.studio.editing && pin && (tool === "join" || tool === "spring")) {
      this.studio.tool(tool, { first: this.from, second: pin.reference });
      return this.studio.rail.choose("select");
    }
    const free = over?.kind !== "joint" && over?.kind !== "point" && pin && this.studio.editing;
    this.studio.store.select(free ? { kind: "point", name: pin!.reference } : over);
  }

  private begin(tool: Tool, from = ""): void {
    this.studio.rail.choose(tool);
    this.from = from;
  }

  chosen(tool: Tool): void {
    for (const one of ["select", "link", "pin", "trace", "join", "spring"])
      document.body.classList.toggle(`tool-${one}`, one === tool);
    const hints: Partial<Record<Tool, string>> = {
      link: "Drag from pin to pin, or over empty space.",
      pin: "Click a link where the pin shall be.",
      trace: "Click a link where its path shall be drawn.",
      join: "Click the pin to join.",
      spring: "Click the other end of the spring.",
    };
    this.studio.words?.say(hints[tool] ?? "");
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

  // Moves the selected part by lines of the grid, as a gesture of its own.
  nudge(dx: number, dy: number): void {
    const { selected } = this.studio.store.state;
    const step = this.studio.overlay.step();
    if (!selected || !this.studio.editing) return;
    const snapping = this.studio.hand.snapping;
    this.studio.hand.snapping = false;
    const edit = this.studio.hand.take(selected, [0, 0]);
    edit?.move([dx * step, dy * step]);
    edit?.end();
    this.studio.hand.snapping = snapping;
  }

  setLength(body: string, ends: [string, string], text: string): void {
    const number = Number.parseFloat(text.replace("−", "-"));
    if (Number.isFinite(number)) this.studio.tool("length", { body, ends, length: number });
  }

  // A line of the text selects the part whose table it is in.
  line(line: number): void {
    const before = (this.studio.state?.entries ?? []).filter(([path, , at]) => at <= line && path.length > 1);
    const last = before[before.length - 1];
    if (!last) return;
    const [kind, name] = last[0].map(String);
    if (name !== GROUND && ["body", "joint", "point"].includes(kind))
      this.studio.store.change({ selected: { kind: kind as Part["kind"], name } });
  }
}
