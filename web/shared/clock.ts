// The one time that mechanism, slider and charts show. A motion that closes runs on; another one may go to and fro.
export type Ending = "loop" | "swing" | "once";

const SLOW = 0.025; // seconds from picture to picture: more, and followers are spared
const SKIP = 3;

export class Clock {
  start = 0;
  end = 0;
  time = 0;
  playing = false;
  speed = 1;
  ending: Ending = "loop";
  backwards = false; // it plays towards the start
  private direction = 1;
  private after: (() => void) | null = null;
  private last = 0;
  private listeners: (() => void)[] = [];
  private followers: (() => void)[] = [];
  private pictures = 0;
  private pace = 0; // seconds from picture to picture, lately

  constructor(start: number, end: number) {
    this.span(start, end);
    this.time = start;
  }

  // The times of another run; the time shown stays where it is, if it can.
  span(start: number, end: number): void {
    [this.start, this.end] = [start, end];
    this.time = Math.min(Math.max(this.time, start), end);
  }

  listen(listener: () => void): void {
    this.listeners.push(listener);
  }

  // One that need not follow every picture: where pictures take long it is notified of every third one.
  follow(listener: () => void): void {
    this.followers.push(listener);
  }

  set(time: number): void {
    this.time = Math.min(Math.max(time, this.start), this.end);
    this.notify();
  }

  play(): void {
    if (this.playing || this.end <= this.start) return;
    this.direction = 1;
    if (this.time >= this.end) this.time = this.start;
    this.playing = true;
    this.last = performance.now();
    requestAnimationFrame((now) => this.frame(now));
    this.notify();
  }

  // Plays up to the end and goes back to where it began; a hand that takes the clock ends it.
  playOnce(): void {
    const [before, ending] = [this.time, this.ending];
    this.time = this.start;
    this.ending = "once";
    this.after = () => {
      this.ending = ending;
      if (this.time >= this.end) this.time = before;
    };
    this.play();
  }

  pause(): void {
    if (!this.playing) return;
    this.playing = false;
    this.finish();
    this.notify();
  }

  private finish(): void {
    this.after?.();
    this.after = null;
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  private frame(now: number): void {
    if (!this.playing) return;
    const passed = Math.max(now - this.last, 0) / 1000;
    this.last = now;
    this.pace += 0.2 * (passed - this.pace);
    this.pictures++;
    this.advance(passed * this.speed * this.direction * (this.backwards ? -1 : 1));
    this.notify();
    if (this.playing) requestAnimationFrame((next) => this.frame(next));
  }

  // Goes on by so much time: round, to and fro, or up to the end.
  advance(step: number): void {
    const length = this.end - this.start;
    const to = this.time - this.start + step;
    if (this.ending === "loop") this.time = this.start + (((to % length) + length) % length);
    else if (this.ending === "swing") {
      const folded = ((to % (2 * length)) + 2 * length) % (2 * length);
      if (folded > length || to < 0) this.direction = to < 0 ? 1 : -1;
      this.time = this.start + (folded > length ? 2 * length - folded : folded);
    } else {
      this.time = Math.min(this.start + to, this.end);
      if (to < length) return;
      this.playing = false;
      this.finish();
    }
  }

  private notify(): void {
    for (const listener of this.listeners) listener();
    if (this.playing && this.pace > SLOW && this.pictures % SKIP) return;
    for (const listener of this.followers) listener();
  }
}

const SECONDS = [1, 2, 5, 10, 20, 60];

// How long the whole motion may take to be seen, in seconds; real time among them where it can be watched.
export function durations(length: number): { offered: number[]; first: number; real: boolean } {
  const real = length >= 0.5 && length <= 120;
  const first = length >= 3 && length <= 30 ? length : 5;
  const offered = [...new Set([...SECONDS, ...(real ? [length] : [])])].sort((a, b) => a - b);
  return { offered, first, real };
}
