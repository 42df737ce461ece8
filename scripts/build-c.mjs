// Makes dist/c, or the folder that is given: the kernel for plan files as one C file, with its header. wasm2c turns the
// kernel into C; SIMDe, from /usr/include or SIMDE_INCLUDE, is copied in, so that the file needs no other library.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const OUT = process.argv[2] ?? join(ROOT, "dist", "c");
const SIMDE = join(process.env.SIMDE_INCLUDE ?? "/usr/include", "simde", "wasm", "simd128.h");
const NAME = "rollmill";

if (!existsSync(SIMDE)) {
  console.error(`${SIMDE} is missing: install libsimde-dev, or set SIMDE_INCLUDE to the folder that contains simde/`);
  process.exit(1);
}
const read = (path) => readFileSync(join(ROOT, path), "utf8");

/** The C of the kernel, and its declarations. */
function kernel() {
  const folder = mkdtempSync(join(tmpdir(), "rollmill-c-"));
  try {
    const wasm2c = join(ROOT, "node_modules", "wabt", "bin", "wasm2c");
    const files = ["-o", join(folder, "kernel.c"), join(ROOT, "build", "kernel-plans.wasm")];
    execFileSync(process.execPath, [wasm2c, "-n", NAME, "--no-debug-names", ...files], { stdio: "inherit" });
    return ["kernel.h", "kernel.c"].map((name) => readFileSync(join(folder, name), "utf8"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Puts each file that a file includes by a path in quotes in the place of the first line that includes it. */
function inlined(path, done = new Set()) {
  if (done.has(path)) return "";
  done.add(path);
  return readFileSync(path, "utf8").replace(/^[ \t]*#[ \t]*include "([^"]+)".*$/gm, (_, name) =>
    inlined(join(dirname(path), name), done),
  );
}

/**
 * Makes sums, products and shifts of SIMDe unsigned, where the machine has no instruction for them: in C, an overflow of
 * signed numbers is undefined. Single numbers of 16 bits stay as they are: their products fit, and unsigned ones do not.
 */
function wrapping(simde) {
  const line = /^ *r_\.i(16(?!\[)|32|64)(?:\[i\])? = .*\ba_\.i\1(?:\[i\])? (?:[+*-]|<<) .*;$/gm;
  if (!line.test(simde)) throw new Error("SIMDe has changed: read its sums, products and shifts again");
  return simde.replace(line, (text) => text.replace(/\.i(16|32|64)/g, ".u$1").replace(/\bint(16|32|64)_t/, "uint$1_t"));
}

/** Replaces exactly one text, so that another version of wasm2c fails the build. */
function replaced(text, from, to) {
  if (text.split(from).length !== 2) throw new Error(`wasm2c has changed: ${from} is not there once`);
  return text.replace(from, () => to);
}

/** A function of the kernel, and in it a call of another one, or one that grows the memory. */
const FUNCTION = /^[\w ]+\*? ?w2c_\w+\(w2c_\w+\* instance[^;{]*\) \{\n(.*?)^\}\n/gms;
const CALL = /^ *(?:\w+ = )?(?:w2c_\w+\(instance|wasm_rt_grow_memory\()[^;]*;$/gm;

/**
 * Lets each function read the place and the size of the memory once, and again after each call. A store can write
 * anything, as far as C knows, so it would read them after each store; without that, draws take a tenth less time.
 */
function withOwnMemory(source) {
  return source.replace(FUNCTION, (text, body) => {
    const own = body.replace(/((?:load|store)\w*\()&instance->w2c_memory,/g, "$1&memory,");
    if (own === body) return text;
    if (own.match(CALL)?.length !== own.match(/w2c_\w+\(instance|grow_memory\(/g)?.length) {
      throw new Error("wasm2c has changed: a function has calls that CALL does not find");
    }
    const again = own.replace(CALL, "$& memory = instance->w2c_memory;");
    return text.replace(body, () => `  wasm_rt_memory_t memory = instance->w2c_memory;\n${again}`);
  });
}

function amalgamation() {
  const [declarations, source] = kernel();
  const body = [
    // memory is checked before each access, so a value need not be read at once to trap in time
    ["#ifdef __GNUC__\n#define FORCE_READ_INT", "#if 0\n#define FORCE_READ_INT"],
    ["#if defined(__GNUC__) && defined(__x86_64__)\n#define SIMD_FORCE", "#if 0\n#define SIMD_FORCE"],
    ["#elif defined(__GNUC__) && defined(__aarch64__)\n#define SIMD_FORCE", "#elif 0\n#define SIMD_FORCE"],
    // compares the address itself, which needs no sum; a memory has a page at least
    ["UNLIKELY(a + (uint64_t)sizeof(t) > mem->size)", "UNLIKELY(a > mem->size - sizeof(t))"],
    ['#include "kernel.h"\n', ""],
    ["#include <simde/wasm/simd128.h>\n", ""],
  ].reduce((text, [from, to]) => replaced(text, from, to), source);
  return [
    `/* rollmill.c ${JSON.parse(read("package.json")).version}: made by \`npm run build:c\`, edit nothing here.`,
    " * Contains SIMDe (MIT, see its notice below) and Hedley (CC0), and the output of wasm2c (Apache 2.0). */",
    '#include "rollmill.h"',
    "#if defined(__GNUC__)",
    "#pragma GCC diagnostic push",
    '#pragma GCC diagnostic ignored "-Wunused-parameter"',
    '#pragma GCC diagnostic ignored "-Wunused-function"',
    '#pragma GCC diagnostic ignored "-Wunused-variable"',
    '#pragma GCC diagnostic ignored "-Wunused-but-set-variable"',
    '#pragma GCC diagnostic ignored "-Wunused-value"',
    "#endif",
    "#if defined(__clang__)",
    '#pragma clang diagnostic ignored "-Wpass-failed"',
    "#endif",
    read("hosts/c/runtime.h"),
    wrapping(inlined(SIMDE)),
    declarations.replace('#include "wasm-rt.h"\n', ""),
    withOwnMemory(body),
    "#if defined(__GNUC__)",
    "#pragma GCC diagnostic pop",
    "#endif",
    read("hosts/c/calls.c"),
  ].join("\n");
}

mkdirSync(OUT, { recursive: true });
writeFileSync(join(OUT, "rollmill.c"), amalgamation());
cpSync(join(ROOT, "hosts", "c", "rollmill.h"), join(OUT, "rollmill.h"));
console.log(`wrote ${relative(process.cwd(), OUT)}/rollmill.c and rollmill.h`);
