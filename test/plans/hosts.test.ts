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
import { COUNT, DIGEST, FROM, listOf, openNouns, SEED, smallOf } from "./nouns.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const has = (program: string) => spawnSync(program, ["--version"]).status === 0;
const missing = [
  ...["gcc", "g++", "python3"].filter((program) => !has(program)),
  ...(existsSync("/usr/include/simde/wasm/simd128.h") ? [] : ["libsimde-dev"]),
];
if (missing.length > 0 && process.env.CI !== undefined) throw new Error(`install ${missing.join(", ")}`);

const [LOOT, GEMS] = ["loot", "gems"].map((name) => readFileSync(join(root, "examples", `${name}.csv`), "utf8"));
/** Does what probe.c does. */
const ALL_IN_PYTHON = `
import hashlib, sys
if sys.argv[5] == "without":
    sys.modules["numpy"] = None
sys.path.insert(0, sys.argv[1])
from rollmill import Error, Mill
seed, count, start = sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
mill = Mill(open("game.plan", "rb").read(), seed)
digest = hashlib.sha256()
with_quantities = ("chest", "hoard")
for name, (noun, kind, labels) in mill.nouns.items():
    size = mill._library.rm_sample_size(mill._mill, noun) if kind == "sampler" else 1
    n = count // size + 1
    if kind == "pools":
        for pool in range(len(labels["pools"])):
            digest.update(mill.draw(name, pool, n))
    elif name in with_quantities:
        for column in mill.many(name, n, start, quantities=True):
            digest.update(column)
    else:
        digest.update(mill.many(name, n, start))
print(digest.hexdigest())
fork = mill.fork(mill.fork(mill.key("hp"), (-1, 2)), -5)
print(*mill.many("hp", 3, key=fork))
state = mill.save()
again = [list(mill.draw("bag", 1, 9))]
mill.load(state)
print(list(mill.draw("bag", 1, 9)) == again[0])
try:
    mill.load(b"x" * len(state))
except Error as error:
    print(*error.args)
mill.close()
`;
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
    // a warning is an error
    compile("gcc", "rollmill.o", "-std=c99", "-O2", "-fPIC", "-c", source());
    compile("gcc", "probe", "-std=c99", "-O2", probe, at("rollmill.o"));
    run("gcc", "-shared", at("rollmill.o"), "-o", at("librollmill.so"));
  }, 600_000);

  test("the C library gives the results of the library", () => {
    expect(hash(run(at("probe"), at("game.plan"), SEED, String(COUNT)))).toBe(DIGEST);
  });

  // rows of the table in docs/determinism.md, section 3
  test.each([
    [
      [SEED, "loot", "2", "1020"],
      [4045842433, 3576891522, 180445478, 334943498],
    ],
    [
      [SEED, "loot", "0", "0", "t:player/7"],
      [2154524513, 1661645364, 418228369],
    ],
    [
      [SEED, "loot", "4294967298", "5", "p:-1,2", "i:-5"],
      [1936450523, 1536235962],
    ],
    [
      [SEED, "loot", "0", "0", "i:9007199254740991"],
      [828564109, 3213690173],
    ],
    [
      [SEED, "loot", "8589934599", "4398046511102"],
      [2770695561, 1671042138],
    ],
    [
      ["the mines of moria", "caverns/of/the/deep", "0", "5000000"],
      [1405183725, 3561593907, 1711956278],
    ],
    [
      ["☃", "a", "0", "0"],
      [2649142603, 152138404],
    ],
    [
      ["11", "a", "0", "0"],
      [3369889510, 4121749072],
    ],
    [
      ["", "a", "0", "0"],
      [2411781765, 3762281735],
    ],
  ])("C gives the words of %j", ([seed, ...stream], words) => {
    const printed = run(at("probe"), at("game.plan"), seed, String(words.length), "--words", ...stream);
    expect(String(printed)).toBe(words.map((word) => `${word}\n`).join(""));
  });

  test.each(["with", "without"])(
    "every call of the Python host gives the results, %s numpy if it is installed",
    (numpy) => {
      writeFileSync(at("all.py"), ALL_IN_PYTHON);
      const [digest, ...rest] = String(
        run("python3", "-B", at("all.py"), join(root, "hosts", "python"), SEED, String(COUNT), String(FROM), numpy),
      ).split("\n");
      expect(digest).toBe(DIGEST);
      const pair = openNouns().dice[0].fork([-1, 2]).fork(-5).rollMany(3);
      expect(rest).toEqual([[...pair].join(" "), "True", "not a state of this plan, or a damaged one 9", ""]);
    },
  );

  test("the examples in C, C++ and Python print the same digest", { timeout: 600_000 }, () => {
    const loot = createMill({ seed: SEED }).table("loot", LOOT, { file: "loot.csv", files: { "gems.csv": GEMS } });
    const { ids } = loot.rollMany(1_000_000);
    const fnv = Array.from(ids).reduce((digest, roll) => Math.imul(digest ^ roll, 16777619), 2166136261 | 0) >>> 0;
    const last = `player 7: ${loot.fork("player/7").rollMany(1).ids[0]}\ndigest: ${fnv.toString(16).padStart(8, "0")}\n`;
    writeFileSync(at("loot.plan"), bake([loot]));
    const host = (name: string) => join(root, "hosts", name);
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
