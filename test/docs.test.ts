import { exec } from "node:child_process";
import { readdirSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createMill, parseLabels, parsePools, parseRecipe, parseTable, parseWalk } from "../src/index.js";
import { parseJob, planJob } from "../src/jobs/index.js";
import { TYPES } from "../src/objects/law/tvals.js";
import { FLAGS } from "../src/objects/parse/flags.js";
import { GAMEDATA_FLAGS } from "../src/objects/parse/gamedata/codes.js";
import { checkWorld } from "../src/worlds/index.js";
import { declarationsIn, publicCalls } from "./architecture/publicCalls.js";
import { rollmill } from "./cli/rollmill.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const GUIDE = readdirSync(join(root, "docs/guide")).map((name) => `docs/guide/${name}`);
const FORMATS = readdirSync(join(root, "docs/formats")).map((name) => `docs/formats/${name}`);
const PAGES = [
  "README.md",
  ...GUIDE,
  "docs/worlds.md",
  "docs/engines.md",
  "docs/cluster.md",
  "docs/jobs.md",
  ...FORMATS,
  "docs/coming-from-dungeon-hopper.md",
  "examples/README.md",
];

/** The sources of what package.json exports. */
const { exports } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
const ENTRIES = Object.keys(exports)
  .filter((path) => exports[path].default && !path.endsWith(".js"))
  .map((path) => `src/${path === "." ? "" : `${path.slice(2)}/`}index.ts`);

/** A fenced block: its info string, such as `ts` or `json walk`, and the line that it begins on. */
interface Block {
  readonly page: string;
  readonly line: number;
  readonly kind: string;
  readonly text: string;
}

async function blocksOf(page: string): Promise<Block[]> {
  const text = await readFile(join(root, page), "utf8");
  return [...text.matchAll(/^```([^\n`]+)\n(.*?)^```$/gms)].map((found) => ({
    page,
    line: text.slice(0, found.index).split("\n").length,
    kind: found[1],
    text: found[2],
  }));
}

const blocks = (await Promise.all(PAGES.map(blocksOf))).flat();
const ofKind = (kind: string) =>
  blocks.filter((block) => block.kind === kind).map((block) => [`${block.page}:${block.line}`, block] as const);

// workers run JavaScript only
vi.mock("../src/threads/index.js", () => import(new URL("../dist/threads/index.js", import.meta.url).href));

/** The calls that no snippet can run, and why. The blocks `ts queue` show them, and are checked for types. */
const NOT_RUN: { readonly [call: string]: string } = Object.fromEntries(
  ["runOnQueue", "startWorker", "submitJob", "queueStatus", "QueueWorker.close"].map((call) => [
    call,
    "needs a Redis or a PostgreSQL; test/jobs/queue starts one",
  ]),
);

describe("TypeScript snippets", () => {
  const folder = join(root, `out/snippets-${process.pid}`);
  const written = (kind: string, stem: string) =>
    ofKind(kind).map(([place, block], i) => ({ place, block, file: join(folder, `${stem}${i}.ts`) }));
  const snippets = written("ts", "snippet");
  const notRun = written("ts queue", "queue");
  let made: ts.Program | undefined;
  /** The snippets with the sources that they import. It takes seconds, so only the tests that need it make it. */
  const program = () => {
    const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
    const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
    const files = [...snippets, ...notRun].map(({ file }) => file);
    made ??= ts.createProgram([...files, ...ENTRIES.map((entry) => join(root, entry))], {
      ...options,
      noUnusedLocals: false,
    });
    return made;
  };
  beforeAll(async () => {
    await mkdir(folder, { recursive: true });
    for (const { block, file } of [...snippets, ...notRun]) await writeFile(file, asserted(block.text, dirname(file)));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test("there are some", () => {
    expect(snippets.length).toBeGreaterThanOrEqual(2);
  });

  test("have no type error", () => {
    // of the snippets only: `npm run check:types` checks the sources
    const found = [...snippets, ...notRun]
      .flatMap(({ file }) => ts.getPreEmitDiagnostics(program(), program().getSourceFile(file)))
      .map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`);
    expect(found).toEqual([]);
  });

  test("show every public function, method and getter", () => {
    const shownIn = (group: typeof snippets) => new Set(group.flatMap(({ file }) => declarationsIn(program(), file)));
    const absentFrom = (shown: ReadonlySet<ts.Declaration>) =>
      publicCalls(program(), ENTRIES).filter(({ declarations }) => !declarations.some((one) => shown.has(one)));
    const names = absentFrom(shownIn(snippets)).map(({ name }) => name);
    const missing = "write a snippet in the section Calls of the noun's page, or an exception with its reason";
    expect(names.toSorted(), missing).toEqual(Object.keys(NOT_RUN).toSorted());
    expect(
      absentFrom(shownIn([...snippets, ...notRun])).map(({ name }) => name),
      missing,
    ).toEqual([]);
  });

  test.each(snippets.map(({ place, file }) => [place, file] as const))(
    "%s does what its comments say",
    async (_, file) => {
      vi.stubGlobal("fetch", async () => {
        const headers = { "content-type": "application/wasm" };
        return new Response(await readFile(join(root, "dist/kernel.wasm")), { headers });
      });
      vi.stubGlobal("expectValue", (got: unknown, wanted: unknown) => expect(got).toEqual(wanted));
      await import(/* @vite-ignore */ pathToFileURL(file).href);
    },
  );
});

