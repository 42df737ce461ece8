// Cuts the kernel into parts. A part exports the functions of some wings of assembly/ and those of `core`, and has no
// other functions than these need. Its functions are those of the whole kernel, byte for byte: a part is cut out of the
// compiled kernel, and not compiled again.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import binaryen from "assemblyscript/binaryen";
import { kernelModule } from "./kernel-module.mjs";

/** The wings of each part. Each system names its part in src/SYSTEM/system.ts. */
export const PARTS = {
  draws: ["weighted", "dice", "samples", "tables", "pools"],
  maps: ["walks", "worlds"],
  items: ["recipes", "objects"],
};

/** Writes build/kernel.wasm and its parts, and the modules of src/kernel/bytes, which hold the parts. */
export function writeKernel(root, wasm) {
  const modules = join(root, "src", "kernel", "bytes");
  mkdirSync(modules, { recursive: true });
  writeFileSync(join(root, "build", "kernel.wasm"), wasm);
  const wings = wingsOf(readFileSync(join(root, "src", "kernel", "exports.ts"), "utf8"));
  for (const [name, own] of Object.entries(PARTS)) {
    const part = cut(wasm, new Set(["memory", ...["core", ...own].flatMap((wing) => wings.get(wing))]));
    writeFileSync(join(root, "build", `kernel-${name}.wasm`), part);
    writeFileSync(join(modules, `${name}.ts`), kernelModule(part));
  }
}

/** The exports of each wing, from the interface of the kernel. */
export function wingsOf(boundary) {
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
