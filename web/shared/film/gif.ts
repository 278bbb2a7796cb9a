// A moving picture as GIF 89a (CompuServe, 1990): one palette for all frames, codes by LZW (Welch 1984).
const COLOURS = 256;
const LARGEST = 4095; // code of 12 bits

export interface Frame {
  width: number;
  height: number;
  data: Uint8ClampedArray; // red, green, blue, alpha
}

export function encodeGif(frames: Frame[], hundredths: number): Uint8Array {
  const { width, height } = frames[0];
  const palette = new Palette(frames);
  const out: number[] = [];
  const word = (x: number): void => void out.push(x & 255, x >> 8);
  const text = (letters: string): void => void out.push(...[...letters].map((letter) => letter.charCodeAt(0)));
  text("GIF89a");
  word(width);
  word(height);
  out.push(0xf7, 0, 0, ...palette.bytes());
  out.push(0x21, 0xff, 11);
  text("NETSCAPE2.0"); // plays again and again
  out.push(3, 1, 0, 0, 0);
  const chunks: Uint8Array[] = [];
  const flush = (): void => void chunks.push(Uint8Array.from(out.splice(0)));
  for (const frame of frames) {
    out.push(0x21, 0xf9, 4, 0);
    word(hundredths);
    out.push(0, 0, 0x2c);
    for (const x of [0, 0, width, height]) word(x);
    out.push(0, 8);
    flush();
    const codes = compress(palette.indices(frame));
    for (let at = 0; at < codes.length; at += 255) {
      const part = codes.subarray(at, at + 255);
      chunks.push(Uint8Array.of(part.length), part);
    }
    out.push(0);
  }
  out.push(0x3b);
  flush();
  const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

// The colours that occur most, of all frames; five bits of each of red, green and blue tell colours apart.
class Palette {
  private colours: number[][];
  private known = new Int16Array(1 << 15).fill(-1);

  constructor(frames: Frame[]) {
    const counts = new Uint32Array(1 << 15);
    const sums = new Float64Array(3 << 15);
    for (const { data } of frames)
      for (let k = 0; k < data.length; k += 4) {
        const key = keyOf(data, k);
        counts[key]++;
        for (let c = 0; c < 3; c++) sums[3 * key + c] += data[k + c];
      }
    const used = [...counts.keys()].filter((key) => counts[key]).sort((a, b) => counts[b] - counts[a]);
    const kept = used.slice(0, COLOURS);
    this.colours = kept.map((key) => [0, 1, 2].map((c) => Math.round(sums[3 * key + c] / counts[key])));
    kept.forEach((key, k) => (this.known[key] = k));
  }

  bytes(): number[] {
    return Array.from({ length: COLOURS }, (_, k) => this.colours[k] ?? [0, 0, 0]).flat();
  }

  indices({ data }: Frame): Uint8Array {
    const out = new Uint8Array(data.length / 4);
    for (let k = 0; k < out.length; k++) {
      const key = keyOf(data, 4 * k);
      if (this.known[key] < 0) this.known[key] = this.nearest(data[4 * k], data[4 * k + 1], data[4 * k + 2]);
      out[k] = this.known[key];
    }
    return out;
  }

  private nearest(r: number, g: number, b: number): number {
    let [best, found] = [Infinity, 0];
    this.colours.forEach(([x, y, z], k) => {
      const far = (x - r) ** 2 + (y - g) ** 2 + (z - b) ** 2;
      if (far < best) [best, found] = [far, k];
    });
    return found;
  }
}

function keyOf(data: Uint8ClampedArray, k: number): number {
  return ((data[k] >> 3) << 10) | ((data[k + 1] >> 3) << 5) | (data[k + 2] >> 3);
}

// Codes of growing width, lowest bit first.
function compress(indices: Uint8Array): Uint8Array {
  const [clear, end] = [COLOURS, COLOURS + 1];
  const out = new Uint8Array(2 * indices.length + 64);
  let [at, bits, filled, width] = [0, 0, 0, 9];
  const put = (code: number): void => {
    bits |= code << filled;
    filled += width;
    while (filled >= 8) {
      out[at++] = bits & 255;
      bits >>>= 8;
      filled -= 8;
    }
  };
  let table = new Map<number, number>();
  let next = end + 1;
  put(clear);
  let before = indices[0];
  for (let k = 1; k < indices.length; k++) {
    const pair = (before << 8) | indices[k];
    const known = table.get(pair);
    if (known !== undefined) {
      before = known;
      continue;
    }
    put(before);
    before = indices[k];
    if (next > LARGEST) {
      put(clear);
      [table, next, width] = [new Map(), end + 1, 9];
      continue;
    }
    table.set(pair, next);
    if (next >= 1 << width) width++;
    next++;
  }
  put(before);
  put(end);
  if (filled) out[at++] = bits & 255;
  return out.subarray(0, at);
}
