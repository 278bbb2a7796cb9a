// Design by hand: poses, a path or pairs of a function that a linkage shall follow, the linkages that do, and which length
// matters at a point.
import { digits } from "../shared/numbers";
import type { Vector } from "../shared/data";
import type { Edit } from "../shared/viewer";
import type { Design, Influence } from "./messages";
import type { Part } from "../shared/store";
import type { Studio } from "./start";
import { pinOf } from "./toolbar";
import { animate, card } from "./thumbnails";

const MOST_POSES = 5;
const PAIRS = "0, 0\n30, 20\n60, 50"; // to begin with

export class Designer {
  private probing = false; // bands are shown at the pin under the pointer

  constructor(private studio: Studio) {}

  private get wanted() {
    return this.studio.overlay.wanted;
  }

  // Places a pose by a drag: it begins where the coupler is and points where the coupler points.
  pose(from: Vector): Edit {
    const poses = this.wanted.poses.length >= MOST_POSES ? [] : this.wanted.poses;
    const show = (angle: number): void => {
      this.wanted.poses = [...poses, [...from, angle]];
      this.studio.redraw();
    };
    return {
      move: (to) => show((Math.atan2(to[1] - from[1], to[0] - from[0]) * 180) / Math.PI),
      end: () => {
        if (this.wanted.poses.length === poses.length) show(0);
        this.open();
      },
    };
  }

  path(line: Vector[]): void {
    this.wanted.path = line;
    this.studio.rail.choose("select");
    this.open();
  }

  // The panel of what is asked for.
  open(): void {
    const { poses, path } = this.wanted;
    const note = paragraph(
      "Place two to five poses of a coupler, or draw the path of a point; mubo answers with linkages that move so, the best first.",
    );
    const tools = document.createElement("p");
    tools.append(
      button("place poses", () => this.studio.rail.choose("pose")),
      button("draw a path", () => this.studio.rail.choose("path")),
      button("clear", () => {
        [this.wanted.poses, this.wanted.path, this.wanted.band, this.wanted.targets] = [[], [], null, []];
        this.studio.redraw();
        this.open();
      }),
    );
    const asks = document.createElement("p");
    if (poses.length > 1) asks.append(button(`linkages through ${poses.length} poses`, () => this.ask("poses", poses)));
    if (path.length > 2) asks.append(button("linkages along this path", () => this.ask("path", thin(path))));
    const pairs = document.createElement("textarea");
    pairs.rows = 4;
    pairs.value = PAIRS;
    pairs.id = "pairs";
    pairs.setAttribute("aria-label", "pairs of crank angle and output angle in degrees, a line each");
    const by = button("linkages for these pairs of angles", () => this.ask("function", rowsOf(pairs.value)));
    const label = paragraph("A function: crank angle and output angle in degrees, a line each.");
    const bands = button("tolerance bands under the pointer", () => this.probe(!this.probing));
    bands.setAttribute("aria-pressed", String(this.probing));
    const last = document.createElement("p");
    last.append(bands);
    this.studio.panel.show("Design", note, tools, asks, label, pairs, by, last);
  }

  // Shows the band of every pin or point that the pointer comes to.
  private probe(on: boolean): void {
    this.probing = on;
    this.wanted.band = null;
    this.studio.panel.hide();
    this.studio.words.say(on ? "Point at a pin or a traced point: its tolerance band is drawn." : "");
    this.studio.redraw();
  }

  // The pointer came to a part.
  hover(part: Part | null): void {
    if (!this.probing || !part || this.studio.hand.busy || this.studio.clock.playing) return;
    const { scene, pins } = this.studio;
    const point = part.kind === "joint" && scene ? pinOf(part, scene, pins) : part.kind === "point" ? part.name : null;
    if (point && point !== this.wanted.band?.point) this.influence(point);
  }

  private ask(task: string, rows: Vector[]): void {
    this.studio.rail.choose("select"); // the answer is to be dragged
    this.studio.panel.show("Design", paragraph("Searching linkages …"));
    this.studio.send({ do: "synthesize", task, rows });
  }

  // The linkages that were found, each moving; a click inserts one.
  show(designs: Design[]): void {
    const holder = document.createElement("div");
    holder.className = "modes";
    designs.forEach(({ label, data }, k) => {
      const { button: one, picture } = card(`design ${k + 1}`, label);
      one.dataset.design = String(k);
      one.addEventListener("click", () => {
        this.studio.panel.hide();
        this.studio.fitAgain();
        this.studio.send({ do: "insert", design: k });
      });
      if (data) animate(picture, data, one, true);
      holder.append(one);
    });
    const words = designs.length
      ? "Each was run through what you asked for, without a defect of circuit, branch or order. A click inserts it."
      : "None without a defect: other poses, fewer of them, or another path.";
    this.studio.panel.show(`${designs.length} linkages`, paragraph(words), holder);
  }

  influence(point: string): void {
    this.studio.send({ do: "influence", point, t: this.studio.clock.time });
  }

  // Which length moves a point, and the band of its place.
  showInfluence({ point, lengths, band, tolerance }: Influence): void {
    const unit = this.studio.scene?.units.length ?? "";
    const most = lengths[0]?.size || 1;
    const list = document.createElement("div");
    list.className = "influence";
    for (const { body, ends, size, by } of lengths) {
      const row = document.createElement("button");
      row.type = "button";
      row.dataset.influence = `${body}.${ends.join("")}`;
      row.style.setProperty("--part", `${(100 * size) / most}%`);
      row.textContent = `${body} ${ends.join("–")}: ${digits(size)} per 1`;
      row.title = `1 ${unit} more moves ${point} by (${digits(by[0])}, ${digits(by[1])}) ${unit}`;
      row.addEventListener("click", () => this.studio.store.change({ selected: { kind: "body", name: body } }));
      list.append(row);
    }
    const size = (x: number): string => `${digits(x)}${unit && ` ${unit}`}`;
    const note = paragraph(
      `With ±${100 * tolerance} % of each length, ${point} lies within an ellipse of half-axes ${size(band.axes[0])} and ` +
        `${size(band.axes[1])} (two standard deviations), drawn 20 times larger.`,
    );
    this.wanted.band = { point, ...band, scale: 20 };
    if (this.probing) {
      const [{ body, ends }] = lengths;
      this.studio.words.say(
        `${point}: ±${size(band.axes[0])} by ±${size(band.axes[1])} with ±${100 * tolerance} % of each length, drawn 20 ` +
          `times larger; ${body} ${ends.join("–")} matters most.`,
      );
      return this.studio.redraw();
    }
    this.studio.panel.show(`What moves ${point}`, list, note);
    this.studio.redraw();
  }
}

function thin(line: Vector[]): Vector[] {
  const every = Math.ceil(line.length / 180);
  return line.filter((_, k) => k % every === 0);
}

function rowsOf(text: string): Vector[] {
  const lines = text.split("\n").filter((line) => line.trim());
  return lines.map((line) => line.split(/[\s,;]+/).map(Number)).filter((row) => row.every(Number.isFinite));
}

export function paragraph(text: string): HTMLElement {
  return Object.assign(document.createElement("p"), { textContent: text });
}

export function button(text: string, act: () => void): HTMLButtonElement {
  const out = Object.assign(document.createElement("button"), { type: "button", textContent: text });
  out.dataset.do = text;
  out.addEventListener("click", act);
  return out;
}
