import { existsSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import type { Command } from "commander";
import { define, option } from "../command.js";
import { type Io, note, pathIn, refuse } from "../shared/io.js";
import { integer, SEED } from "../shared/options.js";
import { serveWorkbench } from "./serve.js";

const MAX_PORT = 65_535;

export function addWorkbench(command: Command, io: Io): void {
  define(command, io, {
    examples: ["workbench {examples/loot.csv}", "workbench {examples/endless.json} --seed moria"],
    takes: [["[file]", "a file to begin with, whose folder is served too; or a folder (default: the current folder)"]],
    options: [
      SEED,
      option("--port <number>", "port on 127.0.0.1 (default: any free port)", integer(0, MAX_PORT), 0),
      option("--read-only", "refuse to save files"),
    ],
    async run({ seed, port, readOnly = false }, given = ".") {
      const path = resolve(pathIn(io, given));
      if (!existsSync(path)) refuse("the file or folder does not exist", { got: given });
      const isFolder = statSync(path).isDirectory();
      const folder = isFolder ? path : dirname(path);
      const first = isFolder ? undefined : basename(path);
      const served = await serveWorkbench({ folder, first, seed, port, canSave: !readOnly });
      note(io, `the workbench is at ${served.url} (Ctrl+C ends it)`);
      await new Promise<void>((done) => {
        const stop = io.onSignal?.(() => {
          stop?.();
          done();
        });
      });
      await served.close();
    },
  });
}
