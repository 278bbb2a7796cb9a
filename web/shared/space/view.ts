// The mechanism in space, to be turned and enlarged.
import * as THREE from "three";
import type { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Arrows } from "../arrows";
import type { Run, Scene } from "../data";
import { type Motion, place, type Poses } from "../motion";
import { ForceLegend, ForceValues, seenArrows } from "../forces";
import { anchor, bodiesOf, framePart, local, nearestNode, Scrubber } from "../picking";
import { drawScale } from "../scale";
import type { Part } from "../store";
import { change, make } from "../svg";
import type { Edit, Layer, Placed, Viewer, Wishes } from "../viewer";
import { Chase } from "./chase";
import { Compass } from "./compass";
import { Dots } from "./dots";
import { Eye } from "./eye";
import { floor, type Floor } from "./floor";
import { lights } from "./lights";
import { Names } from "./names";
import { orbit, watchPointer } from "./pointer";
import { SoftShadow } from "./shadow";
import { drawsInSoftware, Sharpness } from "./sharpness";
import { FORCES, Solids, vector } from "./solids";
import { Traces } from "./traces";

const TOOLS = 56; // pixels on the right that the buttons cover

export class SpaceViewer implements Viewer {
  layers: readonly Layer[] = [];
  private renderer: THREE.WebGLRenderer;
  private sharpness: Sharpness;
  private eye!: Eye;
  private controls!: OrbitControls;
  private world!: THREE.Scene;
  private solids!: Solids;
  private traces!: Traces;
  private floor!: Floor;
  private shadow!: SoftShadow;
  private overlay: SVGSVGElement;
  private compass!: Compass;
  private arrows!: Record<"velocity" | "acceleration", Arrows>;
  private legend!: ForceLegend;
  private values!: ForceValues;
  private names!: Names;
  private dots!: Dots;
  private poses: Poses = {};
  private time = 0;
  private waiting = false;
  private chase!: Chase;
  private plane: THREE.Plane | null = null; // that cuts the mechanism open, through what is looked at
  private editing: Edit | null = null;
  private wide = 1;
  private high = 1;

