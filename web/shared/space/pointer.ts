// A click selects the joint, point or body there, hovering lights it; a drag turns the view.
import type { Part } from "../store";
import type { Placed, Wishes } from "../viewer";

const CLICK = 5; // pixels that a hand may tremble

export function watchPointer(canvas: HTMLCanvasElement, wishes: Wishes, pick: (at: Placed) => Part | null): void {
  let from: Placed | null = null;
  const here = (event: MouseEvent): Placed => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  canvas.addEventListener("pointerdown", (event) => (from = here(event)));
  canvas.addEventListener("pointerup", (event) => {
    const to = here(event);
    if (from && Math.hypot(to.x - from.x, to.y - from.y) <= CLICK) wishes.select(pick(to));
    from = null;
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!event.buttons && event.pointerType === "mouse") wishes.hover(pick(here(event)));
  });
  canvas.addEventListener("pointerleave", () => wishes.hover(null));
}
