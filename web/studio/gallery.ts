// The first page: models of the folder, a new one, and the examples, which move while the pointer is on them.
import { decode } from "../shared/decode";
import { Motion } from "../shared/motion";
import { Strokes } from "../shared/plane/strokes";
import { change, make } from "../shared/svg";
import type { Example } from "./messages";

const SECONDS = 3; // that a motion takes

export class Gallery {
  private drawn = new WeakSet<Element>();

  constructor(
    private root: HTMLElement,
    private choose: { open(file: string): void; example(name: string): void; create(): void },
  ) {
    root.querySelector("#new-model")!.addEventListener("click", () => choose.create());
    root.querySelector("#close-gallery")!.addEventListener("click", () => this.hide());
    const search = root.querySelector<HTMLInputElement>("#search-examples")!;
    search.addEventListener("input", () => {
      const words = search.value.toLowerCase().split(/\s+/);
      for (const card of root.querySelectorAll<HTMLElement>(".card"))
        card.hidden = !words.every((word) => card.textContent!.toLowerCase().includes(word));
    });
  }

  hide(): void {
    this.root.hidden = true;
  }

  show(closable: boolean): void {
    this.root.hidden = false;
    this.root.querySelector<HTMLElement>("#close-gallery")!.hidden = !closable;
  }

  files(files: string[]): void {
    const list = this.root.querySelector("#own-files")!;
    list.replaceChildren(
      ...files.map((file) => {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = file;
        button.dataset.file = file;
        button.addEventListener("click", () => this.choose.open(file));
        return button;
      }),
    );
    this.root.querySelector<HTMLElement>("#own")!.hidden = files.length === 0;
  }

  load(examples: Example[]): void {
    const holder = this.root.querySelector("#examples")!;
    const seen = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) void this.draw(target as HTMLElement);
    });
    holder.replaceChildren(
      ...examples.map(({ name, description, theme }) => {
        const card = document.createElement("button");
        card.type = "button";
        card.className = "card";
        card.dataset.example = name;
        card.title = `${theme}: a copy is opened`;
        const [picture, title, text] = [
          make("svg", { "aria-hidden": "true" }),
          document.createElement("b"),
          document.createElement("span"),
        ];
        title.textContent = name.replaceAll("_", " ");
        text.textContent = description;
        card.append(picture, title, text);
        card.addEventListener("click", () => this.choose.example(name));
        seen.observe(card);
        return card;
      }),
    );
  }

  // Draws an example once it is in sight; it moves while it is pointed at.
  private async draw(card: HTMLElement): Promise<void> {
    if (this.drawn.has(card)) return;
    this.drawn.add(card);
    const data = await fetch(`thumbnail/${card.dataset.example}`).then((answer) => answer.json() as any);
    if (!data) return;
    const { scene } = decode(data.run, data.scene);
    const motion = new Motion(scene);
    const svg = card.querySelector("svg")!;
    const [low, high] = scene.box;
    const [dx, dy] = [high[0] - low[0] || 1, high[1] - low[1] || 1];
    change(svg, { viewBox: `${low[0] - 0.05 * dx} ${-high[1] - 0.05 * dy} ${1.1 * dx} ${1.1 * dy}` });
    const strokes = new Strokes(make("g", { transform: "scale(1 -1)" }, svg), scene, motion);
    const show = (t: number): void => strokes.move(motion.at(t), t);
    show(motion.start);
    let begun: number | null = null;
    const frame = (now: number): void => {
      if (begun === null) return;
      show(motion.start + (((now - begun) / 1000 / SECONDS) % 1) * (motion.end - motion.start));
      requestAnimationFrame(frame);
    };
    const play = (): void => {
      if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
      begun = performance.now();
      requestAnimationFrame(frame);
    };
    for (const event of ["pointerenter", "focus"]) card.addEventListener(event, play);
    for (const event of ["pointerleave", "blur"]) card.addEventListener(event, () => (begun = null));
  }
}
