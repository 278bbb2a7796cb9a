// The one time that mechanism, slider and charts show.
export class Clock {
  time: number;
  playing = false;
  speed = 1;
  private last = 0;
  private listeners: (() => void)[] = [];

  constructor(
    readonly start: number,
    readonly end: number,
  ) {
    this.time = start;
  }

  listen(listener: () => void): void {
    this.listeners.push(listener);
  }

  set(time: number): void {
    this.time = Math.min(Math.max(time, this.start), this.end);
    this.notify();
  }

  play(): void {
    if (this.playing || this.end <= this.start) return;
    if (this.time >= this.end) this.time = this.start;
    this.playing = true;
    this.last = performance.now();
    requestAnimationFrame((now) => this.frame(now));
    this.notify();
  }

  pause(): void {
    this.playing = false;
    this.notify();
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  private frame(now: number): void {
    if (!this.playing) return;
    const passed = Math.max(now - this.last, 0) / 1000;
    this.last = now;
    const length = this.end - this.start;
    this.time = this.start + ((this.time - this.start + passed * this.speed) % length);
    this.notify();
    requestAnimationFrame((next) => this.frame(next));
  }

  private notify(): void {
    for (const listener of this.listeners) listener();
  }
}

const STEPS = [1, 2, 5];

// Speeds from slow to fast, and the one to begin with: real time, unless the run would be over at once or take ages.
export function speeds(length: number): { offered: number[]; first: number } {
  if (!(length > 0)) return { offered: [1], first: 1 };
  const from = Math.floor(Math.log10(Math.max(length, 1e-12) / 100));
  const series = Array.from({ length: 5 }, (_, k) => STEPS.map((step) => step * 10 ** (from + k))).flat();
  const first = length >= 3 && length <= 30 ? 1 : nearest(series, length / 5);
  const around = series.indexOf(nearest(series, first));
  const offered = series.slice(Math.max(around - 5, 0), around + 5).map((speed) => Number(speed.toPrecision(1)));
  return { offered, first: Number(first.toPrecision(1)) };
}

function nearest(series: number[], wanted: number): number {
  return series.reduce((best, x) => (Math.abs(Math.log(x / wanted)) < Math.abs(Math.log(best / wanted)) ? x : best));
}
