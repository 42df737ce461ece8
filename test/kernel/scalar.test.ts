// The kernel without SIMD: each instruction on vectors gives what it gives with SIMD, and the golden files hold.
import { readFileSync } from "node:fs";
import { createMemoryStream, main } from "assemblyscript/asc";
import binaryen from "assemblyscript/binaryen";
import seedrandom from "seedrandom";
import { describe, expect, test } from "vitest";
import { scalarKernel } from "../../scripts/scalar-kernel.mjs";
import { compiledKernel, compileKernel } from "../../src/kernel/index.js";
import { read } from "../architecture/sources.js";

/** What is computed of vectors a to c, a number n and the memory at `at`. */
const EXPRESSIONS = [
  ...["and", "andnot", "or", "xor"].map((name) => `v128.${name}(a, b)`),
  ...["add", "add_sat_u", "sub", "min_u", "eq", "ne", "le_u", "swizzle"].map((name) => `i8x16.${name}(a, b)`),
  ...["narrow_i16x8_s", "narrow_i16x8_u"].map((name) => `i8x16.${name}(a, b)`),
  ...["add", "sub", "mul", "q15mulr_sat_s", "min_s", "max_s", "eq"].map((name) => `i16x8.${name}(a, b)`),
  ...["narrow_i32x4_s", "narrow_i32x4_u"].map((name) => `i16x8.${name}(a, b)`),
  ...["add", "sub", "mul", "dot_i16x8_s", "min_s", "min_u", "max_s", "max_u"].map((name) => `i32x4.${name}(a, b)`),
  ...["eq", "ne", "lt_u", "le_u", "gt_s", "gt_u", "ge_u"].map((name) => `i32x4.${name}(a, b)`),
  ...["low", "high"].flatMap((part) => [
    `i16x8.extend_${part}_i8x16_s(a)`,
    `i16x8.extend_${part}_i8x16_u(a)`,
    `i32x4.extend_${part}_i16x8_u(a)`,
    `i64x2.extmul_${part}_i32x4_u(a, b)`,
  ]),
  ...["i16x8", "i32x4"].flatMap((type) => ["shl", "shr_s", "shr_u"].map((name) => `${type}.${name}(a, n)`)),
  ...["i8x16", "i16x8", "i32x4"].map((type) => `${type}.splat(<${type.split("x")[0]}>n)`),
  "v128.not(a)",
  "i16x8.abs(a)",
  "v128.bitselect(a, b, c)",
  "select<v128>(a, b, n & 1)",
  "v128(1, -1, 2, -2, 3, -3, 4, -4, 127, -128, 0, 5, 6, 7, 8, 9)",
  "i8x16.shuffle(a, b, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23)",
  "i8x16.shuffle(a, b, 31, 0, 15, 16, 8, 7, 23, 24, 9, 9, 1, 2, 3, 4, 30, 29)",
  "v128.load8x8_s(at, 3)",
  "v128.load16_splat(at, 1)",
  "v128.load32_splat(at, 5)",
  "v128.load32_zero(at)",
  "v128.load64_zero(at, 7)",
  ...[0, 1, 2, 3].map((lane) => `v128.load32_lane(at, a, ${lane}, 2)`),
  ...[0, 1, 2, 3].map((lane) => `i32x4.splat(i32x4.extract_lane(a, ${lane}))`),
  ...["i8x16", "i16x8", "i32x4"].map((type) => `i32x4.splat(${type}.bitmask(a))`),
  "i32x4.splat(i32x4.all_true(a))",
  "i32x4.splat(v128.any_true(a))",
  "half(at, a, 0)",
  "half(at, a, 1)",
  "again(a, b)",
];
const HELPERS = `
  function half(at: usize, a: v128, upper: i32): v128 {
    if (upper) v128.store64_lane(at, a, 1, 5);
    else v128.store64_lane(at, a, 0, 5);
    return v128.load(at, 1);
  }
  function again(a: v128, b: v128): v128 {
    for (let i = 0; i < 3; i++) a = i8x16.narrow_i16x8_s(b, a);
    return a;
  }
`;

/** The addresses of the vectors a to c, of the result, and of other bytes. */
const [A, B, C, RESULT, OTHER] = [4096, 4112, 4128, 4144, 4160];

