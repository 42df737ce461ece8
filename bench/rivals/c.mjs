// The textbook C rivals. They are compiled when the bench runs. Each runs as a child process and times its own loop
// (see c/rival.h).

import { execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync, statSync } from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const SOURCES = fileURLToPath(new URL("./c/", import.meta.url));
const LIBRARY = fileURLToPath(new URL("../../dist/c/", import.meta.url));
const BINARIES = fileURLToPath(new URL("../../build/bench/", import.meta.url));
const FLAGS = ["-O3", "-march=native"];
const COMMAND = process.env.CC ?? "cc";
const run = promisify(execFile);

/** The compiler for the report: its first version line and the flags, or null if there is no compiler. */
export async function describeCompiler() {
  try {
    const { stdout } = await run(COMMAND, ["--version"]);
    return `${stdout.split("\n")[0]}, ${FLAGS.join(" ")}`;
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw error;
  }
}

const built = new Map();

/** Compiles c/<program>.c, once per process, and returns the path of the binary. */
function build(program, defines) {
  const name = [program, ...defines].join("-").toLowerCase();
  if (!built.has(name)) built.set(name, compile(join(SOURCES, `${program}.c`), join(BINARIES, name), defines));
  return built.get(name);
}

function compile(source, binary, defines) {
  return compiled(binary, [...FLAGS, ...defines.map((define) => `-D${define}`), source]);
}

/** Runs the compiler, and returns the path of the binary. */
async function compiled(binary, args) {
  mkdirSync(BINARIES, { recursive: true });
  // compiled to a temporary name first, because another bench may be compiling or running the same program
  const fresh = `${binary}.${process.pid}`;
  await run(COMMAND, [...args, "-o", fresh]);
  await rename(fresh, binary);
  return binary;
}

/**
 * Compiles the C library of plan files with the flags of docs/engines.md, or returns null if it is not there. `engine` is
 * the program c/engine.c with the library, `shared` is the library for Python.
 */
export async function planLibrary() {
  const source = join(LIBRARY, "rollmill.c");
  if (!existsSync(source) || (await describeCompiler()) === null) return null;
  const flags = ["-O3", "-msse4.1", `-I${LIBRARY}`, "-lm"];
  const [engine, shared] = ["engine", "librollmill.so"].map((name) => join(BINARIES, name));
  const isOld = (binary) => !existsSync(binary) || statSync(binary).mtimeMs < statSync(source).mtimeMs;
  if (isOld(engine)) await compiled(engine, [join(SOURCES, "engine.c"), source, ...flags]);
  if (isOld(shared)) await compiled(shared, [source, "-shared", "-fPIC", ...flags]);
  return { engine, shared };
}

/** A running rival program. For each line that it reads, it writes one line. It ends when this process ends. */
class Conversation {
  constructor(command) {
    this.child = spawn(command[0], command.slice(1), { stdio: ["pipe", "pipe", "inherit"] });
    this.answers = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
    this.child.stdin.on("error", () => {}); // if the child has ended, `ask` gets no line and reports it
    this.child.unref();
  }

  async ask(command) {
    this.child.stdin.write(`${command}\n`);
    const { value, done } = await this.answers.next();
    if (done) throw new Error(`The C rival ended without an answer to "${command.slice(0, 60)}".`);
    return value;
  }
}

/** Increases the number of operations until one timing takes 10 ms, which is enough to estimate n for a target time. */
async function calibrate(conversation) {
  for (let n = 100_000; ; n *= 4) {
    const ns = Number((await conversation.ask(`time ${n}`)).split(" ")[0]);
    if (n * ns > 1e7) return ns;
  }
}

/**
 * A contender that runs c/<program>.c, loaded with `load`, or null if there is no compiler.
 * `count` converts the numbers that the program sends for a check to counts in the order of the case's law.
 */
export async function cRival(program, load, { count, name = "c", defines = [] } = {}) {
  if ((await describeCompiler()) === null) return null;
  return rival([await build(program, defines)], load, { count, name });
}

/** A contender that runs a program with the conversation of c/rival.h. */
export async function rival(command, load, { count, name }) {
  const conversation = new Conversation(command);
  await conversation.ask(`load ${load}`);
  let ns = 0;
  return {
    name,
    reference: name !== "c",
    async sample(draws, steps = 0) {
      const numbers = (await conversation.ask(`check ${draws} ${steps}`)).trim().split(" ").map(Number);
      return count ? count(numbers) : numbers;
    },
    async time(seconds) {
      ns ||= await calibrate(conversation);
      const n = Math.ceil((seconds * 1e9) / ns);
      ns = Number((await conversation.ask(`time ${n}`)).split(" ")[0]);
      return ns;
    },
  };
}
