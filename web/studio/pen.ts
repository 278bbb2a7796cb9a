// The tool link for hands without a pointer: a cross that keys move by lines of the grid or to the next pin; Enter sets an
// end of a link there.
import type { Vector } from "../shared/data";
import type { Edit } from "../shared/viewer";
import { part } from "./page";
import type { Studio } from "./start";

const HINT =
  "Drag from pin to pin; or move the cross by Alt and arrows, to the next pin by ], and set each end by Enter.";

export class Pen {
  private link: Edit | null = null; // under way, with one end set

  constructor(private studio: Studio) {
    part("rail").addEventListener("click", () => this.clear());
    part("figure").addEventListener("pointerdown", () => this.clear(), { capture: true });
    studio.store.listen(({ selected }, before) => {
      const at = this.on && selected && selected !== before.selected ? studio.selection.where(selected) : null;
      if (at && studio.overlay.cross) this.to(at);
    });
  }

  get on(): boolean {
    return this.studio.rail.chosen === "link" && this.studio.editing && this.studio.plane !== null;
  }

  // Shows the cross: at the selected part, or on a line of the grid near the middle.
  begin(): void {
    if (!this.on) return;
    const { plane, overlay, selection, store, words } = this.studio;
    const { selected } = store.state;
    const [step, middle] = [overlay.step(), plane!.world({ x: plane!.wide / 2, y: plane!.high / 2 })];
    this.to((selected && selection.where(selected)) || middle.map((x) => Math.round(x / step) * step));
    words.say(HINT);
  }

  move(dx: number, dy: number): void {
    const { overlay } = this.studio;
    if (!overlay.cross) return this.begin();
    const [step, [x, y]] = [overlay.step(), overlay.cross];
    this.to([x + dx * step, y + dy * step]);
  }

  // Sets an end: the first, then the second, which is where the next link begins.
  enter(): void {
    const { overlay, hand } = this.studio;
    if (!overlay.cross) return this.begin();
    const { link } = this;
    this.link = link ? null : hand.link(overlay.cross);
    link?.end();
    this.to(overlay.cross);
  }

  // Takes the cross away, with the link under way; whether there was one.
  clear(): boolean {
    const { overlay } = this.studio;
    const any = overlay.cross !== null;
    if (this.link) overlay.sketch = { ...overlay.sketch, link: null, guides: [], target: null };
    [this.link, overlay.cross] = [null, null];
    document.body.classList.remove("pen");
    if (any) this.studio.redraw();
    return any;
  }

  private to(at: Vector): void {
    this.studio.overlay.cross = at;
    document.body.classList.add("pen");
    this.link?.move(at);
    this.studio.redraw();
  }
}
