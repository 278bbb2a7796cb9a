// Places of the plane in a drawing of a study.
import type { Vector } from "../data";
import type { Placed } from "../viewer";

const MARGIN = 30; // pixels around a drawing, for words

// Places, and arrows from them that have so many pixels, as large as they fit.
export function fittedWith(
  places: Vector[],
  arrows: { at: Vector; by: Vector }[],
  wide: number,
  high: number,
): (at: Vector) => Placed {
  const ends = (scale: number): number[][] =>
    [0, 1].map((k) => {
      const all = [
        ...places.map((at) => scale * at[k]),
        ...arrows.flatMap(({ at, by }) => [scale * at[k], scale * at[k] + by[k]]),
      ];
      return [Math.min(...all), Math.max(...all)];
    });
  const fits = (scale: number): boolean =>
    ends(scale).every(([low, top], k) => top - low <= [wide, high][k] - 2 * MARGIN);
  const spread = Math.max(
    ...[0, 1].map((k) => Math.max(...places.map((at) => at[k])) - Math.min(...places.map((at) => at[k]))),
    1e-300,
  );
  let [small, large] = [0, Math.max(wide, high) / spread];
  for (let n = 0; n < 40; n++) {
    const middle = (small + large) / 2;
    if (fits(middle)) small = middle;
    else large = middle;
  }
  const scale = Math.max(small, (0.2 * high) / spread); // the link stays readable
  const [[a, b], [c, d]] = ends(scale);
  return (at) => ({ x: wide / 2 + scale * at[0] - (a + b) / 2, y: high / 2 - scale * at[1] + (c + d) / 2 });
}

// Places of the plane in a drawing, as large as its margin allows.
export function fitted(places: Vector[], wide: number, high: number, margin: number): (at: Vector) => Placed {
  const known = places.filter((at) => Number.isFinite(at[0] + at[1]));
  const ends = [0, 1].map((k) => [Math.min(...known.map((at) => at[k])), Math.max(...known.map((at) => at[k]))]);
  const [dx, dy] = ends.map(([low, high_]) => high_ - low);
  const scale = Math.min((wide - 2 * margin) / (dx || 1e-300), (high - 2 * margin) / (dy || 1e-300));
  const used = Number.isFinite(scale) && scale < 1e200 ? scale : 1;
  const [mx, my] = ends.map(([low, high_]) => (low + high_) / 2);
  return (at) => ({ x: wide / 2 + used * (at[0] - mx), y: high / 2 - used * (at[1] - my) });
}

export function middleOf(corners: Vector[], pixel: (at: Vector) => Placed): Placed {
  const all = corners.map(pixel);
  return { x: all.reduce((s, p) => s + p.x, 0) / all.length, y: all.reduce((s, p) => s + p.y, 0) / all.length };
}

// Across a leg, away from the middle of its polygon.
export function outward(from: Placed, to: Placed, middle: Placed): Placed {
  const across = { x: -(to.y - from.y), y: to.x - from.x };
  const out = ((from.x + to.x) / 2 - middle.x) * across.x + ((from.y + to.y) / 2 - middle.y) * across.y;
  return out < 0 ? { x: -across.x, y: -across.y } : across;
}
