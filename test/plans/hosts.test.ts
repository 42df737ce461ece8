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
import { specOf } from "../../src/spec/index.js";
import type { LabelledList } from "../../src/weighted/index.js";
import { loadWorld, type World } from "../../src/worlds/index.js";
import { DUNGEON } from "../objects/dungeon.js";
import { IS_SOAK } from "../soak.js";
import { COUNT, DIGEST, FROM, listOf, openNouns, SEED, smallPlans } from "./nouns.js";
import { RECTANGLES } from "./worlds.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const has = (program: string) => spawnSync(program, ["--version"]).status === 0;
const missing = [
  ...["gcc", "g++", "python3"].filter((program) => !has(program)),
  ...(existsSync("/usr/include/simde/wasm/simd128.h") ? [] : ["libsimde-dev"]),
];
if (missing.length > 0 && process.env.CI !== undefined) throw new Error(`install ${missing.join(", ")}`);

async function openExamples() {
  const read = (name: string) => readFileSync(join(root, "examples", name), "utf8");
  const mill = createMill({ seed: SEED });
  const coast = mill.world("coast", specOf(await loadWorld("coast.json", read)));
  const loot = mill.table("loot", read("loot.csv"), { file: "loot.csv", files: { "gems.csv": read("gems.csv") } });
  const pools = mill.pools("pools", JSON.parse(read("pools.json")));
  return { loot, coast, pools, weapon: mill.recipe("weapon"), dungeon: mill.objects("dungeon", DUNGEON) };
}

/** The map that docs/engines.md prints. */
function mapOf(coast: World): string {
  const { terrain, placements, cols } = coast.window({ row0: 40, col0: 260, rows: 12, cols: 40 });
  const signs = Array.from(terrain, (code) => "~s.^f-"[code]);
  for (const { row, col, kind } of placements) if (kind === "village") signs[(row - 40) * cols + col - 260] = "V";
  const lines = Array.from({ length: 12 }, (_, i) => signs.slice(i * cols, (i + 1) * cols).join(" "));
  return lines.map((line, i) => `${i % 2 === 1 ? " " : ""}${line}\n`).join("");
}

