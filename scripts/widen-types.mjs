// Rewrites the declarations in dist for every TypeScript from 5.4 on. Before 5.7, typed arrays have no type parameter,
// so `Uint8Array<ArrayBuffer>` is an error there. The return type of `Uint8Array.of` is `Uint8Array<ArrayBuffer>` from
// 5.7 on and `Uint8Array` before. `Symbol.dispose` needs a library file that a program may not have in `lib`.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const LIBRARY = '/// <reference lib="esnext.disposable" />\n';
const dist = fileURLToPath(new URL("../dist/", import.meta.url));

for (const file of readdirSync(dist, { recursive: true })) {
  if (!file.endsWith(".d.ts")) continue;
  const text = readFileSync(dist + file, "utf8");
  const widened = widen(text);
  if (widened !== text) writeFileSync(dist + file, widened);
}

function widen(text) {
  const arrays = text
    .replaceAll(/\b([A-Z]\w+Array)<ArrayBuffer>/g, 'ReturnType<$1Constructor["of"]>')
    .replaceAll("ArrayBufferView<ArrayBuffer>", "(ArrayBufferView & { readonly buffer: ArrayBuffer })");
  const disposes = arrays.includes("[Symbol.dispose]") && !arrays.startsWith(LIBRARY);
  return disposes ? LIBRARY + arrays : arrays;
}
