import type { Key } from "./port.mjs";
import type { MadeByPort } from "./portObjects.mjs";

export function makeEgoObject(
  key: Key,
  files: object,
  index: number,
  options: { level: number; quality: "normal" | "good" | "great"; made: Map<number, number> },
): MadeByPort;
