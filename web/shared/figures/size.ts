// A figure is drawn as large as its place is: when that changes, and when it is laid out for paper, of which no observer hears.
const LAID_OUT = "laidout";

export function keepSize(element: HTMLElement, draw: () => void): void {
  new ResizeObserver(draw).observe(element);
  element.addEventListener(LAID_OUT, draw);
}

export function layOut(root: ParentNode): void {
  for (const figure of root.querySelectorAll(".plot")) figure.dispatchEvent(new Event(LAID_OUT));
}
