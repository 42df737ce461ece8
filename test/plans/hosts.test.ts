// The C library of plan files, and the hosts that use it, give the results of the JavaScript library.
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { bake, type PlanNoun, type PlanRequest } from "../../src/plans/index.js";
import { specOf } from "../../src/spec/index.js";
import { loadWorld, type World } from "../../src/worlds/index.js";
import { DUNGEON } from "../objects/dungeon.js";
import { IS_SOAK } from "../soak.js";
import { Host } from "./host.js";
import {
  BUILDS,
  type Case,
  CHECKED,
  CHECKED_LIBRARY,
  HOSTS,
  LANGUAGES,
  missing,
  page,
  root,
  STRICT,
} from "./hostCases.js";
import { COUNT, expectedWords, listOf, mutantsOf, nameOf, type Opened, openNouns, SEED, smallPlans } from "./nouns.js";
import { RECTANGLES, wordsOf } from "./worlds.js";

function openExamples() {
  const read = (name: string) => readFileSync(join(root, "examples", name), "utf8");
  const mill = createMill({ seed: SEED });
  const loot = mill.table("loot", read("loot.csv"), { file: "loot.csv", files: { "gems.csv": read("gems.csv") } });
  return { loot, pools: mill.pools("pools", JSON.parse(read("pools.json"))) };
}

/** The map that docs/engines.md prints. */
function mapOf(coast: World): string {
  const { terrain, placements, cols } = coast.window({ row0: 40, col0: 260, rows: 12, cols: 40 });
  const signs = Array.from(terrain, (code) => "~s.^f-"[code]);
  for (const { row, col, kind } of placements) if (kind === "village") signs[(row - 40) * cols + col - 260] = "V";
  const lines = Array.from({ length: 12 }, (_, i) => signs.slice(i * cols, (i + 1) * cols).join(" "));
  return lines.map((line, i) => `${i % 2 === 1 ? " " : ""}${line}\n`).join("");
}

/** The SHA-256 of the walks and worlds of nouns.ts. */
function mapsDigest(): string {
  const hash = createHash("sha256");
  for (const noun of openNouns().worlds) for (const words of wordsOf(noun, SEED)) hash.update(Uint32Array.from(words));
  return hash.digest("hex");
}

/** What the examples print. */
function exampleText(): string {
  const { loot, pools } = openExamples();
  const { ids, quantities } = loot.fork("player/7").rollMany(5);
  const { records } = pools.pool("i").drawMany(3);
  let digest = 2166136261;
  for (const roll of loot.rollMany(1_000_000).ids) digest = Math.imul(digest ^ roll, 16777619);
  return [
    ...Array.from(ids, (id, k) => `roll ${id} x ${quantities?.[k]}\n`),
    ...Array.from(records, (record) => `draw ${record}, again ${record}\n`),
    `digest ${(digest >>> 0).toString(16).padStart(8, "0")}\n`,
  ].join("");
}

/**
 * The plans from which every case makes results, and how many of each noun. A roll in a row of 40,000 columns takes five
 * hundred times as long as the other results, so there are fewer of them.
 */
const PLANS: readonly (readonly [name: string, count: number])[] = IS_SOAK
  ? [
      ["game.plan", COUNT],
      ["quick.plan", 10_000_000],
    ]
  : [["game.plan", COUNT / 5]];

/** The nouns of a plan. Walks and worlds have calls and a test of their own. */
function openPlan(plan: string): Opened {
  const opened = { ...openNouns(), worlds: [] };
  return only(opened, (noun) => plan === "game.plan" || !["wide", "scraps"].includes(nameOf(noun)));
}

function only({ mill, ...kinds }: Opened, keeps: (noun: PlanNoun | PlanRequest) => boolean): Opened {
  const kept = Object.entries(kinds).map(([kind, nouns]) => [kind, (nouns as PlanNoun[]).filter(keeps)]);
  return { mill, ...Object.fromEntries(kept) };
}

