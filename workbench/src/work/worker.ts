// The worker of the page: opens files, and makes what the page shows. It keeps the noun that it opened last.

import { RollmillError } from "../../../src/errors/index.js";
import type { Opened } from "./kinds/kind.js";
import { kindOf, open } from "./open.js";
import type { Ask, Asked, NounKind, Work } from "./protocol.js";
import { isSame, type Source } from "./source.js";

const ANSWERS: { readonly [Name in keyof Work]: (ask: Asked<Name>) => Promise<Work[Name]["answer"]> } = {
  async look({ source, before }) {
    const opened = await openLast(source);
    const kind = kindOf(source.files, source.file);
    using old = before && (await openBefore({ ...source, files: before }, kind));
    return { kind, issues: opened.issues, shown: opened.look(old) };
  },
  wait: async ({ source, result }) => able((await openLast(source)).wait)(result),
  target: async ({ source, result, chance }) => ({ text: await able((await openLast(source)).target)(result, chance) }),
  flow: async ({ source }) => able((await openLast(source)).flow)(),
  async plan({ source }) {
    const { bake } = await import("../../../src/plans/index.js");
    return { bytes: bake([(await openLast(source)).planned]) };
  },
  explain: async ({ source, at }) => ({ text: await able((await openLast(source)).explain)(at) }),
  part: async ({ source, part }) => able((await openLast(source)).part)(part),
  numbers: async ({ source }) => able((await openLast(source)).numbers)(),
  draw: async (ask) => able((await openLast(ask.source)).draw)(ask),
  region: async ({ source, i, j, layer }) => able((await openLast(source)).region)(i, j, layer),
  nearest: async ({ source, kind, from }) => able((await openLast(source)).nearest)(kind, from),
  cell: async ({ source, place }) => ({ lines: able((await openLast(source)).cell)(place) }),
  async sheet({ source, kind }) {
    using opened = await open(source);
    const found = kind === undefined ? undefined : able(opened.nearest)(kind, { row: 0, col: 0 });
    return { ...able(opened.region)(0, 0), distance: found?.distance };
  },
  digest: async ({ source, cells }) => ({ digest: able((await openLast(source)).digest)(cells) }),
};

addEventListener("message", async ({ data: { id, ask } }: MessageEvent<{ id: number; ask: Ask }>) => {
  try {
    // the casts are safe: the name decides the types of both
    const answer = await (ANSWERS[ask.name] as (ask: Ask) => Promise<Work[Ask["name"]]["answer"]>)(ask);
    postMessage({ id, answer }, { transfer: answer !== undefined && "cells" in answer ? [answer.cells.buffer] : [] });
  } catch (cause) {
    postMessage({ id, failure: { issues: issuesOf(cause) } });
  }
});

function issuesOf(cause: unknown) {
  if (cause instanceof RollmillError) return cause.issues;
  const message = cause instanceof Error ? cause.message : String(cause);
  return [{ code: "internal", severity: "error", message: `the workbench failed (${message})`, where: {} }];
}

let last: { readonly source: Source; readonly opened: Promise<Opened> } | undefined;

/** Opens the noun of a document, or returns it if it was the last one. */
async function openLast(source: Source): Promise<Opened> {
  if (last !== undefined && isSame(last.source, source)) return last.opened;
  const old = last?.opened.catch(() => undefined);
  last = { source, opened: open(source) };
  (await old)?.[Symbol.dispose]();
  return last.opened;
}

/** Opens the noun before the changes; undefined if it cannot be opened, or was of another kind. */
async function openBefore(source: Source, kind: NounKind): Promise<Opened | undefined> {
  try {
    return kindOf(source.files, source.file) === kind ? await open(source) : undefined;
  } catch {
    return undefined;
  }
}

/** The page asks only what the kind of noun can do. */
function able<Call>(call: Call | undefined): Call {
  if (call === undefined) throw new TypeError("this kind of noun cannot do this");
  return call;
}
