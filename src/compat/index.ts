export { type ClosedDirections, DirectionTensor } from "./directionTensor.js";
