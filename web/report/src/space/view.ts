// The mechanism in space, to be turned and enlarged.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Scene } from "../data";
import { Labels, type Wanted } from "../labels";
import { type Motion, place, type Poses } from "../motion";
import { change, make } from "../svg";
import type { Placed, Viewer } from "../viewer";
import { floor, triad } from "./floor";
import { jointParts } from "./glyphs";
import { solid, vector } from "./solids";
import { Stretches } from "./stretches";

const THICK = 0.014; // radius of a rod, of the size of the mechanism
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
  private bodies: Record<string, THREE.Group> = {};
  private stretches: Stretches;
  private traces = new THREE.Group();
  private grid: THREE.LineSegments;
  private steel = new THREE.MeshStandardMaterial({ roughness: 0.45, metalness: 0.35 });
  private painted: { material: THREE.MeshStandardMaterial; colour: string }[] = [];
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
    const group = new THREE.Group();
    const first = motion.at(motion.start);
    this.build(first);
    this.stretches = new Stretches(group, scene, THICK * scene.size, this.steel);
    this.grid = floor(scene);
    this.world.add(group, this.traces, this.grid, triad(0.16 * scene.size));
    this.trace();
    this.names = this.prepareNames();
    this.poses = first;
    this.measure();
    this.fit();
    this.recolour();
    new ResizeObserver(() => this.measure()).observe(figure);
    figure.dataset.drawn = "yes";
  }

  show(poses: Poses): void {
    this.poses = poses;
    for (const name in this.bodies) {
      const pose = poses[name];
      this.bodies[name].visible = pose !== null;
      if (!pose) continue;
      this.bodies[name].position.set(pose[0], pose[1], pose[2]);
      this.bodies[name].quaternion.set(pose[4], pose[5], pose[6], pose[3]);
    }
    this.stretches.move(poses);
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
    this.steel.color = colour("--steel");
    const lighter = Number(style.getPropertyValue("--lighter"));
    for (const { material, colour: own } of this.painted)
      material.color.set(own).lerp(new THREE.Color("white"), lighter);
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

  private build(first: Poses): void {
    const thick = THICK * this.scene.size;
    const paint: Record<string, THREE.MeshStandardMaterial> = {};
    const material = (colour: string): THREE.MeshStandardMaterial => {
      if (!paint[colour]) {
        paint[colour] = new THREE.MeshStandardMaterial({ roughness: 0.55, metalness: 0.05 });
        this.painted.push({ material: paint[colour], colour });
      }
      return paint[colour];
    };
    for (const body of this.scene.bodies) {
      const group = new THREE.Group();
      for (const shape of body.shapes) group.add(new THREE.Mesh(solid(shape, 0.8 * thick), material(body.colour)));
      this.bodies[body.name] = group;
      this.world.add(group);
    }
    for (const joint of this.scene.joints) {
      for (const part of jointParts(this.scene, joint, thick, first)) {
        this.bodies[part.body].add(new THREE.Mesh(part.geometry, part.colour ? material(part.colour) : this.steel));
      }
    }
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
    this.named = this.scene.points
      .filter((point) => point.named)
      .map((point) => ({ text: point.name, kind: "point", body: point.body, at: point.at }));
    for (const body of this.scene.bodies) {
      if (!body.fixed)
        this.named.push({ text: body.name, kind: "body", colour: body.colour, body: body.name, at: [0, 0, 0] });
    }
    for (const joint of this.scene.joints) {
      this.named.push({ text: joint.name, kind: "joint", body: joint.second.body, at: joint.second.at });
    }
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
    return this.scene.bodies.flatMap((body) =>
      body.shapes
        .filter((shape) => shape.kind === "rod")
        .flatMap((shape) => {
          const ends = [shape.from!, shape.to!].map((at) => place(this.poses, body.name, at));
          if (!ends[0] || !ends[1]) return [];
          const [a, b] = [this.pixel(ends[0]), this.pixel(ends[1])];
          return [[a.x, a.y, b.x, b.y] as [number, number, number, number]];
        }),
    );
  }

  private pixel(at: number[]): Placed {
    const seen = vector(at).project(this.camera);
    return { x: ((seen.x + 1) / 2) * this.wide, y: ((1 - seen.y) / 2) * this.high };
  }
}
