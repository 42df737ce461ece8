import type { Command } from "commander";
import { type Issue, RollmillError } from "../../index.js";
import { compileObjects } from "../../objects/compile.js";
import { checkObjectFiles } from "../../objects/index.js";
import { listConstants } from "../../objects/parse/constants.js";
import { define } from "../command.js";
import { reportIssues } from "../shared/documents.js";
import { type Io, note } from "../shared/io.js";
import { JSON_DOCUMENT } from "../shared/options.js";
import { withProgress } from "../shared/progress.js";
import { DIR, dirHead, parseObjectDir } from "./dir.js";
import { addObjectList } from "./list.js";
import { addObjectMake } from "./make.js";
import { addObjectOdds } from "./odds.js";
import { addObjectShow } from "./show.js";
import { addObjectStats } from "./stats.js";

const CHECKING = { what: "checking", unit: "records" } as const;

export function addObject(object: Command, io: Io): void {
  addObjectMake(object, io);
  addObjectOdds(object, io);
  addObjectStats(object, io);
  addObjectList(object, io);
  addObjectShow(object, io);
  define(object.command("check"), io, {
    examples: ["object check {data/dungeon}"],
    takes: [DIR],
    description: "list every error, and every record that can never occur in an object; exit 2 on an error",
    options: [JSON_DOCUMENT],
    run: async (flags, folder) => {
      await reportIssues(io, flags, { ...dirHead(io, folder, "check"), issues: await inspect(io, folder) });
    },
  });
}

async function inspect(io: Io, folder: string): Promise<readonly Issue[]> {
  const { spec, issues, format } = await parseObjectDir(io, folder);
  if (format !== undefined) note(io, `format: ${format}`);
  if (spec === undefined) return issues;
  const changed = listConstants(spec).filter(({ value, usual }) => value !== usual);
  if (changed.length > 0) {
    note(io, `constants: ${changed.map(({ path, value, usual }) => `${path} ${value} (usually ${usual})`).join(", ")}`);
  }
  try {
    compileObjects(spec);
  } catch (cause) {
    if (!(cause instanceof RollmillError)) throw cause;
    return [...issues, ...cause.issues];
  }
  const found = withProgress(io, CHECKING, (onProgress) => checkObjectFiles(spec, { onProgress }));
  return [...issues, ...found];
}
