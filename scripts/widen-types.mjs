// Rewrites declarations for every TypeScript from 5.4 on. Before 5.7, typed arrays have no type parameter,
// so `Uint8Array<ArrayBuffer>` is an error there. The return type of `Uint8Array.of` is `Uint8Array<ArrayBuffer>` from
// 5.7 on and `Uint8Array` before. `Symbol.dispose` needs a library file that a program may not have in `lib`.
const LIBRARY = '/// <reference lib="esnext.disposable" />\n';
/** Returns the text of a declaration file in the form that TypeScript 5.4 reads. */
export function widen(text) {
  const arrays = text
    // the default of the type parameter
    .replaceAll(/\b([A-Z]\w+Array)<ArrayBufferLike>/g, "$1")
    .replaceAll(/\b([A-Z]\w+Array)<ArrayBuffer>/g, 'ReturnType<$1Constructor["of"]>')
    .replaceAll("ArrayBufferView<ArrayBuffer>", "(ArrayBufferView & { readonly buffer: ArrayBuffer })");
  const disposes = arrays.includes("[Symbol.dispose]") && !arrays.startsWith(LIBRARY);
  return disposes ? LIBRARY + arrays : arrays;
}