  constructor(
    private figure: HTMLElement,
    private scene: Scene,
    private motion: Motion,
    private run: Run,
    private wishes: Wishes,
  ) {
    const canvas = figure.querySelector("canvas")!;
    const soft = drawsInSoftware();
    const kept = { alpha: true, preserveDrawingBuffer: true }; // kept, so that it can be printed
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: !soft, ...kept });
    this.sharpness = new Sharpness(this.renderer, soft, () => this.draw());
    this.renderer.autoClear = false;
    this.renderer.localClippingEnabled = true;
    this.overlay = figure.querySelector<SVGSVGElement>("#drawing")!;
    this.eye = new Eye(scene);
    this.controls = orbit(this.eye.camera, figure, canvas, () => this.ask());
    this.build();
    this.measure();
    this.fit();
    this.recolour();
    watchPointer(canvas, {
      pick: (at) => this.pick(at),
      hover: (part) => wishes.hover(part),
      click: (part) => wishes.select(part),
      grab: (part, at) => this.grab(part, at),
      release: () => {
        this.editing?.end();
        this.editing = null;
      },
      turns: (on) => (this.controls.enabled = on),
    });
    new ResizeObserver(() => this.measure()).observe(figure);
    figure.dataset.drawn = "yes";
  }

  load(scene: Scene, motion: Motion, run: Run): void {
    [this.scene, this.motion, this.run] = [scene, motion, run];
    this.build();
    this.recolour();
  }

  private build(): void {
    const { scene, motion, run } = this;
    this.world = new THREE.Scene();
    this.floor = floor(scene);
    this.solids = new Solids(scene, motion, this.floor.down, this.sharpness.soft);
    this.traces = new Traces(scene, motion);
    this.world.fog = new THREE.Fog(0, this.eye.distance - this.eye.radius, this.eye.distance + 3.5 * this.eye.radius);
    this.shadow = new SoftShadow(this.solids.shadow, scene, this.floor.level);
    this.chase = new Chase(scene, motion, this.eye, this.controls, this.shadow, this.chase?.travel.on ?? false);
    this.world.add(this.solids.group, this.shadow.sheet, this.traces.group, this.floor.grid);
    this.world.add(...lights(vector(scene.up)));
    this.overlay.replaceChildren();
    const { length } = scene.units;
    this.compass = new Compass(this.overlay, `grid ${Number(this.floor.mesh.toPrecision(3))} ${length}`.trim());
    this.dots = new Dots(this.overlay, scene);
    const arrows = (quantity: "v" | "a"): Arrows => new Arrows(make("g", {}, this.overlay), scene, run, quantity);
    this.arrows = { velocity: arrows("v"), acceleration: arrows("a") };
    const { velocity, acceleration } = this.arrows;
    const known = { paths: scene.points.length, forces: scene.forces, velocity: velocity.any };
    const any = Object.entries({ ...known, acceleration: acceleration.any, follow: this.chase.travel.far });
    this.layers = ["names", ...any.filter((one) => one[1]).map(([layer]) => layer as Layer), "cut"];
    this.legend = new ForceLegend(this.overlay, scene);
    this.values = new ForceValues(make("g", {}, this.overlay), scene, run, motion);
    this.names = new Names(make("g", { class: "labels" }, this.overlay), scene, this.solids);
    this.poses = motion.at(motion.start);
    this.light(null, null);
  }

  show(poses: Poses, time: number): void {
    this.chase.go(this.poses, poses);
    [this.poses, this.time] = [poses, time];
    this.solids.move(poses, time);
    this.shadow.changed = true;
    this.traces.show(time);
    this.ask();
  }

  get scale(): number {
    return this.eye.pixels(this.high);
  }

  zoom(factor: number): void {
    this.eye.camera.zoom *= factor;
    this.eye.camera.updateProjectionMatrix();
    this.controls.update();
    this.ask();
  }

  fit(): void {
    this.measure();
    const above = Math.min(this.legend.height, 0.25 * this.high); // the scale of forces stands there
    this.eye.fit(this.chase.travel.seen(this.poses).map(vector), [this.wide, this.high], TOOLS, above);
    this.controls.target.copy(this.eye.middle);
    this.controls.update();
    this.ask();
  }

  turn(layer: Layer, on: boolean): void {
    if (layer === "names") this.names.on = on;
    else if (layer === "paths") this.traces.group.visible = on;
    else if (layer === "forces") this.seeForces(on);
    else if (layer === "follow") this.follow(on);
    else if (layer === "cut") this.solids.cut((this.plane = on ? new THREE.Plane() : null));
    else if (layer === "velocity" || layer === "acceleration") this.arrows[layer].on = on;
    this.ask();
  }

  private follow(on: boolean): void {
    this.chase.turn(on, this.poses);
    if (this.chase.travel.far) this.fit();
  }

  private seeForces(on: boolean): void {
    this.solids.forces = this.legend.on = this.values.on = on;
    this.solids.move(this.poses, this.time);
  }

  grow(on: boolean): void {
    this.traces.growing = on;
    this.traces.show(this.time);
    this.ask();
  }

  pan(dx: number, dy: number): void {
    this.eye.pan(dx / this.scale, dy / this.scale, this.controls.target);
    this.controls.update();
    this.ask();
  }

  orbit(across: number, up: number): void {
    this.controls.rotateLeft(-across);
    this.controls.rotateUp(-up);
  }

  light(selected: Part | null, hovered: Part | null): void {
    const part = hovered ?? selected;
    this.solids.light(part && new Set(bodiesOf(this.scene, part)));
    this.solids.seen = this.scene.forces ? seenArrows(this.scene, this.run, selected) : null;
    this.solids.move(this.poses, this.time);
    this.ask();
  }

  // Drawn at once: what was asked for is else drawn with the next picture of the browser.
  pictures(): [HTMLCanvasElement, SVGSVGElement] {
    this.sharpness.rest();
    return [this.renderer.domElement, this.overlay];
  }

  private pick(at: Placed): Part | null {
    const near = nearestNode(this.scene, this.poses, (point) => this.pixel(point), at);
    if (near) return near;
    const hit = this.solids.hit(this.ray(at));
    return hit && framePart(this.scene, hit.frame);
  }

  private ray(at: Placed): THREE.Raycaster {
    return this.eye.ray((2 * at.x) / this.wide - 1, 1 - (2 * at.y) / this.high);
  }

  // Dragging a part that moves changes it, or goes through time along its path.
  private grab(part: Part | null, at: Placed): ((to: Placed) => void) | null {
    const hit = part?.kind === "body" ? this.solids.hit(this.ray(at)) : null;
    const held = part && anchor(this.scene, part);
    const body = hit?.frame ?? held?.body;
    const here = hit?.at ?? (held && place(this.poses, held.body, held.at));
    if (!body || !here) return null;
    const towards = this.eye.camera.getWorldDirection(new THREE.Vector3());
    this.editing = this.wishes.edit?.(part, here, towards.toArray()) ?? null;
    const sheet = new THREE.Plane().setFromNormalAndCoplanarPoint(towards, vector(here)); // across the sight
    const moved = (to: Placed): number[] =>
      this.ray(to).ray.intersectPlane(sheet, new THREE.Vector3())?.toArray() ?? here;
    if (this.editing) return (to) => this.editing?.move(moved(to));
    const fixed = this.scene.bodies.find(({ name }) => name === body)?.fixed !== false;
    const own = fixed || this.motion.end <= this.motion.start ? null : local(this.poses, body, here);
    const scrubber = own && new Scrubber(this.motion, body, own, (point) => this.pixel(point));
    return scrubber && ((to) => this.wishes.go(scrubber.time(to, this.wishes.now())));
  }

  recolour(): void {
    const style = getComputedStyle(this.figure);
    const colour = (name: string): THREE.Color => new THREE.Color(style.getPropertyValue(name).trim());
    (this.floor.grid.material as THREE.LineBasicMaterial).color = colour("--line");
    this.world.fog!.color = colour("--panel");
    this.solids.recolour(Number(style.getPropertyValue("--lighter")), colour("--steel"));
    this.shadow.recolour(colour("--shadow"));
    this.draw();
  }

  private measure(): void {
    const box = this.figure.getBoundingClientRect();
    if (box.width < 10) return;
    [this.wide, this.high] = [box.width, box.height];
    this.renderer.setSize(this.wide, this.high, false);
    change(this.overlay, { viewBox: `0 0 ${this.wide} ${this.high}` });
    this.eye.shape(this.eye.camera.top, this.wide / this.high);
    this.ask();
  }

  // One drawing per frame, however many things changed.
  private ask(): void {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.sharpness.move();
      this.draw();
    });
  }

  private draw(): void {
    this.render();
    const where = (body: string, at: number[]): number[] | null => place(this.poses, body, at);
    this.dots.show(where, (at) => this.pixel(at));
    Object.values(this.arrows).forEach((arrows, k) => {
      const corner = { x: 14, y: this.high - 124 - 20 * k };
      arrows.show(this.time, where, (at) => this.pixel(at), this.scale, corner);
    });
    this.compass.show(this.eye.camera, this.wide, this.high);
    drawScale(this.overlay, this.scale, this.scene.units.length, this.wide, this.high);
    this.legend.show(this.scale, this.wide);
    this.values.show(this.poses, this.time, this.solids.seen, (at) => this.pixel(at));
    this.names.show(this.poses, (at) => this.pixel(at), this.eye.camera, this.wide - TOOLS, this.high);
  }

  // The mechanism, and over it the arrows of forces.
  private render(): void {
    const { camera } = this.eye;
    const towards = new THREE.Vector3();
    this.plane?.setFromNormalAndCoplanarPoint(camera.getWorldDirection(towards), this.controls.target);
    this.shadow.draw(this.renderer);
    this.renderer.clear();
    for (const layer of [0, FORCES]) {
      camera.layers.set(layer);
      this.renderer.clearDepth();
      this.renderer.render(this.world, camera);
    }
  }

  private pixel(at: number[]): Placed {
    const seen = vector(at).project(this.eye.camera);
    return { x: ((seen.x + 1) / 2) * this.wide, y: ((1 - seen.y) / 2) * this.high };
  }
}
