// The C library of plan files, and the hosts that use it, give the results of the JavaScript library.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { bake } from "../../src/plans/index.js";
import { IS_SOAK } from "../soak.js";
import { COUNT, DIGEST, listOf, openNouns, SEED, smallOf } from "./nouns.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const has = (program: string) => spawnSync(program, ["--version"]).status === 0;
const missing = [
  ...["gcc", "g++", "python3"].filter((program) => !has(program)),
  ...(existsSync("/usr/include/simde/wasm/simd128.h") ? [] : ["libsimde-dev"]),
];
if (missing.length > 0 && process.env.CI !== undefined) throw new Error(`install ${missing.join(", ")}`);

const [LOOT, GEMS] = ["loot", "gems"].map((name) => readFileSync(join(root, "examples", `${name}.csv`), "utf8"));
const WARNINGS = ["-Wall", "-Wextra", "-Werror"];
const MUTANTS = IS_SOAK ? "100000" : "1000";

describe.skipIf(missing.length > 0)(`hosts${missing.length > 0 ? `: ${missing.join(", ")} missing` : ""}`, () => {
  let folder: string;
  let library: string;
  const at = (name: string) => join(folder, name);
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { maxBuffer: 2 ** 26, cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  const probe = join(root, "test", "plans", "probe.c");
  const source = () => join(library, "rollmill.c");
  const compile = (compiler: string, name: string, ...args: string[]) =>
    run(compiler, ...args, ...WARNINGS, `-I${library}`, "-o", at(name));
  const hash = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "hosts-"));
    library = at("c");
    execFileSync(process.execPath, [join(root, "scripts", "build-c.mjs"), library]);
    writeFileSync(at("game.plan"), bake(listOf(openNouns())));
    writeFileSync(at("small.plan"), bake(smallOf(openNouns())));
  }, 600_000);

  test("the C library compiles without a warning, and gives the results of the library", { timeout: 600_000 }, () => {
    compile("gcc", "probe", "-std=c99", "-O2", probe, source());
    expect(hash(run(at("probe"), at("game.plan"), SEED, String(COUNT)))).toBe(DIGEST);
  });

  test("the examples in C, C++ and Python print the same digest", { timeout: 600_000 }, () => {
    const loot = createMill({ seed: SEED }).table("loot", LOOT, { file: "loot.csv", files: { "gems.csv": GEMS } });
    const { ids } = loot.rollMany(1_000_000);
    const fnv = Array.from(ids).reduce((digest, roll) => Math.imul(digest ^ roll, 16777619), 2166136261 | 0) >>> 0;
    const last = `player 7: ${loot.fork("player/7").rollMany(1).ids[0]}\ndigest: ${fnv.toString(16).padStart(8, "0")}\n`;
    writeFileSync(at("loot.plan"), bake([loot]));
    const host = (name: string) => join(root, "hosts", name);
    run("gcc", "-O2", "-fPIC", "-c", source(), "-o", at("rollmill.o"));
    run("gcc", "-shared", at("rollmill.o"), "-o", at("librollmill.so"));
    compile("gcc", "c-example", "-std=c99", host("c/example.c"), at("rollmill.o"));
    compile("g++", "cpp-example", "-std=c++17", `-I${host("cpp")}`, host("cpp/example.cpp"), at("rollmill.o"));
    expect(last).toContain("d7925b63");
    expect(String(run(at("c-example"), at("loot.plan"), SEED))).toContain(last);
    expect(String(run(at("cpp-example"), at("loot.plan"), SEED))).toContain(last);
    expect(String(run("python3", "-B", host("python/example.py"), at("loot.plan"), SEED))).toContain(last);
  });

  test("so does a build with checks of addresses and of undefined behaviour", { timeout: 600_000 }, () => {
    const checks = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    compile("gcc", "checked", "-O1", ...checks, probe, source());
    expect(hash(run(at("checked"), at("game.plan"), SEED, String(COUNT)))).toBe(DIGEST);
    const [, opened] = /^(\d+) of/.exec(String(run(at("checked"), at("small.plan"), SEED, MUTANTS, "--mutate"))) ?? [];
    expect(Number(opened)).toBeGreaterThan(100);
  });
});
