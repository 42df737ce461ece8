// Cuts the kernel into parts. A part exports the functions of some wings of assembly/ and those of `core`, and has no
// other functions than these need. Its functions are those of the whole kernel, byte for byte: a part is cut out of the
// compiled kernel, and not compiled again.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import binaryen from "assemblyscript/binaryen";
import { kernelModule } from "./kernel-module.mjs";

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

/** Writes build/kernel.wasm and its parts, and the modules of src/kernel/bytes, which hold the parts. */
export function writeKernel(root, wasm) {
  const modules = join(root, "src", "kernel", "bytes");
  mkdirSync(modules, { recursive: true });
  writeFileSync(join(root, "build", "kernel.wasm"), wasm);
  const boundary = readFileSync(join(root, "src", "kernel", "exports.ts"), "utf8");
  for (const [name, exported] of Object.entries(partsOf(boundary))) {
    const part = cut(wasm, new Set(["memory", ...exported]));
    writeFileSync(join(root, "build", `kernel-${name}.wasm`), part);
    writeFileSync(join(modules, `${name}.ts`), kernelModule(part));
  }
}

/** The exports of each wing. */
function wingsOf(boundary) {
  const [, ...wings] = boundary.split(/^ {2}\/\/ /m);
  return new Map(
    wings.map((text) => [/^\w+/.exec(text)[0], [...text.matchAll(/^ {2}(\w+)\(/gm)].map(([, name]) => name)]),
  );
}

function cut(wasm, exported) {
  const module = binaryen.readBinary(wasm);
  const names = Array.from(
    { length: module.getNumExports() },
    (_, i) => binaryen.getExportInfo(module.getExportByIndex(i)).name,
  );
  for (const name of names) if (!exported.has(name)) module.removeExport(name);
  module.setFeatures(binaryen.Features.All);
  module.runPasses(["remove-unused-module-elements"]);
  const part = module.emitBinary();
  module.dispose();
  return part;
}
