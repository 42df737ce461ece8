import type { System } from "../calls/index.js";
import { seal } from "../spec/index.js";
import { Stream } from "./stream.js";

/** Tells a mill how to open a stream of raw words. There is nothing to parse or compile. */
export const streams: System<object, object, undefined, Stream> = {
  noun: "stream",
  options: [],
  parse: () => ({ spec: seal("stream", {}), issues: [] }),
  compile: () => undefined,
  open: (setup) => new Stream(setup),
};
