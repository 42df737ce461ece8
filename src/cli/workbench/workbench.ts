import { existsSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import type { Command } from "commander";
import { define, type Flags, option } from "../command.js";
import { placeIn, readRecipe } from "../recipe/source.js";
import { type Io, note, pathIn, refuse } from "../shared/io.js";
import { integer, SEED } from "../shared/options.js";
import { serveWorkbench } from "./serve.js";

const MAX_PORT = 65_535;
const OPTIONS = [
  SEED,
  option("--port <number>", "port on 127.0.0.1 (default: any free port)", integer(0, MAX_PORT), 0),
  option("--read-only", "refuse to save files"),
  option(
    "--tables <place>",
    "open a recipe with the words of this place: folder of CSV files, .json or .sqlite file, or URL: postgres://…, " +
      "mysql://…; others propose words, and you decide",
  ),
  option(
    "--origin <url>",
    "with --tables: the address at which a proxy serves the page, such as https://forge.example",
  ),
] as const;
type WorkbenchFlags = Flags<typeof OPTIONS>;

export function addWorkbench(command: Command, io: Io): void {
  define(command, io, {
    examples: [
      "workbench {examples/loot.csv}",
      "workbench {examples/endless.json} --seed moria",
      "workbench weapon --tables words.json",
    ],
    takes: [
      [
        "[file]",
        "a file to begin with, whose folder is served too; a folder; or a job (default: the current folder); with --tables, a " +
          "recipe: its file, or the name of a shipped one",
      ],
    ],
    options: OPTIONS,
    run: (flags, given) => (flags.tables === undefined ? serveFolder(io, flags, given) : serveWords(io, flags, given)),
  });
}

async function serveFolder(io: Io, { seed, port, readOnly = false, origin }: WorkbenchFlags, given = ".") {
  if (origin !== undefined) refuse("--origin needs --tables: the files of a folder are for this machine only");
  const path = resolve(pathIn(io, given));
  if (!existsSync(path)) refuse("the file or folder does not exist", { got: given });
  const isFolder = statSync(path).isDirectory();
  const folder = isFolder ? path : dirname(path);
  const first = isFolder ? undefined : basename(path);
  const served = await serveWorkbench({ folder, first, seed, port, canSave: !readOnly });
  note(io, `the workbench is at ${served.url} (Ctrl+C ends it)`);
  await untilSignal(io);
  await served.close();
}

async function serveWords(io: Io, { seed = "moria", port, tables = "", ...flags }: WorkbenchFlags, given?: string) {
  if (given === undefined) refuse("--tables needs a recipe", { expected: "its file, or a name such as weapon" });
  const origin = flags.origin === undefined ? undefined : originOf(flags.origin);
  const { name, spec } = await readRecipe(io, given, { recipe: undefined });
  const { Forge } = await import("./forge.js");
  const place = placeIn(io, tables);
  const report = (problem: string) => note(io, problem);
  const words = await Forge.open({ place, name, spec, seed, isBehindProxy: origin !== undefined, report });
  const served = await serveWorkbench({ words, port, origin });
  const url = origin === undefined ? served.url : `${origin}/`;
  note(io, `the author's page, keep this address secret: ${url}#author=${words.secret}`);
  if (origin !== undefined) note(io, `the proxy of ${origin} has to forward to ${served.url}`);
  note(io, `the page for everybody is at ${url} (Ctrl+C ends it)`);
  await untilSignal(io);
  await served.close();
}

/** Throws `cli.usage`. */
function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin = url !== undefined && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  if (isOrigin) return url.origin;
  return refuse("invalid --origin", {
    got: text,
    expected: "a scheme, a host and perhaps a port: https://forge.example",
  });
}

async function untilSignal(io: Io): Promise<void> {
  await new Promise<void>((done) => {
    const stop = io.onSignal?.(() => {
      stop?.();
      done();
    });
  });
}
