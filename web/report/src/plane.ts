import { PlaneViewer } from "./plane/view";
import { start } from "./start";

start((figure, scene, motion) => new PlaneViewer(figure.querySelector("svg")!, scene, motion));
