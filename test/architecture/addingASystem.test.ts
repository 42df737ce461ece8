import { execFile } from "node:child_process";
import { appendFile, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import ts from "typescript";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "./sources.js";

const PAGE = "docs/adding-a-system.md";
const COPIED = [
  "assembly",
  "src",
  "scripts",
  "data",
  "test",
  "package.json",
  "asconfig.json",
  "vitest.config.ts",
  "tsconfig.json",
];

/** Whether a path belongs to the project, not to a package that test/runtimes installed. */
const isOwn = (path: string) => basename(path) !== "node_modules";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rollmill-page-"));
  for (const name of COPIED) await cp(join(ROOT, name), join(folder, name), { recursive: true, filter: isOwn });
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The file of the copy that a block of the page changes. */
const fileOf = (info: string) => join(folder, info.split(" ").at(-1) as string);

/** Applies one block of the page to the copy: its info string says to which file, and how. */
async function apply(info: string, text: string): Promise<void> {
  const [, how, ...rest] = info.split(" ");
  const path = fileOf(info);
  if (how === "new") {
    await mkdir(dirname(path), { recursive: true });
    return writeFile(path, text);
  }
  if (how === "append") return appendFile(path, text);
  const before = await readFile(path, "utf8");
  if (how === "top") return writeFile(path, text + before);
  expect(how).toBe("before");
  const method = before.indexOf(`\n  ${rest[0]}(`);
  const comment = before.lastIndexOf("\n  /**", method) + 1;
  expect(
    [method, comment].every((at) => at > 0),
    `${path} has the method ${rest[0]}`,
  ).toBe(true);
  return writeFile(path, `${before.slice(0, comment)}${text}\n${before.slice(comment)}`);
}

/** Runs a command in the copy; its output is in the failure. */
async function run(...[command, ...args]: readonly [string, ...string[]]): Promise<string> {
  try {
    return (await promisify(execFile)(command, args, { cwd: folder })).stdout;
  } catch (cause) {
    const { stdout, stderr } = cause as { stdout: string; stderr: string };
    throw new Error(`${command} ${args.join(" ")}\n${stdout}\n${stderr}`);
  }
}

/** The type errors of some files of src in the copy. */
function typeErrors(files: readonly string[]): string[] {
  const { config } = ts.readConfigFile(join(folder, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, folder);
  const program = ts.createProgram(files, options);
  return files
    .flatMap((file) => ts.getPreEmitDiagnostics(program, program.getSourceFile(file)))
    .map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`);
}

test("the page's example system builds, has no type error, and passes its test", async () => {
  const page = await readFile(join(ROOT, PAGE), "utf8");
  const blocks = [...page.matchAll(/^```(ts [^\n]+)\n(.*?)^```$/gms)];
  expect(blocks.length).toBeGreaterThan(10);
  for (const [, info, text] of blocks) await apply(info, text);
  await run(process.execPath, "scripts/build-kernel.mjs");
  const changed = [...new Set(blocks.map(([, info]) => fileOf(info)))];
  // of the changed files only: `npm run check:types` checks the others
  expect(typeErrors(changed.filter((path) => path.startsWith(join(folder, "src"))))).toEqual([]);
  const report = await run(process.execPath, "node_modules/vitest/vitest.mjs", "run", "test/coins", "--no-color");
  expect(report).toMatch(/Tests {2}\d+ passed/);
});
