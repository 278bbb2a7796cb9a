// The mechanism in space, to be turned and enlarged.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Scene } from "../data";
import { Labels, type Wanted } from "../labels";
import { type Motion, place, type Poses } from "../motion";
import { change, make } from "../svg";
import type { Placed, Viewer } from "../viewer";
import { floor, triad } from "./floor";
import { Solids, vector } from "./solids";

const TOOLS = 44; // pixels on the right that the buttons cover
interface Named extends Wanted {
  body: string;
  at: number[];
}

export class SpaceViewer implements Viewer {
  private renderer: THREE.WebGLRenderer;
  private camera = new THREE.PerspectiveCamera(32, 1, 0.01, 1000);
  private controls: OrbitControls;
  private world = new THREE.Scene();
  private solids: Solids;
  private traces = new THREE.Group();
  private grid: THREE.LineSegments;
  private overlay: SVGSVGElement;
  private names: Labels;
  private named: Named[] = [];
  private dots: { element: SVGCircleElement; body: string; at: number[] }[] = [];
  private poses: Poses = {};
  private waiting = false;
  private wide = 1;
  private high = 1;

  constructor(
    private figure: HTMLElement,
    private scene: Scene,
    private motion: Motion,
  ) {
    const canvas = figure.querySelector("canvas")!;
    if (!document.createElement("canvas").getContext("webgl2")) throw new Error("there is no WebGL 2");
    // the buffer is kept, so that the picture can be printed
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.overlay = figure.querySelector("svg")!;
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableZoom = false; // until the drawing was clicked: else the page could not be scrolled
    canvas.style.touchAction = "pan-y";
    figure.addEventListener("focus", () => (this.controls.enableZoom = true));
    figure.addEventListener("blur", () => (this.controls.enableZoom = false));
    canvas.addEventListener("pointerdown", () => figure.focus({ preventScroll: true }));
    this.controls.addEventListener("change", () => this.ask());
    this.light();
    this.solids = new Solids(scene, motion);
    this.grid = floor(scene);
    this.world.add(this.solids.group, this.traces, this.grid, triad(0.16 * scene.size));
    this.trace();
    this.names = this.prepareNames();
    this.poses = motion.at(motion.start);
    this.measure();
    this.fit();
    this.recolour();
    new ResizeObserver(() => this.measure()).observe(figure);
    figure.dataset.drawn = "yes";
  }

  show(poses: Poses, time: number): void {
    this.poses = poses;
    this.solids.move(poses, time);
    this.ask();
  }

  zoom(factor: number): void {
    this.camera.position.sub(this.controls.target).divideScalar(factor).add(this.controls.target);
    this.controls.update();
    this.ask();
  }

  // Looks at the whole motion, a little from above.
  fit(): void {
    const [low, high] = this.scene.box.map(vector);
    const middle = low.clone().add(high).multiplyScalar(0.5);
    const up = vector(this.scene.up);
    this.camera.up.copy(up);
    const side = Math.abs(up.y) < 0.9 ? new THREE.Vector3(0, -1, 0) : new THREE.Vector3(0, 0, 1);
    const away = side.clone().applyAxisAngle(up, 0.6).addScaledVector(up, 0.32).normalize();
    const right = up.clone().cross(away).normalize();
    const above = away.clone().cross(right);
    const half = Math.tan((this.camera.fov * Math.PI) / 360);
    let distance = 0;
    for (let k = 0; k < 8; k++) {
      const corner = new THREE.Vector3(...[0, 1, 2].map((n) => (k & (1 << n) ? high : low).getComponent(n))).sub(
        middle,
      );
      const needs = Math.max(Math.abs(corner.dot(right)) / this.camera.aspect, Math.abs(corner.dot(above))) / half;
      distance = Math.max(distance, needs + corner.dot(away));
    }
    distance = 1.12 * distance || 3 * this.scene.size;
    this.camera.position.copy(middle).addScaledVector(away, distance);
    this.camera.near = distance / 100;
    this.camera.far = 20 * distance;
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(middle);
    this.controls.update();
    this.ask();
  }

