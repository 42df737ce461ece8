// Cuts the kernel into parts. A part exports the functions of some wings of assembly/ and those of `core`, and has no
// other functions than these need. Its functions are those of the whole kernel, byte for byte: a part is cut out of the
// compiled kernel, and not compiled again. The kernel for engines without SIMD is made of the compiled kernel too.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import binaryen from "assemblyscript/binaryen";
import { kernelModule } from "./kernel-module.mjs";
import { isHalf, scalarKernel } from "./scalar-kernel.mjs";

/** The wings of the parts but `draws`, which has all others. The systems name these parts in src/SYSTEM/system.ts. */
const APART = { maps: ["walks", "worlds"], items: ["recipes", "objects"] };

/** The exports of each part, from the text of src/kernel/exports.ts. */
export function partsOf(boundary) {
  const wings = wingsOf(boundary);
  const apart = Object.values(APART).flat();
  const parts = { draws: [...wings.keys()].filter((wing) => !apart.includes(wing)), ...APART };
  return Object.fromEntries(
    Object.entries(parts).map(([name, own]) => [
      name,
      [...new Set(["core", ...own])].flatMap((wing) => wings.get(wing)),
    ]),
  );
}

/**
 * Writes the kernel, its parts and the kernel without SIMD into build/, and the modules of src/kernel/bytes, which hold
 * them.
 *
 * @param wasm - compiled with assembly/scalar/halves.ts
 */
export function writeKernel(root, wasm) {
  const boundary = readFileSync(join(root, "src", "kernel", "exports.ts"), "utf8");
  write(root, "kernel.wasm", withoutHalves(wasm));
  for (const [name, exported] of Object.entries(partsOf(boundary))) {
    write(root, `kernel-${name}.wasm`, cut(wasm, ["memory", ...exported]), name);
  }
  write(root, "kernel.scalar.wasm", scalarKernel(wasm), "scalar");
}

/** Writes the kernel for plan files, with and without SIMD. */
export function writePlansKernel(root, wasm) {
  write(root, "kernel-plans.wasm", withoutHalves(wasm), "plans");
  write(root, "kernel-plans.scalar.wasm", scalarKernel(wasm), "plansScalar");
}

function write(root, file, wasm, module) {
  writeFileSync(join(root, "build", file), wasm);
  if (module === undefined) return;
  const modules = join(root, "src", "kernel", "bytes");
  mkdirSync(modules, { recursive: true });
  writeFileSync(join(modules, `${module}.ts`), kernelModule(wasm));
}

/** The exports of each wing. */
function wingsOf(boundary) {
  const [, ...wings] = boundary.split(/^ {2}\/\/ /m);
  return new Map(
    wings.map((text) => [/^\w+/.exec(text)[0], [...text.matchAll(/^ {2}(\w+)\(/gm)].map(([, name]) => name)]),
  );
}

function withoutHalves(wasm) {
  return cut(
    wasm,
    exportsOf(wasm).filter((name) => !isHalf(name)),
  );
}

function cut(wasm, exported) {
  const module = binaryen.readBinary(wasm);
  for (const name of exportsOf(wasm)) if (!exported.includes(name)) module.removeExport(name);
  module.setFeatures(binaryen.Features.All);
  module.runPasses(["remove-unused-module-elements"]);
  const part = module.emitBinary();
  module.dispose();
  return part;
}

function exportsOf(wasm) {
  return WebAssembly.Module.exports(new WebAssembly.Module(wasm)).map(({ name }) => name);
}
