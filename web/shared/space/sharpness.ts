// How finely space is drawn. A graphics processor smooths edges as it goes; where the browser draws by software, that takes
// a third of the time: there the picture is plain while it moves, and drawn once at twice the size when it rests.
import type { WebGLRenderer } from "three";

const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;
const [FINE, MOST] = [2, 2]; // pixels of a picture that stays for one of the page; of one that moves, at most
const REST = 400; // milliseconds without a picture: more than a slow machine takes for the next one

// Whether a program and no graphics processor draws in space; refuses where nothing does.
export function drawsInSoftware(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  if (!context) throw new Error("there is no WebGL 2");
  const known = context.getExtension("WEBGL_debug_renderer_info");
  const name = String(context.getParameter(known ? known.UNMASKED_RENDERER_WEBGL : context.RENDERER));
  context.getExtension("WEBGL_lose_context")?.loseContext();
  return SOFTWARE.test(name);
}

export class Sharpness {
  private later: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private renderer: WebGLRenderer,
    readonly soft: boolean,
    private draw: () => void,
  ) {
    this.move();
  }

  // Before a picture that others follow.
  move(): void {
    this.take(this.soft ? 1 : Math.min(devicePixelRatio, MOST));
    if (!this.soft) return;
    clearTimeout(this.later);
    this.later = setTimeout(() => this.rest(), REST);
  }

  // Draws a picture that stays.
  rest(): void {
    clearTimeout(this.later);
    this.take(FINE);
    this.draw();
  }

  private take(ratio: number): void {
    if (this.renderer.getPixelRatio() !== ratio) this.renderer.setPixelRatio(ratio);
  }
}
