// Elements of drawings. The name of their namespace is taken from a drawing of the page, so that none is written here.
let namespace = "";

export function drawing(svg: SVGSVGElement): SVGSVGElement {
  namespace = svg.namespaceURI!;
  return svg;
}

type Attributes = Record<string, string | number | null | undefined>;

export function make<K extends keyof SVGElementTagNameMap>(
  kind: K,
  attributes: Attributes = {},
  parent?: Element,
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(namespace, kind) as SVGElementTagNameMap[K];
  change(element, attributes);
  parent?.append(element);
  return element;
}

export function change(element: Element, attributes: Attributes): void {
  for (const name in attributes) {
    const value = attributes[name];
    if (value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
}

// "M x y L x y …" through points; a gap begins a new piece.
export function line(points: (number[] | null)[], closed = false): string {
  let out = "";
  let drawn = false;
  for (const point of points) {
    if (point === null || !Number.isFinite(point[0] + point[1])) {
      drawn = false;
      continue;
    }
    out += `${drawn ? "L" : "M"}${short(point[0])} ${short(point[1])}`;
    drawn = true;
  }
  return closed && out ? `${out}Z` : out;
}

export function short(x: number): string {
  return String(Number(x.toPrecision(7)));
}