  labels(on: boolean): void {
    this.names.on = on;
    this.ask();
  }

  paths(on: boolean): void {
    this.traces.visible = on;
    this.ask();
  }

  recolour(): void {
    const style = getComputedStyle(this.figure);
    const colour = (name: string): THREE.Color => new THREE.Color(style.getPropertyValue(name).trim());
    (this.grid.material as THREE.LineBasicMaterial).color = colour("--line");
    this.solids.recolour(Number(style.getPropertyValue("--lighter")), colour("--steel"));
    this.draw();
  }

  private light(): void {
    this.world.add(new THREE.HemisphereLight(0xffffff, 0xb0b0ba, 2.6));
    const sun = new THREE.DirectionalLight(0xffffff, 2.2);
    sun.position
      .set(-0.4, -0.7, 1)
      .applyQuaternion(new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), vector(this.scene.up)));
    this.world.add(sun);
  }

  private trace(): void {
    const layer = make("g", { class: "dots" }, this.overlay);
    for (const point of this.scene.points) {
      const colour = this.scene.bodies.find((body) => body.name === point.body)!.colour;
      const material = new THREE.LineBasicMaterial({ color: colour, transparent: true, opacity: 0.75 });
      let piece: THREE.Vector3[] = [];
      const end = (): void => {
        if (piece.length > 1)
          this.traces.add(new THREE.Line(new THREE.BufferGeometry().setFromPoints(piece), material));
        piece = [];
      };
      for (const here of this.motion.path(point.body, point.at)) {
        if (here) piece.push(vector(here));
        else end();
      }
      end();
      const element = make(
        "circle",
        { class: point.named ? "dot" : "dot unnamed", r: point.named ? 4 : 3, "data-point": point.name },
        layer,
      );
      this.dots.push({ element, body: point.body, at: point.at });
    }
  }

  private prepareNames(): Labels {
    const colours = new Map(this.scene.bodies.map((body) => [body.name, body.colour]));
    this.named = this.scene.texts.map(({ text, of, body, anchors }) => {
      return { text, kind: of, colour: of === "body" ? colours.get(body) : undefined, body, at: anchors[0] };
    });
    return new Labels(make("g", { class: "labels" }, this.overlay), this.named);
  }

  private measure(): void {
    const box = this.figure.getBoundingClientRect();
    if (box.width < 10) return;
    [this.wide, this.high] = [box.width, box.height];
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(this.wide, this.high, false);
    change(this.overlay, { viewBox: `0 0 ${this.wide} ${this.high}` });
    this.camera.aspect = this.wide / this.high;
    this.camera.updateProjectionMatrix();
    this.ask();
  }

  // One drawing per frame, however many things changed.
  private ask(): void {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  private draw(): void {
    this.renderer.render(this.world, this.camera);
    for (const { element, body, at } of this.dots) {
      const here = place(this.poses, body, at);
      element.style.display = here ? "" : "none";
      if (!here) continue;
      const { x, y } = this.pixel(here);
      change(element, { cx: x, cy: y });
      [element.dataset.x, element.dataset.y, element.dataset.z] = here.map(String);
    }
    const anchors = this.named.map(({ body, at }) => {
      const here = place(this.poses, body, at);
      return here && this.pixel(here);
    });
    this.names.place(
      anchors,
      this.lines(),
      this.named.map(() => 9),
      this.wide - TOOLS,
      this.high,
    );
  }

  private lines(): [number, number, number, number][] {
    return this.scene.lines.flatMap(({ frame, points }) => {
      const ends = points.map((at) => place(this.poses, frame, at));
      if (!ends[0] || !ends[1]) return [];
      const [a, b] = [this.pixel(ends[0]), this.pixel(ends[1])];
      return [[a.x, a.y, b.x, b.y] as [number, number, number, number]];
    });
  }

  private pixel(at: number[]): Placed {
    const seen = vector(at).project(this.camera);
    return { x: ((seen.x + 1) / 2) * this.wide, y: ((1 - seen.y) / 2) * this.high };
  }
}
