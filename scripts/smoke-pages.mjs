// Runs the shell lines of the packed pages where a newcomer runs them: in an empty folder beside the installed package,
// each page in a folder of its own, and each block after the ones above it. Compares what a command prints with the
// lines `# → ` below it, or with the block of JSON that follows.
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual, promisify } from "node:util";

/** The kinds of shell blocks that do not run here, and why. A page says `sh clone` in place of `sh`. */
const APART = {
  "sh clone": "needs a clone of the project; the tests and .ci/run run these lines",
  "sh queue": "needs a server; the tests of queues run one",
  "sh vite": "needs Vite and other packages; test/browser builds these pages",
};
/** This was just done, with the packed file in place of the registry. */
const INSTALL = /^npm install rollmill$/;
/** The pictures that the commands of a page make, and that the page shows. */
const PICTURES = {
  "README.md": { "map.png": "docs/gallery/highlands.png" },
  "docs/guide/lands.md": {
    "highlands.png": "docs/gallery/highlands.png",
    "vault.png": "docs/gallery/vault.png",
    "archipelago.png": "docs/gallery/archipelago.png",
  },
  "docs/worlds.md": { "close.png": "docs/gallery/endless-close.png" },
};
/** npx takes 400 ms of CPU. The smoke test of the package runs it; here, the command is called as npx calls it. */
const NPX = 'npx() { [ "$1" = rollmill ] || return 127; shift; "$ROLLMILL" "$@"; }\n';

/**
 * Runs the shell lines of some pages. Returns a line for each kind of block: how many commands ran, and what did not.
 *
 * @param installed - The folder whose `node_modules` has the package.
 * @param pages - Paths in the package.
 * @throws Error with everything that is not as the pages say.
 */
export async function runPages(installed, pages) {
  const home = join(installed, "node_modules", "rollmill");
  const waiting = pages.map((page) => ({ page, blocks: blocksOf(readFileSync(join(home, page), "utf8")) }));
  const all = waiting.flatMap(({ blocks }) => blocks);
  const problems = [];
  let count = 0;
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { ran, found } = await runPage(installed, next);
      problems.push(...found);
      count += ran;
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  if (problems.length > 0) throw new Error(`the pages and the package differ:\n${problems.join("\n")}`);
  const apart = Object.entries(APART).flatMap(([kind, reason]) => {
    const blocks = all.filter((block) => block.kind === kind).length;
    return blocks === 0 ? [] : [`${blocks} blocks "${kind}" not run: ${reason}`];
  });
  return [`${count} commands of ${pages.length} pages give what the pages say`, ...apart];
}

/** The fenced blocks of a page: the info string, such as `sh` or `json data`, the line, and the text. */
function blocksOf(page) {
  return [...page.matchAll(/^```([^\n`]+)\n(.*?)^```$/gms)].map((found) => ({
    line: page.slice(0, found.index).split("\n").length,
    kind: found[1],
    text: found[2],
  }));
}

/** Runs the commands of a page. Returns their number, and what is not as the page says. */
async function runPage(installed, { page, blocks }) {
  const folder = join(installed, "pages", page.replaceAll("/", "-"));
  mkdirSync(folder, { recursive: true });
  symlinkSync(join(installed, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), "{}");
  const found = [];
  let ran = 0;
  for (const [b, { kind, line, text }] of blocks.entries()) {
    if (/^sh\b/.test(kind) && kind !== "sh" && !(kind in APART)) found.push(`${page}:${line}: unknown kind "${kind}"`);
    if (kind !== "sh") continue;
    const commands = commandsOf(text);
    for (const [c, { command, wanted }] of commands.entries()) {
      if (INSTALL.test(command)) continue;
      ran++;
      const promise = promiseOf(wanted, c === commands.length - 1 ? blocks[b + 1] : undefined);
      const problem = await run(command, { folder, promise });
      if (problem !== undefined) found.push(`${page}:${line}: ${command}\n  ${problem}`);
    }
  }
  for (const [made, shown] of Object.entries(PICTURES[page] ?? {})) {
    const same = readFileSync(join(folder, made)).equals(
      readFileSync(join(installed, "node_modules", "rollmill", shown)),
    );
    if (!same) found.push(`${page}: ${made} is not the picture that the page shows, ${shown}`);
  }
  return { ran, found };
}

/** The commands of a block, each with the lines that `# → ` promises of it. */
function commandsOf(text) {
  const commands = [];
  for (const line of text.trimEnd().split("\n")) {
    const promise = /^# → (.*)$/.exec(line);
    if (promise !== null) commands.at(-1).wanted.push(promise[1]);
    else if (!line.startsWith("#")) commands.push({ command: line.replace(/ +# .*$/, ""), wanted: [] });
  }
  return commands;
}

/** What the output of a command must be, by the page. */
function promiseOf(wanted, next) {
  if (wanted.length > 0) return { read: (stdout) => stdout.trimEnd().split("\n"), wanted };
  if (next?.kind === "json output") return { read: JSON.parse, wanted: JSON.parse(next.text) };
  if (next?.kind === "json data") return { read: (stdout) => JSON.parse(stdout).data, wanted: JSON.parse(next.text) };
  return undefined;
}

/** Runs a command. Returns what is not as promised. */
async function run(command, { folder, promise }) {
  const env = { ...process.env, ROLLMILL: join(folder, "node_modules", ".bin", "rollmill") };
  const running = promisify(execFile)("sh", ["-c", NPX + command], { cwd: folder, env, maxBuffer: 2 ** 26 });
  const { stdout, stderr, code } = await running.catch((cause) => cause);
  if (code !== undefined) return `failed with ${code}: ${stderr}`;
  if (promise === undefined) return undefined;
  const got = promise.read(stdout);
  if (isDeepStrictEqual(got, promise.wanted)) return undefined;
  return `printed  ${JSON.stringify(got)}\n  expected ${JSON.stringify(promise.wanted)}`;
}