/** The nouns of a plan one at a time; but the makers of objects together, because some share a stock of artifacts. */
function partsOf(opened: Opened): Opened[] {
  const alone = listOf({ ...opened, objects: [] }).map((noun) => only(opened, (one) => one === noun));
  return [...alone, { ...only(opened, () => false), objects: opened.objects }];
}

/** The SHA-256 of all results. Takes the nouns one at a time, because many results of all do not fit into the memory. */
function digestOf(
  resultsOf: (alone: Opened, count: number) => readonly (Uint32Array | Int32Array)[],
  said = (_: Opened) => {},
): string {
  const hash = createHash("sha256");
  for (const [plan, count] of PLANS) {
    const opened = openPlan(plan);
    for (const alone of partsOf(opened)) for (const words of resultsOf(alone, count)) hash.update(words);
    said(opened);
  }
  return hash.digest("hex");
}

/** What a program of test/plans/hosts says after it has made the results of a plan. */
function saidOf({ dice, pools }: Opened): string {
  const draws = pools[0].pool("i.odd").drawMany(9).records.join(" ");
  return `${dice[0].fork("é/7").fork(-5).fork([-1, 2]).rollMany(5).join(" ")}
${draws}
${draws}
{"labels":["gold","arrow",null]}
not a state, or a damaged one
the plan has no such noun
`;
}

/** What test/plans/hosts/python/refused.py prints. */
function refusedInPython(): string {
  const opened = openPlan("game.plan");
  const names = (nouns: readonly (PlanNoun | PlanRequest)[]) => nouns.map(nameOf).join(", ");
  const made = names(listOf({ ...opened, pools: [] }));
  return `ValueError the mill is closed
ValueError the mill is closed
ValueError the mill is closed
TypeError the seed is None; expected a text or a whole number
TypeError the seed is 7.5; expected a text or a whole number
LookupError 'bag' is pools; this call is for: ${made}
LookupError 'hp' is dice; this call is for: chest, hoard, trove
LookupError 'hp' is dice; this call is for: ${names(opened.pools)}
LookupError 'nothing' is not in the plan; this call is for: ${made}
ValueError 18446744073709551616 is out of range
ValueError 9223372036854775808 is out of range
FileNotFoundError absent.so missing: compile it in the folder of rollmill.c: cc -O3 -shared -fPIC rollmill.c -o librollmill.so -lm
`;
}

let folder: string;
const at = (name: string) => join(folder, name);

/**
 * The commands of the page that compile the library as a shared one, or as an object. They run once, because they take
 * longer than the tests.
 */
const LIBRARY_LINES = /^cc .*(?:-shared|-c rollmill\.c).*$/gm;
const LIBRARY = `gcc ${STRICT} -O2 -fPIC -c rollmill.c\ngcc -shared rollmill.o -o librollmill.so -lm`;
/** A program that is compiled with the library. Only the whole run compiles the library for it. */
const PROGRAM_LINES = /^(cc .*\.c) rollmill\.c /gm;