/** A snippet with the library's sources for `rollmill`, and each `value; // → wanted` made a check. */
function asserted(text: string, folder: string): string {
  const to = (path: string) => relative(folder, join(root, path));
  const code = text
    .replace(/from "rollmill"/g, `from "${to("src/index.js")}"`)
    .replace(/from "rollmill\/(\w+)"/g, (_, part: string) => `from "${to(`src/${part}/index.js`)}"`)
    .replace(
      /^((?:const (\w+) = )?)(.+); \/\/ → (.+)$/gm,
      (_, head: string, name: string, value: string, wanted: string) =>
        head === "" ? `expectValue(${value}, ${wanted});` : `${head}${value}; expectValue(${name}, ${wanted});`,
    );
  expect(code, "a promise that is not checked").not.toContain("→");
  return `declare function expectValue(got: unknown, wanted: unknown): void;\n${code}\nexport {};\n`;
}

describe("shell lines", () => {
  test("every output on a page stands behind the command that prints it", () => {
    // scripts/smoke-package.mjs runs the commands of all pages, and compares what they print
    for (const [place, block] of [...ofKind("json output"), ...ofKind("json data")])
      expect(blocks[blocks.indexOf(block) - 1].kind, place).toBe("sh");
  });
});

describe("what the pages show as input is accepted without a warning", () => {
  test.each(ofKind("json walk"))("%s is a walk", (_, { text }) => {
    expect(parseWalk(JSON.parse(text)).issues).toEqual([]);
  });

  test.each(ofKind("json world"))("%s is a world", (_, { text }) => {
    expect(checkWorld(JSON.parse(text))).toEqual([]);
    createMill({ seed: 1 }).world("shown", JSON.parse(text));
  });

  test.each(ofKind("json job"))("%s is a job, and stands in examples", async (_, { text }) => {
    expect(parseJob(JSON.parse(text)).issues).toEqual([]);
    expect((await planJob(JSON.parse(text))).phases.length).toBeGreaterThan(0);
    expect(text).toBe(await readFile(join(root, "examples/job.json"), "utf8"));
  });

  test.each(ofKind("json pools"))("%s is a family of pools", (_, { text }) => {
    expect(parsePools(JSON.parse(text)).issues).toEqual([]);
    createMill({ seed: 1 }).pools("shown", JSON.parse(text));
  });

  test.each(ofKind("json recipe"))("%s is a recipe, and stands in examples", async (_, { text }) => {
    expect(parseRecipe(JSON.parse(text)).issues).toEqual([]);
    expect(text).toBe(await readFile(join(root, "examples/armory/charm.json"), "utf8"));
  });

  test.each(ofKind("json limit"))("%s is a limit, and stands in examples", async (_, { text }) => {
    const read = (name: string) => readFile(join(root, `data/dungeon/${name}.txt`), "utf8");
    const [object, objectBase, egoItem] = await Promise.all(["object", "object_base", "ego_item"].map(read));
    const [egoThemes, artifact] = await Promise.all(["ego_themes", "artifact"].map(read));
    const maker = createMill({ seed: 1 }).objects("shown", { object, objectBase, egoItem, egoThemes, artifact });
    expect(maker.make({ level: 1, limit: JSON.parse(text) }).index).toBe(0);
    expect(text).toBe(await readFile(join(root, "examples/limit.json"), "utf8"));
  });

  test.each(ofKind("json list"))("%s is a list", (_, { text }) => {
    expect(parseLabels(JSON.parse(text)).issues).toEqual([]);
  });

  test.each(ofKind("json table"))("%s is a table", (_, { text }) => {
    expect(parseTable(JSON.parse(text)).issues).toEqual([]);
  });

  test.each(ofKind("text").filter(([, { text }]) => text.startsWith("2DA")))("%s is a 2DA of rolls", (_, { text }) => {
    expect(parseTable(text).issues).toEqual([]);
  });
});

