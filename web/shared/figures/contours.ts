// Lines of equal value over a grid: the grid is made finer by cubics through its values (Catmull and Rom 1974), then every
// cell is crossed by straight lines (marching squares; Lorensen and Cline 1987 in the plane).
export interface Grid {
  x: number[]; // rising
  y: number[];
  z: number[][]; // z[k][n] at x[k], y[n]; NaN where there is none
}

// A value between the second and third of four equally spaced ones; straight where an outer one is missing.
export function cubic([a, b, c, d]: number[], u: number): number {
  const [first, last] = [Number.isFinite(a) ? a : 2 * b - c, Number.isFinite(d) ? d : 2 * c - b];
  return b + 0.5 * u * (c - first + u * (2 * first - 5 * b + 4 * c - last + u * (3 * (b - c) + last - first)));
}

// Every cell in so many parts along both sides.
export function refined({ x, y, z }: Grid, parts: number): Grid {
  const finer = (places: number[]): number[] =>
    places.flatMap((at, k) =>
      k + 1 < places.length ? Array.from({ length: parts }, (_, n) => at + ((places[k + 1] - at) * n) / parts) : [at],
    );
  const along = (values: number[]): number[] =>
    values.flatMap((_, k) => {
      if (k + 1 === values.length) return [values[k]];
      const near = [values[k - 1] ?? NaN, values[k], values[k + 1], values[k + 2] ?? NaN];
      return Array.from({ length: parts }, (_, n) => (n === 0 ? values[k] : cubic(near, n / parts)));
    });
  const rows = z.map(along); // along y
  const columns = rows[0].map((_, n) => along(rows.map((row) => row[n])));
  return { x: finer(x), y: finer(y), z: columns[0].map((_, k) => columns.map((column) => column[k])) };
}

// Pieces of the line z = level, each from one place to another.
export function contour({ x, y, z }: Grid, level: number): [number, number, number, number][] {
  const out: [number, number, number, number][] = [];
  const cut = (a: number, b: number, from: number, to: number): number => from + ((level - a) / (b - a)) * (to - from);
  for (let k = 0; k + 1 < x.length; k++) {
    for (let n = 0; n + 1 < y.length; n++) {
      const [p, q, r, s] = [z[k][n], z[k + 1][n], z[k + 1][n + 1], z[k][n + 1]];
      if (!Number.isFinite(p + q + r + s)) continue;
      const ends: [number, number][] = [];
      if (p < level !== q < level) ends.push([cut(p, q, x[k], x[k + 1]), y[n]]);
      if (q < level !== r < level) ends.push([x[k + 1], cut(q, r, y[n], y[n + 1])]);
      if (r < level !== s < level) ends.push([cut(s, r, x[k], x[k + 1]), y[n + 1]]);
      if (s < level !== p < level) ends.push([x[k], cut(p, s, y[n], y[n + 1])]);
      for (let m = 0; m + 1 < ends.length; m += 2) out.push([...ends[m], ...ends[m + 1]]);
    }
  }
  return out;
}
