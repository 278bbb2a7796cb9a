import { PlaneViewer } from "../shared/plane/view";
import { start } from "./start";

start(
  (figure, scene, motion, run, wishes) =>
    new PlaneViewer(figure.querySelector<SVGSVGElement>("#drawing")!, scene, motion, run, wishes),
);
