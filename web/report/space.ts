import { SpaceViewer } from "../shared/space/view";
import { start } from "./start";
import { StillViewer } from "../shared/space/still";

start((figure, scene, motion, run, wishes) => {
  try {
    return new SpaceViewer(figure, scene, motion, run, wishes);
  } catch (error) {
    return new StillViewer(figure, error);
  }
});