describe("the pages are whole", () => {
  test("the map of the tests has every folder and every file beside it", async () => {
    const page = await readFile(join(root, "test/README.md"), "utf8");
    const entries = await readdir(join(root, "test"), { withFileTypes: true });
    const wanted = entries
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
      .filter((name) => /\/$|\.test\.ts$/.test(name));
    const rows = page.split("\n").filter((line) => line.startsWith("|"));
    const mapped = rows.flatMap((row) => [...row.split("|")[1].matchAll(/`([^`]+)`/g)].map((found) => found[1]));
    expect(mapped.toSorted()).toEqual(wanted.toSorted());
  });

  test("the README's digest is that of the small example of npm start", async () => {
    const out = await mkdtemp(join(tmpdir(), "rollmill-start-"));
    const command = `"${process.execPath}" examples/world.mjs examples/small.json --out "${join(out, "small")}"`;
    const { stdout } = await promisify(exec)(command, { cwd: root });
    await rm(out, { recursive: true });
    const digests = (text: string) => text.match(/[0-9a-f]{64}/g);
    expect(digests(stdout)).toHaveLength(1);
    expect(digests(await readFile(join(root, "README.md"), "utf8"))).toEqual(digests(stdout));
  });

  test("the page of calls has every function and class of the package, and no others", async () => {
    const modules = await Promise.all(ENTRIES.map((entry) => import(/* @vite-ignore */ `../${entry}`)));
    const exported = new Set(modules.flatMap((module) => Object.keys(module)));
    const page = await readFile(join(root, "docs/guide/api.md"), "utf8");
    const named = new Set([...page.matchAll(/`([A-Za-z_]+)`/g)].map(([, name]) => name));
    expect([...exported].filter((name) => !named.has(name))).toEqual([]);
    const members = ["odds", "columns", "code", "issues"];
    expect(
      [...named].filter((name) => !exported.has(name) && !members.includes(name) && !/^rollmill/.test(name)),
    ).toEqual([]);
  });

  test("every code of an issue is explained once, and no other", async () => {
    const source = await readFile(join(root, "src/errors/codes.ts"), "utf8");
    const codes = [...source.matchAll(/^ {2}\| "([^"]+)"/gm)].map((found) => found[1]);
    const page = await readFile(join(root, "docs/formats/errors.md"), "utf8");
    const explained = [...page.slice(page.indexOf("## Codes")).matchAll(/^\| `([^`]+)` +\|/gm)].map(
      (found) => found[1],
    );
    expect(codes.length).toBeGreaterThan(40);
    expect(explained).toEqual(codes);
  });

  test("the tvals and the built-in flags are those of the library, the flags in its order", async () => {
    const page = await readFile(join(root, "docs/formats/objects.md"), "utf8");
    const [, text] = /^## Edit files$(.*?)^## /ms.exec(page) ?? ["", ""];
    const flags = [...text.matchAll(/^\| `([A-Z]+)` \| (`.*`) \|$/gm)].flatMap(([, type, names]) =>
      names.split(", ").map((name) => ({ name: name.slice(1, -1), type })),
    );
    expect(flags).toEqual([...FLAGS, ...GAMEDATA_FLAGS]);
    const tvals = [...text.matchAll(/(?<=\| )(\d+) \| ([a-z ]+)(?= \|)/g)].map(([, tval, word]) => [
      word,
      Number(tval),
    ]);
    expect(tvals).toHaveLength(35);
    expect(new Map(tvals as [string, number][])).toEqual(new Map(TYPES.map(({ word, tval }) => [word, tval])));
  });

  test("the pages and the help say that --script runs code with your rights", async () => {
    for (const page of ["README.md", "docs/formats/tables.md"]) {
      const text = (await readFile(join(root, page), "utf8")).replace(/\s+/g, " ");
      expect(text).toMatch(
        /`--script FILE\.js`[^.]* runs the code of [^.]*(?:with your rights|with the rights of your user)/,
      );
    }
    for (const verb of ["roll", "odds", "check"]) {
      const { stdout } = await rollmill(["table", verb, "--help"]);
      expect(stdout.replace(/\s+/g, " ")).toContain("its code runs with your rights");
    }
  });

  test("every option of a command is on a page", async () => {
    const pages = await Promise.all(PAGES.map((page) => readFile(join(root, page), "utf8")));
    const { stdout } = await rollmill(["completion", "bash"]);
    const options = new Set(stdout.match(/--[a-z][a-z0-9-]+/g));
    expect(options.size).toBeGreaterThan(80);
    const named = new Set(pages.join("\n").match(/--[a-z][a-z0-9-]+/g));
    expect([...options].filter((option) => !named.has(option))).toEqual([]);
  });

  test("the differences from the game are a table, and each has a reason", async () => {
    const page = await readFile(join(root, "docs/formats/objects.md"), "utf8");
    const [, section] = /^### Differences from Angband$(.*?)^##/ms.exec(page) ?? ["", ""];
    const [head, , ...rows] = [...section.matchAll(/^\| (.*) \|$/gm)].map(([, row]) => row.split(" | "));
    expect(head).toEqual(["subject", "the game", "Rollmill", "reason"]);
    expect(rows.length).toBeGreaterThan(10);
    for (const row of rows) expect(row.filter((cell) => cell.trim() !== "")).toHaveLength(4);
  });
});

describe("figures in nanoseconds and microseconds", () => {
  const FIGURE = /\d+(?:\.\d+)? ?(?:[nµμ]s|nanoseconds?|microseconds?)(?!\w)/;

  /** The lines that have one, as file:line. */
  async function offenders(paths: readonly string[]): Promise<string[]> {
    const found = await Promise.all(
      paths.map(async (path) => {
        const lines = withoutTable(await readFile(join(root, path), "utf8")).split("\n");
        return lines.flatMap((line, i) => (FIGURE.test(line) ? [`${path}:${i + 1}: ${line.trim()}`] : []));
      }),
    );
    return found.flat();
  }

  async function filesBelow(folder: string, ending: RegExp): Promise<string[]> {
    const names = await readdir(join(root, folder), { recursive: true });
    return names.filter((name) => ending.test(name)).map((name) => join(folder, name));
  }

  test("are in the generated table of the README, with machine, Node, compiler and date", async () => {
    const readme = await readFile(join(root, "README.md"), "utf8");
    const table = readme.slice(readme.indexOf(TABLE_BEGIN), readme.indexOf(TABLE_END));
    expect(table).toMatch(/\| nanoseconds an operation \|/);
    expect(table.match(/^\| .+ \| [\d.]+ \| /gm)?.length).toBeGreaterThanOrEqual(10);
    expect(table).toMatch(/on \d{4}-\d\d-\d\d, Rollmill \d.*: one core of .+ Node \d+\.\d+\.\d+, .*-O3/s);
  });

  test("are nowhere else in the pages", async () => {
    const pages = ["README.md", ...(await filesBelow("docs", /\.md$/)), ...(await filesBelow("examples", /\.md$/))];
    expect(await offenders(pages)).toEqual([]);
  });

  test("are in no comment of the sources", async () => {
    const sources = await Promise.all(["src", "assembly"].map((folder) => filesBelow(folder, /\.ts$/)));
    // the generated texts of the kernel's bytes have no comments, but any characters
    const commented = sources.flat().filter((file) => !file.startsWith(join("src", "kernel", "bytes")));
    expect(await offenders(commented)).toEqual([]);
  });
});

const TABLE_BEGIN = "<!-- bench:begin -->";
const TABLE_END = "<!-- bench:end -->";

/** A page with the lines of the generated table blanked. */
function withoutTable(text: string): string {
  const [begin, end] = [text.indexOf(TABLE_BEGIN), text.indexOf(TABLE_END)];
  if (begin < 0 || end < begin) return text;
  return text.slice(0, begin) + text.slice(begin, end).replace(/[^\n]/g, "") + text.slice(end);
}
