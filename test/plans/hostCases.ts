// The languages and builds in which test/plans/hosts.test.ts makes results. `npm run test:hosts` sets SOAK: then all have
// their turn, with many more results.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { IS_SOAK } from "../soak.js";
import { SEED } from "./nouns.js";

export const root = fileURLToPath(new URL("../..", import.meta.url));
export const page = readFileSync(`${root}/docs/engines.md`, "utf8");

export interface Case {
  readonly name: string;
  /** Programs and files. */
  readonly needs: readonly string[];
  /** Compiles and runs a program in a copy of dist/c. */
  readonly script: string;
}

/** The sections of docs/engines.md with an example: its file in hosts, and what its commands need. CI runs the first. */
export const LANGUAGES = (
  [
    ["Quick start in C", "c/example.c", "gcc"],
    ["C++", "cpp/example.cpp", "g++"],
    ["Python", "python/example.py", "python3"],
    ["LuaJIT and LÖVE", "luajit/example.lua", "luajit"],
    ["Java", "java/Example.java", "javac", "/usr/share/java/jna.jar"],
    ["C# by P/Invoke", "csharp/Example.cs", "mcs", "mono"],
    ["Go", "go/example.go", "go"],
    ["Rust", "rust/example.rs", "rustc"],
  ] as const
)
  .slice(0, IS_SOAK ? 8 : 4)
  .map(([name, file, ...needs]) => ({ name, file, needs, script: commandsOf(name) }));

/** The last commands of a section, which compile and run its example. */
function commandsOf(section: string): string {
  const found = page.split(/^##+ /m).find((one) => one.startsWith(`${section}\n`));
  const [, commands] = [...(found ?? "").matchAll(/^```text\n(.*?)^```$/gms)].at(-1) ?? [];
  if (!commands) throw new Error(`docs/engines.md has no commands for ${section}`);
  return commands.trimEnd();
}

/**
 * Runs the example of a language, on stderr, and then the program of test/plans/hosts, or in C probe.c: with the same
 * commands, but for those that compile the library.
 */
function checking(commands: string): string {
  const example = commands.replace("game.plan", "examples.plan").split("\n");
  const check = commands.replaceAll("example", "check").replaceAll("Example", "Check").split("\n");
  const lines = [...example.with(-1, `${example.at(-1)} >&2`), ...check.filter((line) => !example.includes(line))];
  return lines.join("\n").replaceAll(/^c(c|\+\+) /gm, "$&-Wall -Wextra -Werror ");
}

export const HOSTS: readonly Case[] = LANGUAGES.flatMap((language): Case[] => {
  const host = { ...language, script: checking(language.script) };
  const other = (name: string, from: RegExp, to: string) => ({
    ...host,
    name,
    script: host.script.replaceAll(from, to),
  });
  if (host.name === "Python") return [host, other("Python without numpy", /^PYTHONPATH/gm, "NUMPY=no $&")];
  if (!IS_SOAK || host.name !== "LuaJIT and LÖVE") return [host];
  const game = "mkdir -p $1 && cp ../../hosts/luajit/*.lua $1 && LD_LIBRARY_PATH=. GAME=$1 love $1 ";
  return [host, { ...other("LÖVE", /^LD_LIBRARY.*\/(\w+)\.lua /gm, game), needs: ["love"] }];
});

/** The checks of clang are in a package of their own. Clang prints their path, or only their name if they are missing. */
const CLANG_CHECKS = String(spawnSync("clang", ["-print-file-name=libclang_rt.asan-x86_64.a"]).stdout).trim();
export const STRICT = "-std=c99 -Wall -Wextra -Werror";
const SANITIZERS = "-fsanitize=address,undefined -fno-sanitize-recover=all";

function build(compiler: string, flags: string, needs: readonly string[] = [], library = "rollmill.c"): Case {
  const compile = `${compiler} ${STRICT} ${flags} -I. ../../hosts/c/check.c ${library} -o check -lm`;
  const script = `${compile}\n${needs[0] ?? ""} ./check ../../game.plan ${SEED}`;
  return { name: `${compiler} ${flags}`, needs: [compiler, ...needs], script };
}

/** Compiles a program of hosts/c with checked.o, which CHECKED_LIBRARY makes once for several tests. */
export const CHECKED = build("gcc", `-Og ${SANITIZERS}`, [], "checked.o");
export const CHECKED_LIBRARY = `gcc ${STRICT} -Og ${SANITIZERS} -c rollmill.c -o checked.o`;

/** Builds of the C library: with SSE2 only, with all of the machine, and with plain C in the place of vectors. */
export const BUILDS: readonly Case[] = IS_SOAK
  ? [
      ...["gcc", "clang"].flatMap((compiler) => [
        ...["-O0", "-O2", "-O3"].flatMap((level) =>
          ["", " -march=native", " -DSIMDE_NO_NATIVE"].map((simd) => build(compiler, level + simd)),
        ),
        ...["-O1", "-O1 -DSIMDE_NO_NATIVE"].map((flags) => {
          const one = build(compiler, `${flags} ${SANITIZERS}`);
          return compiler === "clang" ? { ...one, needs: [...one.needs, CLANG_CHECKS] } : one;
        }),
      ]),
      build("aarch64-linux-gnu-gcc", "-O2 -static", ["qemu-aarch64"]),
    ]
  : [CHECKED];

const has = (needed: string) =>
  needed.startsWith("/") ? existsSync(needed) : spawnSync("which", [needed]).status === 0;

/** Returns what the machine does not have. In CI, this is an error. */
export function missing(...needs: readonly string[]): string {
  const absent = ["gcc", "/usr/include/simde/wasm/simd128.h", ...needs].filter((needed) => !has(needed)).join(", ");
  if (absent && process.env.CI !== undefined) throw new Error(`install ${absent}`);
  return absent && `${absent} missing`;
}