/** Bulk calls that must be refused before they write to an array that is too short. */
const REFUSED = `
  const uint64_t end = (uint64_t)1 << 42;
  uint32_t list, dice, hand, bag, out[4] = { 7, 7, 7, 7 };
  int32_t amounts[4];
  check(rm_find(mill, "rarity", 6, &list)), check(rm_find(mill, "hp", 2, &dice));
  check(rm_find(mill, "hand", 4, &hand)), check(rm_find(mill, "bag", 3, &bag));
  const struct { rm_status wanted, got; } calls[] = {
    { RM_RANGE, rm_many(mill, list, 1, end - 65536, 65537, out, NULL) },
    { RM_RANGE, rm_many(mill, list, 1, 0, (size_t)-1, out, NULL) },
    { RM_RANGE, rm_many(mill, list, 1, 2, (size_t)end - 1, out, NULL) },
    { RM_RANGE, rm_words(mill, 1, 0, UINT64_MAX, 2, out) },
    { RM_RANGE, rm_many(mill, dice, 1, 0, (size_t)end * 2, out, NULL) },
    { RM_RANGE, rm_many(mill, hand, 1, end, 1, out, NULL) },
    { RM_RANGE, rm_draw(mill, bag, 2, 1, (size_t)-1, out, NULL) },
    { RM_RANGE, rm_draw(mill, bag, 0, 1, (size_t)end + 1, out, NULL) },
    { RM_RANGE, rm_many(mill, list, 1, (uint64_t)1 << 50, 0, out, NULL) },
    { RM_NOUN, rm_many(mill, 99, 1, 0, 0, out, NULL) },
    { RM_NOUN, rm_draw(mill, 99, 0, 1, 0, out, NULL) },
    { RM_KIND, rm_many(mill, bag, 1, 0, 0, out, NULL) },
    { RM_KIND, rm_draw(mill, dice, 0, 1, 0, out, NULL) },
    { RM_QUANTITIES, rm_many(mill, list, 1, 0, 0, out, amounts) },
    { RM_POOL, rm_draw(mill, bag, 4, 1, 0, out, NULL) },
    { RM_OK, rm_many(mill, list, 1, end, 0, out, NULL) },
  };
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    if (calls[i].got != calls[i].wanted) printf("call %zu: %s\\n", i, rm_error(calls[i].got));
  }
  uint32_t isles, valley;
  size_t found = 7;
  check(rm_find(mill, "isles", 5, &isles)), check(rm_find(mill, "valley", 6, &valley));
  const rm_key seed = rm_seed_key(mill);
  const struct { rm_status wanted, got; } cells[] = {
    { RM_RANGE, rm_visits(mill, valley, seed, 0, 59, 0, 2, 1, out) },
    { RM_RANGE, rm_visits(mill, isles, seed, 6, 0, 0, 1, 1, out) },
    { RM_RANGE, rm_first_visits(mill, isles, seed, 1, 0, 0, 1, 1, out) },
    { RM_RANGE, rm_visits(mill, isles, seed, 0, 0, 0, (uint32_t)1 << 31, 2, out) },
    { RM_RANGE, rm_world_region(mill, isles, seed, 0, 0, 513, 1, (uint8_t *)out) },
    { RM_KIND, rm_world_region(mill, list, seed, 0, 0, 1, 1, (uint8_t *)out) },
    { RM_NOUN, rm_world_region(mill, 99, seed, 0, 0, 1, 1, (uint8_t *)out) },
    { RM_RANGE, rm_world_placements(mill, isles, seed, -20, -20, 30, 30, 0, NULL, &found) },
  };
  for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
    if (cells[i].got != cells[i].wanted) printf("cells %zu: %s\\n", i, rm_error(cells[i].got));
  }
  if (found < 2 || rm_layer_count(mill, list)) printf("a wrong count\\n");
  for (int i = 0; i < 4; i++) if (out[i] != 7) printf("%d was written\\n", i);
  check(rm_many(mill, list, 1, end - 4, 4, out, NULL)), check(rm_draw(mill, bag, 0, 1, 1, out, NULL));
  printf("none is written\\n");
`;
/** Does what probe.c does. */
const ALL_IN_PYTHON = `
import hashlib, sys
from array import array
RECTANGLES = ${JSON.stringify(RECTANGLES.map(Object.values))}
if sys.argv[5] == "without":
    sys.modules["numpy"] = None
sys.path.insert(0, sys.argv[1])
from rollmill import Error, Mill
seed, count, start = sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
mill = Mill("game.plan", seed)
digest = hashlib.sha256()
with_quantities = ("chest", "hoard", "trove")
for name, (noun, kind, labels) in mill.nouns.items():
    n = count // max(1, mill._library.rm_width(mill._mill, noun)) + 1
    if kind in ("walk", "world"):
        for row, col, rows, cols in RECTANGLES:
            try:
                for layer in labels["layers"]:
                    digest.update(mill.visits(name, layer, row, col, rows, cols))
                    try:
                        digest.update(mill.visits(name, layer, row, col, rows, cols, first=True))
                    except Error:
                        pass
                if kind == "world":
                    digest.update(array("I", list(mill.region(name, row, col, rows, cols))))
                    for placement in mill.placements(name, row, col, rows, cols):
                        digest.update(array("i", placement))
            except Error as error:
                assert error.args[1] == 4
    elif kind == "pools":
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
with Mill(open("game.plan", "rb").read(), 7.0) as seven, Mill("game.plan", "7", "./librollmill.so") as same:
    print(seven.key("hp") == same.key("hp"))
    saved = same.save()
refused = [
    lambda: same.many("hp", 1),
    lambda: same.key("hp"),
    lambda: same.save(),
    lambda: Mill("game.plan", None),
    lambda: Mill("game.plan", 7.5),
    lambda: mill.many("bag", 1),
    lambda: mill.region("drift", 0, 0, 1, 1),
    lambda: mill.region("isles", 2**31, 0, 1, 1),
    lambda: mill.many("hp", 1, quantities=True),
    lambda: mill.many("nothing", 1),
    lambda: mill.many("hp", 1, start=2**64),
    lambda: mill.fork(1, 2**63),
    lambda: Mill("game.plan", 7, library="absent.so"),
]
for call in refused:
    try:
        print(call(), "is returned")
    except (ValueError, TypeError, LookupError, FileNotFoundError) as error:
        print(type(error).__name__, *error.args)
`;
const REFUSED_IN_PYTHON = `ValueError the mill is closed
ValueError the mill is closed
ValueError the mill is closed
TypeError the seed is None; expected a text or a whole number
TypeError the seed is 7.5; expected a text or a whole number
LookupError 'bag' is pools; this call is for: rarity, one, steep, chest, loot, hoard, wide, hp, any, three, hand, deck, crowd, trove, scraps, weapon, rare, charm, dungeon, deep, lighthouse
LookupError 'drift' is walk; this call is for: isles, valley, plain
ValueError 2147483648 is out of range
LookupError 'hp' is dice; this call is for: rarity, one, steep, chest, loot, hoard, wide, trove, scraps
LookupError 'nothing' is not in the plan; this call is for: rarity, one, steep, chest, loot, hoard, wide, hp, any, three, hand, deck, crowd, trove, scraps, weapon, rare, charm, dungeon, deep, lighthouse
ValueError 18446744073709551616 is out of range
ValueError 9223372036854775808 is out of range
FileNotFoundError absent.so missing: compile it in the folder of rollmill.c: cc -O2 -shared -fPIC rollmill.c -o librollmill.so -lm
`;
const ALL_IN_CPP = `
#include <fstream>
#include <iostream>
#include <iterator>
#include "rollmill.hpp"
template <class T> void print(const std::vector<T> &all) {
  for (const T one : all) std::cout << one << " ";
  std::cout << "\\n";
}
int main(int, char **argv) {
  std::ifstream file(argv[1], std::ios::binary);
  const rollmill::mill mill(std::string(std::istreambuf_iterator<char>(file), {}), argv[2]);
  const auto chest = mill.find("chest"), bag = mill.find("bag");
  std::vector<std::int32_t> quantities;
  print(mill.many(chest, mill.fork(mill.fork(mill.key(chest), -5), 0, 2), 0, 9, &quantities));
  print(quantities);
  const auto state = mill.save();
  print(mill.draw(bag, 1, mill.key(bag), 9));
  mill.load(state);
  print(mill.draw(bag, 1, mill.key(bag), 9));
  const auto isles = mill.find("isles");
  const auto seed = rm_seed_key(mill.get());
  print(mill.visits(isles, seed, 0, -5, 3, 4, 7));
  for (const auto terrain : mill.region(isles, seed, -5, 3, 4, 7)) std::cout << int(terrain) << " ";
  for (const auto &one : mill.placements(isles, seed, -20, -20, 30, 30)) std::cout << one.row << "," << one.col << " ";
  std::cout << "\\n";
}
`;
const WARNINGS = ["-Wall", "-Wextra", "-Werror"];
/** A world takes longer than other nouns. */
const mutantsOf = (name: string) => (IS_SOAK ? 100_000 : 500) / (name === "worlds" ? 5 : 1);