/** Compiles a function for each expression, with the functions of assembly/scalar/halves.ts. */
async function compile(expressions: readonly string[]): Promise<Uint8Array<ArrayBuffer>> {
  const functions = expressions.map(
    (expression, i) => `export function f${i}(n: i32): void {
      const at: usize = ${OTHER};
      const a = v128.load(${A}), b = v128.load(${B}), c = v128.load(${C});
      v128.store(${RESULT}, ${expression});
    }`,
  );
  const files = new Map([["program.ts", HELPERS + functions.join("\n")]]);
  let wasm = new Uint8Array();
  const stderr = createMemoryStream();
  const { error } = await main(["program.ts", "assembly/scalar/halves.ts", "--target", "kernel"], {
    stderr,
    readFile: (name) => files.get(name) ?? (/^assembly\/|^asconfig\.json$/.test(name) ? read(name) : null),
    writeFile(name, contents) {
      if (name.endsWith(".wasm")) wasm = Uint8Array.from(contents as Uint8Array);
    },
  });
  if (error !== null) throw new Error(stderr.toString());
  return wasm;
}

type Program = { readonly memory: WebAssembly.Memory } & Readonly<Record<`f${number}`, (n: number) => void>>;

function program(wasm: Uint8Array<ArrayBuffer>) {
  const exports = new WebAssembly.Instance(new WebAssembly.Module(wasm)).exports as Program;
  const memory = new Uint8Array(exports.memory.buffer);
  return (i: number, n: number, given: Uint8Array) => {
    memory.set(given, A);
    exports[`f${i}`](n);
    return memory.slice(A, A + given.length).join(" ");
  };
}

/** Vectors of random bytes, of bytes at the ends of lanes of all widths, or of lanes that are almost equal. */
function* inputs(count: number): Generator<{ n: number; bytes: Uint8Array }> {
  const edges = [0, 1, 2, 0x7e, 0x7f, 0x80, 0x81, 0xfe, 0xff];
  const random = seedrandom("scalar");
  const word = () => random.int32() >>> 0;
  for (let k = 0; k < count; k++) {
    const bytes = Uint8Array.from({ length: 96 }, () => {
      const value = word();
      return k % 2 === 0 ? value : edges[value % edges.length];
    });
    if (k % 3 === 0) for (let i = 0; i < 16; i++) if (word() % 4 > 0) bytes[16 + i] = bytes[i];
    yield { n: k % 5 === 0 ? word() | 0 : k - 40, bytes };
  }
}

describe("the kernel without SIMD", () => {
  test("has each instruction as with SIMD", async () => {
    const halves = [...read("assembly/scalar/halves.ts").matchAll(/^export function (\w+?)_(\w+)/gm)];
    const used = EXPRESSIONS.join(" ").replace(/_(?:low|high)/g, "");
    expect(halves.length).toBeGreaterThan(50);
    expect(halves.map(([, type, name]) => `${type}.${name}(`).filter((name) => !used.includes(name))).toEqual([]);

    const wasm = await compile(EXPRESSIONS);
    const [vector, scalar] = [program(wasm), program(scalarKernel(wasm))];
    for (const { n, bytes } of inputs(300)) {
      for (const [i, expression] of EXPRESSIONS.entries()) {
        expect(scalar(i, n, bytes), `${expression}, n ${n}`).toBe(vector(i, n, bytes));
      }
    }
  });

  test.each([
    ["(i16x8.avgr_u (v128.load (i32.const 0)) (v128.load (i32.const 0)))", "i16x8.avgr_u has no function in assembly/"],
    [
      "(v128.load8_lane 0 (i32.const 0) (v128.const i64x2 0 0))",
      "scripts/scalar-kernel.mjs does not know v128.load8_lane",
    ],
  ])("refuses an instruction that it does not know, by name: %s", (instruction, message) => {
    const text = `(module (memory 1) (func (export "f") (v128.store (i32.const 0) ${instruction})))`;
    const module = binaryen.parseText(text);
    expect(() => scalarKernel(module.emitBinary())).toThrow(message);
    module.dispose();
  });
});

// the engine of these tests has SIMD
compileKernel(readFileSync(new URL("../../build/kernel.scalar.wasm", import.meta.url)));
describe("the golden files, without SIMD", async () => {
  await import("../golden/golden.test.js");
  test("are those of one module, the kernel without SIMD", () => {
    expect(compiledKernel()).toHaveLength(1);
  });
});
