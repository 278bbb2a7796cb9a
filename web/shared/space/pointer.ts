// A click selects the joint, point or body there, hovering lights it. A drag of a part that moves takes it along its motion,
// any other drag turns the view; with Shift or another button it does so everywhere.
import type * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Part } from "../store";
import type { Placed } from "../viewer";

const CLICK = 5; // pixels that a hand may tremble

export interface SpaceHand {
  pick(at: Placed): Part | null;
  hover(part: Part | null): void;
  click(part: Part | null): void;
  grab(part: Part | null, at: Placed): ((to: Placed) => void) | null; // what a drag of it does; null: the view turns
  release(): void; // the end of a drag
  turns(on: boolean): void; // whether a drag turns the view
}

export function watchPointer(canvas: HTMLCanvasElement, hand: SpaceHand): void {
  let from: Placed | null = null;
  let drag: ((to: Placed) => void) | null = null;
  let moved = false;
  const here = (event: MouseEvent): Placed => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const far = (at: Placed): boolean => from !== null && Math.hypot(at.x - from.x, at.y - from.y) > CLICK;
  const leave = (): void => {
    if (drag) hand.release();
    [from, drag] = [null, null];
    hand.turns(true);
  };
  // before the view hears of the press
  const press = (event: PointerEvent): void => {
    if (!event.isPrimary) return leave(); // a second finger: both enlarge and move the view
    [from, moved] = [here(event), false];
    drag = event.button === 0 && !event.shiftKey ? hand.grab(hand.pick(from), from) : null;
    hand.turns(drag === null);
    if (drag) canvas.setPointerCapture(event.pointerId);
  };
  canvas.addEventListener("pointerdown", press, { capture: true });
  canvas.addEventListener("pointerup", (event) => {
    const to = here(event);
    const clicked = from !== null && !moved && !far(to);
    leave();
    if (clicked) hand.click(hand.pick(to));
  });
  canvas.addEventListener("pointercancel", leave);
  canvas.addEventListener("pointermove", (event) => {
    moved ||= far(here(event));
    if (drag && moved) drag(here(event));
    else if (!event.buttons && event.pointerType === "mouse") hand.hover(hand.pick(here(event)));
  });
  canvas.addEventListener("pointerleave", () => hand.hover(null));
}

// What turns the view by drags, and enlarges it by the wheel once the drawing was clicked: else the page could not be scrolled.
export function orbit(
  camera: THREE.Camera,
  figure: HTMLElement,
  canvas: HTMLCanvasElement,
  changed: () => void,
): OrbitControls {
  const controls = new OrbitControls(camera, canvas);
  controls.enableZoom = false;
  figure.addEventListener("focus", () => (controls.enableZoom = true));
  figure.addEventListener("blur", () => (controls.enableZoom = false));
  canvas.addEventListener("pointerdown", () => figure.focus({ preventScroll: true }));
  controls.addEventListener("change", changed);
  return controls;
}
