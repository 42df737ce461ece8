import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { describe, expect, onTestFinished, test } from "vitest";
import { wholeProgram } from "../../src/cli/main.js";
import { processIo } from "../../src/cli/processIo.js";
import { folderWith, type Outcome, rollmill, shell } from "./rollmill.js";

const program = await wholeProgram(processIo());
/** The words of each command, such as ["table", "roll"]; first those of the program, none. */
const paths = pathsOf(program, []);

function pathsOf(command: Command, path: readonly string[]): (readonly string[])[] {
  return [path, ...command.commands.flatMap((one) => pathsOf(one, [...path, one.name()]))];
}

function commandAt(path: readonly string[]): Command {
  return path.reduce((command, name) => command.commands.find((one) => one.name() === name) ?? command, program);
}

/** The examples in the help of a command, for a folder. */
async function examplesOf(path: readonly string[], cwd: string): Promise<string[]> {
  const { stdout } = await rollmill([...path, "--help"], { cwd });
  const [, block = ""] = /^Examples?:\n((?: {2}.*\n)+)/m.exec(stdout) ?? [];
  return block.split("\n").flatMap((line) => (line === "" ? [] : [line.trim()]));
}

/** Runs a line that starts with `rollmill`, in this process unless it needs a shell. */
function run(line: string, cwd: string): Promise<Outcome> {
  if (/[<>|]/.test(line)) return shell(line, { cwd });
  const words = [...line.matchAll(/(["'])(.*?)\1|\S+/g)].map(([word, , quoted]) => quoted ?? word);
  if (words[1] !== "workbench") return rollmill(words.slice(1), { cwd });
  // this command serves until a signal
  let listener: ((signal: "SIGINT") => void) | undefined;
  const signals = (heard: typeof listener) => {
    listener = heard;
    return () => undefined;
  };
  return rollmill(words.slice(1), {
    cwd,
    signals,
    onStderr: (text) => {
      if (text.includes("Ctrl+C")) setTimeout(() => listener?.("SIGINT"));
    },
  });
}

describe("the examples of each --help", () => {
  const cwd = folderWith({});

  // in the order of the commands, because some examples use the files of earlier examples
  test.each(paths.map((path) => [["rollmill", ...path].join(" "), path] as const))("%s", async (name, path) => {
    const examples = await examplesOf(path, cwd);
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      expect(example.startsWith(name)).toBe(true);
      if (commandAt(path).commands.length > 0 && path.length > 0) continue;
      // needs a Redis; the tests of queues run such commands
      if (example.includes("--redis")) continue;
      const { code, stderr } = await run(example, cwd);
      expect(code, `${example}\n${stderr}`).toBe(0);
    }
  });

  test("name the files of the package from the current folder", async () => {
    const folder = mkdtempSync(join(tmpdir(), "a folder with spaces "));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [near] = await examplesOf(["table", "odds"], join(import.meta.dirname, "../.."));
    expect(near).toBe("rollmill table odds data/loot.2da --start 5");
    expect((await run((await examplesOf(["table", "odds"], folder))[0], folder)).code).toBe(0);
  });
});

describe("--json", () => {
  const withJson = paths.filter((path) => commandAt(path).options.some(({ long }) => long === "--json"));
  const cwd = folderWith({});

  test("almost every command takes it", () => {
    expect(withJson.length).toBeGreaterThanOrEqual(20);
  });

  test.each(withJson.map((path) => [path.join(" "), path] as const))("%s prints the document", async (name, path) => {
    if (path[1] === "word") await rollmill(["recipe", "tables", "import", "weapon", "--to", "words.json"], { cwd });
    if (path[1] === "merge") for (const part of await examplesOf(["walk", "run"], cwd)) await run(part, cwd);
    if (path[0] === "plan") for (const bake of await examplesOf(["bake"], cwd)) await run(bake, cwd);
    if (path[0] === "job") for (const start of await examplesOf(["job", "start"], cwd)) await run(start, cwd);
    const [example] = await examplesOf(path, cwd);
    const line = example.replace(" --seed moria", "");
    const { code, stdout, stderr } = await run(`${line} --json`, cwd);
    expect(code, stderr).toBe(0);
    const document = JSON.parse(stdout);
    const fields = ["stream", "command", "seed", "name"];
    expect(Object.keys(document).filter((key) => fields.includes(key) || key === "data")).toEqual([...fields, "data"]);
    // the seed of a job is in its folder
    const ofJob = /^rollmill job (?:status|verify)/.test(example) ? "moria" : null;
    const seed = line === example ? ofJob : expect.any(String);
    expect(document).toMatchObject({ stream: 2, command: name, seed });
    expect(document.name).toMatch(/./);
    const known = [...fields, "forks", "from", "now", "data", "refreshed"];
    expect(Object.keys(document).filter((key) => !known.includes(key))).toEqual([]);
    if (line === example) {
      expect(stderr).not.toContain("seed: ");
      return;
    }
    // the chosen seed repeats the results
    expect(stderr).toContain(`seed: ${document.seed}\n`);
    const again = document.now === undefined ? "" : ` --script-arg now=${document.now}`;
    const repeated = JSON.parse((await run(`${line} --json --seed ${document.seed}${again}`, cwd)).stdout);
    expect(repeated).toMatchObject({ seed: document.seed, data: document.data });
  });
});
