// Moving and enlarging a drawing: drag, two fingers, and the wheel once it was clicked (before, the page scrolls).
import type { Placed } from "../viewer";

export function handle(
  svg: SVGSVGElement,
  pan: (dx: number, dy: number) => void,
  zoom: (factor: number, at: Placed) => void,
): void {
  const fingers = new Map<number, Placed>();
  const local = (event: MouseEvent): Placed => {
    const box = svg.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  svg.addEventListener("pointerdown", (event) => {
    svg.parentElement!.focus({ preventScroll: true });
    svg.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, local(event));
  });
  svg.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const now = local(event);
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const spread = (a: Placed): number => Math.max(Math.hypot(a.x - other.x, a.y - other.y), 1);
      zoom(spread(now) / spread(before), { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
    }
    const share = other ? 0.5 : 1;
    pan(share * (now.x - before.x), share * (now.y - before.y));
    fingers.set(event.pointerId, now);
  });
  for (const end of ["pointerup", "pointercancel"] as const) {
    svg.addEventListener(end, (event) => fingers.delete(event.pointerId));
  }
  svg.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && document.activeElement !== svg.parentElement) return;
      event.preventDefault();
      zoom(Math.exp(-event.deltaY * 0.0016), local(event));
    },
    { passive: false },
  );
}
