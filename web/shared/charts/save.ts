// Files of what is seen: numbers as CSV, a chart or the drawing as SVG and PNG.
import type { Run } from "../data";
import type { ChartSpec } from "../store";
import { valueAt } from "./values";

const SHOWN = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-opacity",
  "stroke-linecap",
  "stroke-linejoin",
  "vector-effect",
  "fill-opacity",
  "opacity",
  "font-size",
  "font-family",
  "font-weight",
  "text-anchor",
  "paint-order",
  "display",
  "transform",
];

export function download(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// The rows of the table, of these columns alone, with full precision.
export function csvText(run: Run, { columns, over }: ChartSpec): string {
  const names = [...new Set([...(over && over !== "t" ? [over] : []), ...columns])];
  const known = new Map(run.columns.map((column) => [column.name, column]));
  const head = ["t", ...names.map((name) => (known.get(name)!.unit ? `${name} [${known.get(name)!.unit}]` : name))];
  const lines = Array.from(run.rows, (t) => [t, ...names.map((name) => valueAt(known.get(name)!, t))].join(","));
  return `${[head.join(","), ...lines].join("\n")}\n`;
}

export function saveCsv(run: Run, spec: ChartSpec): void {
  download(`${spec.columns.join("_")}.csv`, new Blob([csvText(run, spec)], { type: "text/csv" }));
}

// A drawing with the looks that the style sheet gives it written into it, so that it stands alone, on paper or on nothing.
export function svgText(svg: SVGSVGElement, ground = "--paper"): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const [from, to] = [svg, copy].map((root) => [root, ...root.querySelectorAll<SVGElement>("*")]);
  from.forEach((element, k) => {
    const style = getComputedStyle(element);
    const kept = SHOWN.map((name) => `${name}:${style.getPropertyValue(name)}`).join(";");
    to[k].setAttribute("style", kept);
  });
  const box = svg.getBoundingClientRect();
  copy.setAttribute("width", String(box.width));
  copy.setAttribute("height", String(box.height));
  copy.style.background = ground && getComputedStyle(document.documentElement).getPropertyValue(ground);
  return new XMLSerializer().serializeToString(copy);
}

export function saveSvg(svg: SVGSVGElement, name: string): void {
  download(`${name}.svg`, new Blob([svgText(svg)], { type: "image/svg+xml" }));
}

export function savePng(svg: SVGSVGElement, name: string, scale = 2): void {
  const box = svg.getBoundingClientRect();
  const picture = new Image();
  picture.onload = () => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [box.width * scale, box.height * scale];
    canvas.getContext("2d")!.drawImage(picture, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((content) => content && download(`${name}.png`, content));
  };
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(svg))}`;
}
