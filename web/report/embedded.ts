// The data that stand in the scripts of the page: JSON, and all arrays of numbers together, deflated.
import type { FigureCurve } from "../shared/figures/data";
import { bytes } from "../shared/decode";
import type { StudyData } from "./study";

interface PackedNumbers {
  sizes: [count: number, width: number][]; // of each array its numbers, and their bytes
  bytes: string; // base64; of each array the first bytes of its numbers before the second ones
}

function text(id: string): string {
  return document.getElementById(id)!.textContent!;
}

async function inflate(packed: ArrayBuffer): Promise<Uint8Array> {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Answers what reads the data of a script by its name, with `{"@": k}` as the bytes of array k.
export async function readEmbedded(): Promise<(id: string) => any> {
  const { sizes, bytes: packed }: PackedNumbers = JSON.parse(text("numbers"));
  const raw = await inflate(bytes(packed));
  let start = 0;
  const arrays = sizes.map(([count, width]) => {
    const out = new Uint8Array(count * width);
    for (let plane = 0; plane < width; plane++)
      for (let k = 0; k < count; k++) out[k * width + plane] = raw[start + plane * count + k];
    start += count * width;
    return out.buffer;
  });
  return (id) => JSON.parse(text(id), (_, value) => (value?.["@"] === undefined ? value : arrays[value["@"]]));
}

// Curves of figures that follow the clock, with their rows as numbers; null in a gap.
export function readStudy(study: StudyData | null): StudyData | null {
  for (const { curves } of study?.figures ?? []) curves.forEach(readRows);
  return study;
}

function readRows({ rows, x }: FigureCurve): void {
  if (!rows) return;
  const [times, values] = [rows.times, rows.values] as unknown as ArrayBuffer[];
  const all = Array.from(new Float32Array(values), (value) => (Number.isFinite(value) ? value : null));
  rows.times = Array.from(new Float64Array(times));
  rows.values = rows.times.map((_, k) => all.slice(k * x.length, (k + 1) * x.length));
}