describe.skipIf(missing.length > 0)(`hosts${missing.length > 0 ? `: ${missing.join(", ")} missing` : ""}`, () => {
  let folder: string;
  let library: string;
  const small = Object.entries(smallPlans(openNouns()));
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
    for (const [name, plan] of small) writeFileSync(at(`${name}.plan`), plan);
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
      expect(rest).toEqual([
        [...pair].join(" "),
        "True",
        "not a state, or a damaged one 9",
        "True",
        ...REFUSED_IN_PYTHON.split("\n"),
      ]);
    },
  );

  /** What a body in C prints, put in the place of what example.c does with its open mill. */
  const printed = (body: string, plan: string, name: string) => {
    const [head] = readFileSync(join(root, "hosts/c/example.c"), "utf8").split(/^ {2}free\(plan\);$/m);
    writeFileSync(at(`${name}.c`), `${head}\nfree(plan);\n${body}\nrm_close(mill);\nreturn 0;\n}\n`);
    compile("gcc", name, "-std=c99", "-fsanitize=address", at(`${name}.c`), at("rollmill.o"));
    return String(run(at(name), at(plan), SEED));
  };

  test("the C and the Python of docs/engines.md give the results of the library", async () => {
    const page = readFileSync(join(root, "docs/engines.md"), "utf8");
    const [quantities, draws, items, map, contents] = [...page.matchAll(/^```c\n(.*?)^```$/gms)].map(
      ([, text]) => text,
    );
    const { loot, pools, coast, weapon, dungeon } = await openExamples();
    writeFileSync(
      at("page.plan"),
      bake([loot, pools, coast, { noun: weapon, options: {} }, { noun: dungeon, options: { level: 30 } }]),
    );
    expect(mapOf(coast)).toMatch(/V.*\n/);
    expect(printed(map, "page.plan", "map")).toBe(mapOf(coast));
    const ore = [...coast.region(0, 0).placements].filter(({ kind }) => kind === "ore").slice(0, 3);
    const ranks = ore.map(({ content }) => loot.results.indexOf((content as { result: string }).result));
    expect(
      printed(
        `enum { MOST = 64 };\nuint32_t coast;\ncheck(rm_find(mill, "coast", 5, &coast));\n${contents}`,
        "page.plan",
        "contents",
      ),
    ).toBe(`${ranks.join(" ")}\n`);
    const { ids, quantities: amounts } = loot.rollMany(5);
    expect(printed(quantities, "page.plan", "quantities")).toBe(
      Array.from(ids, (id, k) => `${id} x ${amounts?.[k]}\n`).join(""),
    );
    const later = Array.from(pools.pool("i").drawMany(6).records).slice(3).join(" ");
    expect(printed(draws, "page.plan", "draws")).toBe(`${later}\n${later}\n`);
    const made = weapon.makeMany(3);
    const numbers = [...made.indices.values(), ...Object.values(made.stats)];
    const rows = Array.from({ length: 3 }, (_, k) => `${numbers.map((column) => column[k]).join(" ")}\n`);
    expect(printed(items, "page.plan", "items")).toBe(rows.join(""));
    const [python, named, pythonMap] = [...page.matchAll(/^```python\n(.*?)^```$/gms)].map(([, text]) => text);
    const path = `import sys\nsys.path.insert(0, ${JSON.stringify(join(root, "hosts", "python"))})\n`;
    writeFileSync(at("page.py"), path + python.replace("game.plan", "page.plan"));
    writeFileSync(at("map.py"), path + pythonMap.replace("game.plan", "page.plan"));
    expect(String(run("python3", "-B", at("map.py")))).toBe(mapOf(coast));
    const fork = loot.fork(7).rollMany(5);
    const names = Array.from(fork.ids, (id) => (fork.results[id] ? `'${fork.results[id]}'` : "None"));
    expect(String(run("python3", "-B", at("page.py")))).toBe(
      `[${names.join(", ")}] [${fork.quantities?.join(", ")}]\n`,
    );
    writeFileSync(at("named.py"), path + named.replace("items.plan", "page.plan"));
    const objects = dungeon.makeMany(3, { level: 30 });
    const said = Array.from({ length: 3 }, (_, k) => {
      const affixes = objects.at(k).affixes.map(({ name }) => `'${name}'`);
      return `${objects.vocabulary.kind[objects.kind[k]]} [${affixes.join(", ")}] ${objects.at(k).artifact?.name ?? ""}`;
    });
    expect(String(run("python3", "-B", at("named.py")))).toBe(
      [...Array.from({ length: 3 }, (_, k) => made.name(k)), ...said, ""].join("\n"),
    );
  });

  test("C++ gives forks, quantities and states", () => {
    writeFileSync(at("all.cpp"), ALL_IN_CPP);
    compile("g++", "all-cpp", "-std=c++17", `-I${join(root, "hosts", "cpp")}`, at("all.cpp"), at("rollmill.o"));
    const [chest, bag] = [openNouns().lists[3] as LabelledList<string | null, unknown>, openNouns().pools[0]];
    const { entries, quantities } = chest.fork(-5).fork([0, 2]).pickMany(9);
    const again = Array.from(bag.pool("i.odd").drawMany(9).records).join(" ");
    const isles = openNouns().worlds[3] as World;
    const small = isles.window({ row0: -5, col0: 3, rows: 4, cols: 7 }, { visits: ["sea"], contents: false });
    const { placements } = isles.window({ row0: -20, col0: -20, rows: 30, cols: 30 }, { contents: false });
    const places = Array.from(placements, ({ row, col }) => `${row},${col}`);
    const cells = [small.visits("sea").join(" "), [...small.terrain, ...places].join(" ")];
    const lines = [entries.join(" "), quantities?.join(" "), again, again, ...cells];
    expect(String(run(at("all-cpp"), at("game.plan"), SEED)).split(/ ?\n/)).toEqual([...lines, ""]);
  });

  test("a bulk call that is refused writes nothing", () => {
    expect(printed(REFUSED, "game.plan", "refused")).toBe("none is written\n");
  });

  test("the examples in C, C++ and Python print the same digest", { timeout: 600_000 }, async () => {
    const { loot } = await openExamples();
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
    for (const [name] of small) {
      const mutants = mutantsOf(name);
      const said = String(run(at("checked"), at(`${name}.plan`), SEED, String(mutants), "--mutate"));
      expect(Number(/^\d+/.exec(said))).toBeGreaterThan(mutants / 20);
    }
  });
});
