import type { System } from "../calls/index.js";
import { seal } from "../spec/index.js";
import { Stream } from "./stream.js";

export const streams: System<object, object, undefined, Stream> = {
  noun: "stream",
  options: [],
  parse: () => ({ spec: seal("stream", {}), issues: [] }),
  compile: () => undefined,
  open: (setup) => new Stream(setup),
};
