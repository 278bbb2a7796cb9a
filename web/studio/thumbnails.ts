// Small moving pictures of mechanisms: in the gallery, of assembly modes, of designs.
import { decode } from "../shared/decode";
import type { Scene } from "../shared/data";
import { Motion } from "../shared/motion";
import { Strokes } from "../shared/plane/strokes";
import { Traces } from "../shared/plane/traces";
import { change, make } from "../shared/svg";

const SECONDS = 3; // that a motion takes

// A card with a picture, a title and a sentence.
export function card(title: string, text: string): { button: HTMLButtonElement; picture: SVGSVGElement } {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "card";
  const picture = make("svg", { "aria-hidden": "true" });
  button.append(picture);
  if (title) button.append(Object.assign(document.createElement("b"), { textContent: title }));
  button.append(Object.assign(document.createElement("span"), { textContent: text }));
  return { button, picture };
}

// Draws a scene; it moves while the card is pointed at or has the focus, or always.
export function animate(svg: SVGSVGElement, data: any, holder: HTMLElement, always = false): void {
  const { scene } = decode(data.run, data.scene);
  const motion = new Motion(scene);
  frame(svg, scene.box, 0.05);
  const root = make("g", { transform: "scale(1 -1)" }, svg);
  const strokes = new Strokes(root, scene, motion);
  new Traces(strokes.paths, scene, motion);
  const show = (t: number): void => strokes.move(motion.at(t), t);
  show(motion.start);
  let begun: number | null = null;
  const next = (now: number): void => {
    if (begun === null || !svg.isConnected) return;
    show(motion.start + (((now - begun) / 1000 / SECONDS) % 1) * (motion.end - motion.start));
    requestAnimationFrame(next);
  };
  const play = (): void => {
    if (begun !== null || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    begun = performance.now();
    requestAnimationFrame(next);
  };
  if (always) return play();
  for (const event of ["pointerenter", "focus"]) holder.addEventListener(event, play);
  for (const event of ["pointerleave", "blur"]) holder.addEventListener(event, () => (begun = null));
}

// Draws bodies in some poses, still.
export function still(svg: SVGSVGElement, scene: Scene, bodies: Record<string, number[]>): void {
  const poses = Object.fromEntries(
    Object.keys(scene.poses).map((name): [string, Float64Array[]] => {
      const pose = bodies[name] ?? scene.poses[name].map((numbers) => numbers[0]);
      return [name, pose.map((x) => new Float64Array([x]))];
    }),
  );
  const arrows = new Set(scene.reaches.filter((reach) => !reach.second).map(({ name }) => name)); // of other positions
  const reaches = scene.reaches.filter(({ name }) => !arrows.has(name));
  const strokes = scene.strokes.filter(({ frame: of }) => !arrows.has(of));
  const drawn: Scene = { ...scene, times: new Float64Array([0]), poses, rates: {}, reaches, strokes, forces: null };
  const motion = new Motion(drawn);
  frame(svg, scene.box, 0.25);
  new Strokes(make("g", { transform: "scale(1 -1)" }, svg), drawn, motion).move(motion.at(0), 0);
}

function frame(svg: SVGSVGElement, [low, high]: Scene["box"], part: number): void {
  const [dx, dy] = [high[0] - low[0] || 1, high[1] - low[1] || 1];
  const room = part * Math.max(dx, dy);
  change(svg, { viewBox: `${low[0] - room} ${-high[1] - room} ${dx + 2 * room} ${dy + 2 * room}` });
}
