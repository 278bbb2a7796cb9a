// A soft shadow on the floor, straight below the mechanism: seen from above into a small picture, blurred, laid down.
import * as THREE from "three";
import type { Scene } from "../data";
import { sides } from "./eye";
import { vector } from "./solids";

const PIXELS = 192; // of the picture, each way
const AROUND = 0.12; // of its width, left free around the mechanism
const SOFT = 0.8; // pixels from place to place where the blur looks

const SQUARE = "varying vec2 at; void main() { at = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }";
const BLUR = `uniform sampler2D seen; uniform vec2 step; varying vec2 at;
void main() {
  float sum = 0.196 * texture2D(seen, at).r;
  sum += 0.175 * (texture2D(seen, at + step).r + texture2D(seen, at - step).r);
  sum += 0.121 * (texture2D(seen, at + 2.0 * step).r + texture2D(seen, at - 2.0 * step).r);
  sum += 0.066 * (texture2D(seen, at + 3.0 * step).r + texture2D(seen, at - 3.0 * step).r);
  sum += 0.040 * (texture2D(seen, at + 4.0 * step).r + texture2D(seen, at - 4.0 * step).r);
  gl_FragColor = vec4(sum, sum, sum, 1.0);
}`;
const LAID =
  "varying vec2 at; void main() { at = uv; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }";
const DARK = `uniform sampler2D seen; uniform vec3 colour; varying vec2 at;
void main() {
  gl_FragColor = vec4(colour, min(1.0, 1.5 * texture2D(seen, at).r));
  #include <colorspace_fragment>
}`;

export class SoftShadow {
  readonly sheet: THREE.Mesh; // on the floor
  private axes: THREE.Vector3[]; // of the floor, and what is up
  private level: number; // of the floor
  changed = true; // whether the mechanism moved since it was drawn
  private above = new THREE.OrthographicCamera();
  private world = new THREE.Scene();
  private pictures = [0, 1].map(() => new THREE.WebGLRenderTarget(PIXELS, PIXELS, { depthBuffer: false }));
  private blur: THREE.ShaderMaterial;
  private square: THREE.Mesh;
  private colour = { value: new THREE.Color() };

  // `flat`: all that casts it, flattened onto the floor at a level.
  constructor(flat: THREE.Object3D, scene: Scene, level: number) {
    this.world.add(flat);
    const up = vector(scene.up);
    this.axes = [...sides(up), up];
    this.level = level;
    this.above.matrixAutoUpdate = false;
    const seen = { value: null as THREE.Texture | null };
    this.blur = new THREE.ShaderMaterial({
      uniforms: { seen, step: { value: new THREE.Vector2() } },
      vertexShader: SQUARE,
      fragmentShader: BLUR,
      depthTest: false,
    });
    this.square = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), this.blur);
    this.square.frustumCulled = false;
    this.sheet = new THREE.Mesh(
      new THREE.PlaneGeometry(2, 2),
      new THREE.ShaderMaterial({
        uniforms: { seen: { value: this.pictures[0].texture }, colour: this.colour },
        vertexShader: LAID,
        fragmentShader: DARK,
        transparent: true,
        depthWrite: false,
        side: THREE.DoubleSide,
      }),
    );
    this.sheet.matrixAutoUpdate = false;
    this.lay(...(scene.box.map(vector) as [THREE.Vector3, THREE.Vector3]), 0.1 * scene.size);
  }

  // Lays the sheet under a box.
  lay(low: THREE.Vector3, high: THREE.Vector3, least = 0): void {
    const [x, y, up] = this.axes;
    const middle = low.clone().add(high).multiplyScalar(0.5);
    middle.addScaledVector(up, this.level - up.dot(middle));
    const reach = high.clone().sub(low);
    const half = (0.5 + AROUND) * Math.max(Math.abs(reach.dot(x)), Math.abs(reach.dot(y)), least);
    const { above, sheet } = this;
    Object.assign(above, { left: -half, right: half, bottom: -half, top: half, near: 0, far: 2 * half });
    above.matrix.makeBasis(x, y, up).setPosition(middle.clone().addScaledVector(up, half));
    above.updateMatrixWorld(true);
    above.updateProjectionMatrix();
    sheet.matrix
      .makeBasis(x, y, up)
      .scale(new THREE.Vector3(half, half, 1))
      .setPosition(middle);
    sheet.matrixWorldNeedsUpdate = this.changed = true;
  }

  recolour(colour: THREE.Color): void {
    this.colour.value.copy(colour);
  }

  draw(renderer: THREE.WebGLRenderer): void {
    if (!this.changed) return;
    this.changed = false;
    const alpha = renderer.getClearAlpha();
    renderer.setClearAlpha(0);
    const [first, second] = this.pictures;
    this.paint(renderer, first, this.world);
    for (const [from, to, dx, dy] of [
      [first, second, SOFT, 0],
      [second, first, 0, SOFT],
    ] as const) {
      this.blur.uniforms.seen.value = from.texture;
      this.blur.uniforms.step.value.set(dx / PIXELS, dy / PIXELS);
      this.paint(renderer, to, this.square);
    }
    renderer.setRenderTarget(null);
    renderer.setClearAlpha(alpha);
  }

  private paint(renderer: THREE.WebGLRenderer, target: THREE.WebGLRenderTarget, what: THREE.Object3D): void {
    renderer.setRenderTarget(target);
    renderer.clear();
    renderer.render(what as THREE.Scene, this.above);
  }
}
