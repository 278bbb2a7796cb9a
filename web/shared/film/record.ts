// Films of the drawing: its pictures over the whole motion, one after the other, as GIF or as a video.
import { svgText } from "../charts/save";
import type { Clock } from "../clock";
import type { Viewer } from "../viewer";
import { encodeGif } from "./gif";

const WIDEST = 720; // pixels
const RATE = 20; // pictures a second
const MOST = 240; // pictures
const VIDEOS = ["video/mp4;codecs=avc1.42E01E", "video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"];

export type Progress = (part: number) => void;

// The kind of video that this browser records; none where it cannot.
export function videoKind(): string | null {
  if (typeof MediaRecorder === "undefined") return null;
  return VIDEOS.find((kind) => MediaRecorder.isTypeSupported(kind)) ?? null;
}

export async function recordGif(viewer: Viewer, clock: Clock, seconds: number, progress: Progress): Promise<Blob> {
  const pictures = await take(viewer, clock, seconds, progress);
  const frames = pictures.map((canvas) => {
    const { width, height } = canvas;
    return { width, height, data: canvas.getContext("2d")!.getImageData(0, 0, width, height).data };
  });
  return new Blob([encodeGif(frames, Math.round(100 / RATE)).slice().buffer], { type: "image/gif" });
}

// Recorded as it plays, so it takes as long as it lasts.
export async function recordVideo(viewer: Viewer, clock: Clock, seconds: number, progress: Progress): Promise<Blob> {
  const pictures = await take(viewer, clock, seconds, (part) => progress(part / 2));
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [pictures[0].width, pictures[0].height];
  const context = canvas.getContext("2d")!;
  context.drawImage(pictures[0], 0, 0);
  const recorder = new MediaRecorder(canvas.captureStream(RATE), { mimeType: videoKind()!, videoBitsPerSecond: 4e6 });
  const parts: Blob[] = [];
  recorder.ondataavailable = ({ data }) => void parts.push(data);
  const ended = new Promise<void>((done) => (recorder.onstop = () => done()));
  recorder.start();
  for (const [k, picture] of pictures.entries()) {
    context.drawImage(picture, 0, 0);
    progress(0.5 + (0.5 * k) / pictures.length);
    await new Promise((done) => setTimeout(done, 1000 / RATE));
  }
  recorder.stop();
  await ended;
  return new Blob(parts, { type: recorder.mimeType });
}

// One picture of the drawing as it is now.
export async function snapshot(viewer: Viewer, widest: number): Promise<HTMLCanvasElement> {
  const pictures = viewer.pictures();
  const box = pictures[0].getBoundingClientRect();
  const scale = Math.min(1, widest / box.width);
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [box.width, box.height].map((x) => 2 * Math.round((x * scale) / 2)); // videos ask for even ones
  const context = canvas.getContext("2d", { willReadFrequently: true })!;
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--panel");
  context.fillRect(0, 0, canvas.width, canvas.height);
  for (const picture of pictures) {
    let source: CanvasImageSource = picture as HTMLCanvasElement;
    if (picture instanceof SVGSVGElement) {
      const image = new Image();
      image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(picture, ""))}`;
      await image.decode();
      source = image;
    }
    context.drawImage(source, 0, 0, canvas.width, canvas.height);
  }
  return canvas;
}

// A motion that ends where it began is not shown there twice; afterwards the clock is where it was.
async function take(viewer: Viewer, clock: Clock, seconds: number, progress: Progress): Promise<HTMLCanvasElement[]> {
  const before = clock.time;
  const count = Math.min(Math.max(Math.round(seconds * RATE), 2), MOST);
  const out: HTMLCanvasElement[] = [];
  clock.pause();
  for (let k = 0; k < count; k++) {
    clock.set(clock.start + ((clock.end - clock.start) * k) / count);
    out.push(await snapshot(viewer, WIDEST));
    progress(k / count);
  }
  clock.set(before);
  return out;
}
