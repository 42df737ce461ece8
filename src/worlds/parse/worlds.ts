import { type Finding, issueWithin } from "../../errors/index.js";
import { type Field, isParsed, namedValues, type Parsed, type SpecReader, TEXT, unread } from "../../spec/index.js";
import { textFlaw } from "../../spec/reader.js";
import type { WorldSpec } from "../types.js";
import { FILE, type SourceFile } from "./sources.js";

const MAX_DEPTH = 8;
const MAX_WORLDS = 256;

/** Where a child world stands in the world that contains it. */
export interface Nesting {
  /** Number of worlds that contain this world. */
  readonly depth: number;
  /** How many more worlds the outermost world may contain. All its worlds share this object. */
  readonly room: { left: number };
}

export function outermost(): Nesting {
  return { depth: 0, room: { left: MAX_WORLDS } };
}

/** Takes `count` child worlds, which have `height` levels, from the room. Returns undefined, or what is wrong. */
export function nestingFlaw({ depth, room }: Nesting, count = 1, height = 1): Finding | undefined {
  room.left -= count;
  if (depth + height > MAX_DEPTH) {
    return { problem: "the worlds are nested too deep", expected: `at most ${MAX_DEPTH} worlds inside one another` };
  }
  if (room.left >= 0) return undefined;
  return { problem: "too many child worlds", expected: `at most ${MAX_WORLDS}, with those inside other child worlds` };
}

/** Child worlds by name. `Input` is the type of a world: this file cannot name it. */
/* @__NO_SIDE_EFFECTS__ */
export function worldsOf<Input>() {
  const of = unread<Input | SourceFile>({ anyOf: [FILE, { $ref: "#" }] });
  return namedValues(of, { flaw: textFlaw, json: TEXT.json });
}

type ReadSpec = (input: unknown, nesting: Nesting) => Parsed<WorldSpec>;

/** Reads child worlds with `read`. A world with errors has the value undefined. */
export function readWorlds(
  reader: SpecReader,
  given: ReadonlyMap<string, Field>,
  nesting: Nesting,
  read: ReadSpec,
): Map<string, WorldSpec | undefined> {
  const specs = new Map<string, WorldSpec | undefined>();
  for (const [name, at] of given) {
    const known = isParsed("world", at.value) ? (at.value as WorldSpec) : undefined;
    const flaw = known === undefined ? nestingFlaw(nesting) : nestingFlaw(nesting, ...sizeOf(known));
    if (flaw !== undefined) reader.report(at, flaw);
    const inner = { ...nesting, depth: nesting.depth + 1 };
    const { spec, issues = [] } = flaw === undefined && known === undefined ? read(at.value, inner) : { spec: known };
    for (const issue of issues) reader.add(issueWithin(at.path, issue));
    specs.set(name, spec);
  }
  return specs;
}

/** Returns the number of worlds in a world, itself included, and how many of them are inside one another. */
function sizeOf({ worlds }: WorldSpec): [count: number, height: number] {
  const sizes = [...worlds.values()].map(sizeOf);
  return [sizes.reduce((sum, [count]) => sum + count, 1), 1 + Math.max(0, ...sizes.map(([, height]) => height))];
}
