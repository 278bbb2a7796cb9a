// Numbers as people read them.
export function digits(x: number, count = 5): string {
  if (!Number.isFinite(x)) return "–";
  if (x === 0) return "0";
  const size = Math.abs(x);
  const text = size >= 1e6 || size < 1e-4 ? power(x, count) : String(Number(x.toPrecision(count)));
  return text.replace("-", "−");
}

function power(x: number, count: number): string {
  const [mantissa, exponent] = x.toExponential(count - 1).split("e");
  return `${Number(mantissa)}e${Number(exponent)}`;
}

// Round places for ticks that span a range: steps of 1, 2 or 5, about `count` of them.
export function ticks(low: number, high: number, count: number): number[] {
  const rough = (high - low) / Math.max(count, 1);
  if (!(rough > 0)) return [low];
  const decade = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((k) => k * decade).find((x) => x >= rough * 0.999)!;
  const out: number[] = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) out.push(k * step);
  return out;
}

// Ticks of one chart with equally many decimals.
export function tickLabels(values: number[]): string[] {
  const step = values.length > 1 ? Math.abs(values[1] - values[0]) : Math.abs(values[0]);
  const most = Math.max(...values.map(Math.abs));
  if (most >= 1e5 || (most > 0 && step < 1e-4))
    return values.map((x) => (Math.abs(x) < 1e-9 * most ? "0" : digits(x, 4)));
  const decimals = step > 0 ? Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) : 0;
  return values.map((x) => (Math.abs(x) < 1e-9 * step ? 0 : x).toFixed(decimals).replace("-", "−"));
}
