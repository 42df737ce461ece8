#!/usr/bin/env node
import { note } from "./io.js";
import { main } from "./main.js";
import { processIo } from "./processIo.js";

const FAILED = 1;
const io = processIo();

// `main` sees each failed write of results itself; without a listener Node would end the process with a stack trace
process.stdout.on("error", () => undefined);
process.stderr.on("error", () => undefined);
let isDone = false;
process.once("beforeExit", () => {
  if (isDone) return;
  note(io, "the command cannot finish: a script module never finishes loading [table.unknown-script]");
  process.exitCode = FAILED;
});
void main(process.argv.slice(2), io).then((code) => {
  isDone = true;
  process.exitCode = code;
});
