// One hand on a drawing: a press on a part that moves takes it along, elsewhere it moves the view; two fingers and the
// wheel enlarge (the wheel once the drawing was clicked: before, the page scrolls). A press without a drag is a click.
import type { Part } from "./store";
import type { Placed } from "./viewer";

const CLICK = 5; // pixels that a hand may tremble

export interface Hand {
  pick(at: Placed): Part | null;
  hover(part: Part | null): void;
  click(part: Part | null): void;
  grab(part: Part | null, at: Placed): ((to: Placed) => void) | null; // what a drag of it does; null: the view moves
  release?(): void; // the end of a drag
  pan(dx: number, dy: number): void;
  zoom(factor: number, at: Placed): void;
}

export function handle(svg: SVGSVGElement, hand: Hand): void {
  const fingers = new Map<number, Placed>();
  let pressed: { at: Placed; part: Part | null; drag: ((to: Placed) => void) | null; moved: boolean } | null = null;
  let box = svg.getBoundingClientRect();
  const local = (event: MouseEvent): Placed => {
    if (!fingers.size) box = svg.getBoundingClientRect(); // while a hand drags it stays, and nothing is laid out for it
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return; // the other buttons belong to the browser
    svg.parentElement!.focus({ preventScroll: true });
    svg.setPointerCapture(event.pointerId);
    if (event.isPrimary) fingers.clear(); // one whose end was never told is gone
    const at = local(event);
    fingers.set(event.pointerId, at);
    const part = hand.pick(at);
    if (pressed?.drag) hand.release?.(); // a second finger ends what the first one drags
    pressed = fingers.size === 1 ? { at, part, drag: hand.grab(part, at), moved: false } : null;
    svg.classList.toggle("holding", pressed?.drag != null);
  });
  svg.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    const now = local(event);
    if (!before) {
      if (event.pointerType === "mouse") hand.hover(hand.pick(now));
      return;
    }
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    if (pressed && !pressed.moved) pressed.moved = Math.hypot(now.x - pressed.at.x, now.y - pressed.at.y) > CLICK;
    if (other) {
      const spread = (a: Placed): number => Math.max(Math.hypot(a.x - other.x, a.y - other.y), 1);
      hand.zoom(spread(now) / spread(before), { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
      hand.pan(0.5 * (now.x - before.x), 0.5 * (now.y - before.y));
    } else if (pressed?.moved) {
      if (pressed.drag) pressed.drag(now);
      else hand.pan(now.x - before.x, now.y - before.y);
    }
    if (other || pressed?.moved) fingers.set(event.pointerId, now);
  });
  const end = (event: PointerEvent): void => {
    fingers.delete(event.pointerId);
    if (pressed?.drag) hand.release?.();
    if (pressed && !pressed.moved && event.type === "pointerup") hand.click(pressed.part);
    pressed = null;
    svg.classList.remove("holding");
  };
  svg.addEventListener("pointerup", end);
  svg.addEventListener("pointercancel", end);
  svg.addEventListener("pointerleave", () => hand.hover(null));
  svg.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && document.activeElement !== svg.parentElement) return;
      event.preventDefault();
      hand.zoom(Math.exp(-event.deltaY * 0.0016), local(event));
    },
    { passive: false },
  );
}
