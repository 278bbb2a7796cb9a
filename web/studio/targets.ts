// Targets of a coupler curve: places on the path of a traced point that are dragged, and a design that follows them.
import type { Vector } from "../shared/data";
import type { Edit } from "../shared/viewer";
import { Lane } from "./connection";
import type { Answer } from "./messages";
import type { Studio } from "./start";

const COUNT = 8;
const REACH = 14; // pixels around a target

export class Targets {
  private lane: Lane;
  private point = "";
  private held = false;
  private proposed = false; // a design was found that is not written yet

  constructor(private studio: Studio) {
    this.lane = new Lane(studio.connection);
  }

  get places(): Vector[] {
    return this.studio.overlay.wanted.targets;
  }

  // Puts targets along the path of a point, evenly in time.
  begin(point: string): void {
    const { scene, motion, words } = this.studio;
    const dot = scene?.points.find(({ name }) => name === point);
    if (!dot || !motion) return;
    const path = motion.path(dot.body, dot.at).flatMap(({ at }) => (at ? [at] : []));
    const every = Math.max(1, Math.floor(path.length / COUNT));
    this.point = point;
    this.studio.overlay.wanted.targets = path.filter((_, k) => k % every === 0).slice(0, COUNT);
    this.studio.store.change({ selected: null });
    words.say("Drag a target: the lengths of the links follow, by optimize. Esc takes the targets away.");
    this.studio.redraw();
  }

  clear(): boolean {
    const any = this.places.length > 0;
    this.studio.overlay.wanted.targets = [];
    if (any) this.studio.redraw();
    return any;
  }

  // A press on a target.
  press(at: Vector): Edit | null {
    const { plane } = this.studio;
    const here = plane!.pixel(at);
    const far = (one: Vector): number => Math.hypot(plane!.pixel(one).x - here.x, plane!.pixel(one).y - here.y);
    const index = this.places.findIndex((one) => far(one) < REACH);
    if (index < 0) return null;
    this.held = true;
    return {
      move: (to) => {
        this.studio.overlay.wanted.targets = this.places.map((one, k) => (k === index ? to : one));
        this.studio.redraw();
        this.ask();
      },
      end: () => {
        this.held = false;
        if (!this.lane.waiting) this.adopt();
      },
    };
  }

  private ask(): void {
    const { decimals } = this.studio.hand;
    this.studio.words.say(`optimize follows ${this.point} …`);
    this.lane.ask({ do: "follow", point: this.point, targets: this.places, decimals });
  }

  // A design that follows the targets: it is shown, and written when the hand has let go.
  answered({ follows }: Answer): void {
    this.proposed = true;
    this.lane.answered();
    this.studio.words.say(follows!);
    document.body.dataset.follows = follows!;
    if (!this.held && !this.lane.waiting) this.adopt();
  }

  refused(): void {
    this.lane.answered();
  }

  private adopt(): void {
    if (!this.proposed) return;
    this.proposed = false;
    this.studio.send({ do: "adopt" });
  }
}
