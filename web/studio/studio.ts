// The studio: the report's stage with a hand on it. The server has the file; this page shows it and sends gestures.
import { start } from "./start";

start();
