import { PlaneViewer } from "./plane/view";
import { start } from "./start";

start(
  (figure, scene, motion, run) => new PlaneViewer(figure.querySelector<SVGSVGElement>("#drawing")!, scene, motion, run),
);