/** Runs a script in a copy of dist/c, where the page runs its commands. Returns what it writes to stderr. */
async function run(script: string, take: (chunk: Buffer) => void): Promise<string> {
  const cwd = mkdtempSync(at("dist/c-"));
  cpSync(at("c"), cwd, { recursive: true });
  const compiled = script.replaceAll(LIBRARY_LINES, ":");
  const child = spawn("bash", ["-ec", IS_SOAK ? compiled : compiled.replaceAll(PROGRAM_LINES, "$1 rollmill.o ")], {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const closed = once(child, "close");
  const said = text(child.stderr);
  for await (const chunk of child.stdout) take(chunk);
  const [code] = await closed;
  if (code !== 0) throw new Error(`${script}\nhas the exit code ${code}: ${await said}`);
  return said;
}

async function printed(script: string): Promise<string> {
  const chunks: Buffer[] = [];
  await run(script, (chunk) => chunks.push(chunk));
  return String(Buffer.concat(chunks));
}

const table: string[] = [];
/** Cases that run, and those that wait: two run at once. */
let running = 0;
const waiting: (() => void)[] = [];

/** A test that also writes a row of the table of `npm run test:hosts`. */
function timed({ name, needs }: Omit<Case, "script">, check: () => Promise<void>): void {
  const absent = missing(...needs);
  const row = (outcome: string, seconds = "") => table.push(`${name.padEnd(82)} ${outcome.padEnd(6)} ${seconds}`);
  if (absent) row(`not tested: ${absent}`);
  test.skipIf(absent)(absent ? `${name}: ${absent}` : name, { concurrent: IS_SOAK, timeout: 6_000_000 }, async () => {
    if (running++ >= 2) await new Promise<void>((resolve) => waiting.push(resolve));
    const start = performance.now();
    let outcome = "FAILED";
    try {
      await check();
      outcome = "passed";
    } finally {
      running--;
      waiting.shift()?.();
      row(outcome, ((performance.now() - start) / 1000).toFixed(1).padStart(6));
    }
  });
}

const absent = missing();
const small = Object.entries(smallPlans(openNouns()));
describe.skipIf(absent)(absent ? `outside JavaScript: ${absent}` : "outside JavaScript", () => {
  let digest: string;
  let said = "";

  beforeAll(() => {
    digest = digestOf(expectedWords, (opened) => {
      said += saidOf(opened);
    });
    folder = mkdtempSync(join(tmpdir(), "hosts-"));
    mkdirSync(at("dist"));
    for (const from of ["hosts", "test/plans/hosts"]) cpSync(join(root, from), at("hosts"), { recursive: true });
    cpSync(join(root, "test/plans/probe.c"), at("hosts/c/check.c"));
    execFileSync(process.execPath, [join(root, "scripts", "build-c.mjs"), at("c")]);
    execFileSync("bash", ["-ec", `${CHECKED_LIBRARY}\n${LIBRARY}`], { cwd: at("c") });
    for (const [plan] of PLANS) writeFileSync(at(plan), bake(listOf(openPlan(plan))));
    for (const [name, plan] of small) writeFileSync(at(`${name}.plan`), plan);
    writeFileSync(at("maps.plan"), bake(openNouns().worlds));
    const refused = listOf(openPlan("game.plan")).filter((noun) => nameOf(noun) !== "scraps");
    writeFileSync(at("refused.plan"), bake([...refused, openNouns().mill.sample("big", 2 ** 22)]));
    writeFileSync(at("examples.plan"), bake(Object.values(openExamples())));
  });

  afterAll(() => {
    if (!IS_SOAK) return;
    const counts = PLANS.map(([plan, count]) => `${count.toLocaleString("en")} of each noun of ${plan}`).join(", ");
    const head = `Results: ${counts}. Two cases run at once; the seconds contain the compiling. A case with results passes if they are equal.`;
    const rest = `${"Windows, MSVC, .NET, Unity, Godot".padEnd(82)} not tested: they are not on this machine`;
    process.stderr.write(`\n${[head, ...table, rest].join("\n")}\n`);
  });

  timed({ name: "the kernel in V8", needs: [] }, async () => {
    expect(digestOf((alone, count) => new Host(bake(listOf(alone))).all(count))).toBe(digest);
  });

  for (const one of [...BUILDS, ...HOSTS]) {
    timed(one, async () => {
      const lines = one.script.split("\n");
      const last = lines.pop() ?? "";
      const hash = createHash("sha256");
      const runs = PLANS.map(([plan, count]) => `${last.replace("game.plan", plan)} ${count}`);
      const errors = await run([...lines, ...runs].join("\n"), (chunk) => hash.update(chunk));
      expect(hash.digest("hex")).toBe(digest);
      if (HOSTS.includes(one)) expect(errors).toContain(exampleText() + (one.needs.includes("gcc") ? "" : said));
    });
  }

  test.each(LANGUAGES)("$name: the code of the page is in the example", ({ file }) => {
    const extension = extname(file).slice(1);
    const fence = { py: "python", cs: "csharp", rs: "rust" }[extension] ?? extension;
    const blocks = [...page.matchAll(new RegExp(`^\`\`\`${fence}\n(.*?)^\`\`\`$`, "gms"))];
    const flat = (code: string) => code.replace(/^\s+/gm, "");
    expect(flat(readFileSync(join(root, "hosts", file), "utf8"))).toContain(flat(blocks[0][1]));
  });

  test("C gives the words of docs/determinism.md, section 3", async () => {
    const rows = [
      [SEED, "loot 2 1020", "4045842433 3576891522 180445478 334943498"],
      [SEED, "loot 0 0 t:player/7", "2154524513 1661645364 418228369"],
      [SEED, "loot 4294967298 5 p:-1,2 i:-5", "1936450523 1536235962"],
      [SEED, "loot 0 0 i:9007199254740991", "828564109 3213690173"],
      [SEED, "loot 8589934599 4398046511102", "2770695561 1671042138"],
      ["the mines of moria", "caverns/of/the/deep 0 5000000", "1405183725 3561593907 1711956278"],
      ["☃", "a 0 0", "2649142603 152138404"],
      ["11", "a 0 0", "3369889510 4121749072"],
      ["", "a 0 0", "2411781765 3762281735"],
    ];
    const calls = rows.map(
      ([seed, stream, words]) =>
        `./check ../../game.plan '${seed}' ${words.split(" ").length} --words ${stream} | xargs`,
    );
    const [compile] = CHECKED.script.split("\n");
    const words = await printed([compile, ...calls].join("\n"));
    expect(words.split("\n").slice(0, -1)).toEqual(rows.map((row) => row[2]));
  });

  test("a bulk call that is refused writes nothing", async () => {
    const [compile] = CHECKED.script.replaceAll("check.c", "refused.c").split("\n");
    expect(await printed(`${compile}\n./check ../../refused.plan ${SEED}`)).toBe("nothing is written\n");
  });

  test.skipIf(missing("python3"))("the Python host says what it refuses", async () => {
    const { script = "" } = LANGUAGES.find(({ name }) => name === "Python") ?? {};
    expect(await printed(`cp ../../game.plan .\n${script.replace("example.py", "refused.py")}`)).toBe(
      refusedInPython(),
    );
  });

  for (const [name] of small) {
    const mutants = mutantsOf(name);
    timed({ name: `${mutants} damaged plans of ${name} under the checks of gcc`, needs: [] }, async () => {
      const [compile] = CHECKED.script.split("\n");
      const opened = await printed(`${compile}\n./check ../../${name}.plan ${SEED} ${mutants} --mutate`);
      expect(Number.parseInt(opened, 10)).toBeGreaterThan(mutants / 20);
    });
  }

  for (const { name, needs, script } of BUILDS) {
    timed({ name: `walks and worlds: ${name}`, needs }, async () => {
      const hash = createHash("sha256");
      const lines = script.replace("game.plan", "maps.plan").split("\n");
      await run([...lines.slice(0, -1), `${lines.at(-1)} 1`].join("\n"), (chunk) => hash.update(chunk));
      expect(hash.digest("hex")).toBe(mapsDigest());
    });
  }

  test.skipIf(missing("python3", "g++"))("Python and C++ make walks and worlds", async () => {
    const library = "cc -O3 -shared -fPIC rollmill.c -o librollmill.so -lm";
    const python = `PYTHONPATH=../../hosts/python python3 -B ../../hosts/python/checkMaps.py ../../maps.plan ${SEED}`;
    const rectangles = JSON.stringify(RECTANGLES.map(Object.values));
    const hash = createHash("sha256");
    await run(`${library}\n${python} '${rectangles}'`, (chunk) => hash.update(chunk));
    expect(hash.digest("hex")).toBe(mapsDigest());
    const isles = openNouns().worlds[3] as World;
    const cells = isles.window({ row0: -5, col0: 3, rows: 4, cols: 7 }, { visits: ["sea"], contents: false });
    const { placements } = isles.window({ row0: -20, col0: -20, rows: 30, cols: 30 }, { contents: false });
    const places = Array.from(placements, ({ row, col }) => `${row},${col}`);
    const cpp =
      "c++ -std=c++17 -Wall -Wextra -Werror -I. -I../../hosts/cpp ../../hosts/cpp/checkMaps.cpp rollmill.o -o maps -lm";
    const said = await printed(`cc -O3 -c rollmill.c\n${cpp}\n./maps ../../maps.plan ${SEED}`);
    expect(said).toBe(`${[...cells.visits("sea"), ...cells.terrain, ...places].join(" ")}\n`);
  });

  test("the C and the Python of the page make items, objects and maps", async () => {
    const { loot, pools } = openExamples();
    const read = (name: string) => readFileSync(join(root, "examples", name), "utf8");
    const mill = createMill({ seed: SEED });
    const coast = mill.world("coast", specOf(await loadWorld("coast.json", read)));
    const [weapon, dungeon] = [mill.recipe("weapon"), mill.objects("dungeon", DUNGEON)];
    const items30 = { noun: dungeon, options: { level: 30 } };
    writeFileSync(at("page.plan"), bake([loot, pools, coast, { noun: weapon, options: {} }, items30]));
    const blocks = (fence: string) => [...page.matchAll(new RegExp(`^\`\`\`${fence}\n(.*?)^\`\`\`$`, "gms"))];
    const [, items, map, contents] = blocks("c").map(([, code]) => code);
    const [, named, pythonMap] = blocks("python").map(([, code]) => code);
    const [head] = readFileSync(join(root, "hosts/c/example.c"), "utf8").split(/^ {2}uint32_t loot, pools;$/m);
    const inC = async (body: string) => {
      writeFileSync(at("hosts/c/page.c"), `${head.replace(/^enum.*$/m, "")}\n${body}\nrm_close(mill);\nreturn 0;\n}\n`);
      return printed(
        `gcc -std=c99 -fsanitize=address -I. ../../hosts/c/page.c checked.o -fsanitize=address,undefined -o page -lm\n./page ../../page.plan ${SEED}`,
      );
    };
    const inPython = (body: string) => {
      writeFileSync(
        at("hosts/python/page.py"),
        body.replace(/"\.\.\/\.\.\/(?:game|items)\.plan"/, '"../../page.plan"'),
      );
      return printed(
        "cc -O3 -shared -fPIC rollmill.c -o librollmill.so -lm\nPYTHONPATH=../../hosts/python python3 -B ../../hosts/python/page.py",
      );
    };
    const made = weapon.makeMany(3);
    const numbers = [...made.indices.values(), ...Object.values(made.stats)];
    const rows = Array.from({ length: 3 }, (_, k) => `${numbers.map((column) => column[k]).join(" ")}\n`);
    expect(await inC(items)).toBe(rows.join(""));
    expect(mapOf(coast)).toMatch(/V.*\n/);
    expect(await inC(map)).toBe(mapOf(coast));
    const ore = [...coast.region(0, 0).placements].filter(({ kind }) => kind === "ore").slice(0, 3);
    const ranks = ore.map(({ content }) => loot.results.indexOf((content as { result: string }).result));
    const coastOf = 'enum { MOST = 64 };\nuint32_t coast;\ncheck(rm_find(mill, "coast", 5, &coast));\n';
    expect(await inC(`${coastOf}${contents}`)).toBe(`${ranks.join(" ")}\n`);
    const objects = dungeon.makeMany(3, { level: 30 });
    const said = Array.from({ length: 3 }, (_, k) => {
      const affixes = objects.at(k).affixes.map(({ name }) => `'${name}'`);
      return `${objects.vocabulary.kind[objects.kind[k]]} [${affixes.join(", ")}] ${objects.at(k).artifact?.name ?? ""}`;
    });
    const names = Array.from({ length: 3 }, (_, k) => made.name(k));
    expect(await inPython(named)).toBe([...names, ...said, ""].join("\n"));
    expect(await inPython(pythonMap)).toBe(mapOf(coast));
  });

  const bigEndian = "s390x-linux-gnu-gcc";
  if (!IS_SOAK) return;
  timed({ name: `${bigEndian} refuses to compile for a big-endian machine`, needs: [bigEndian] }, async () => {
    const compiling = run(`${bigEndian} -c rollmill.c`, () => undefined);
    await expect(compiling).rejects.toThrow("rollmill.c supports little-endian machines only");
  });
});
