// Measures what a page must download for a program, as a bundler makes it.
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";

const DIST = fileURLToPath(new URL("../dist", import.meta.url));

/**
 * The size of a minified bundle of a program, gzipped, in bytes. The program imports the library from `dist/`.
 *
 * @param options - `isLater`: whether the chunks that it loads later count too. Default true.
 */
export async function bundled(program, { isLater = true } = {}) {
  const entry = {
    name: "program",
    resolveId: (id) => (id === "program" ? id : undefined),
    load: (id) => (id === "program" ? program : undefined),
  };
  const build = await rolldown({
    input: "program",
    // a page in an engine with SIMD never downloads it
    external: /\/kernel-(?:plans-)?scalar\.js$/,
    platform: "browser",
    plugins: [entry],
    resolve: { alias: { dist: DIST } },
  });
  const { output } = await build.generate({ format: "esm", minify: true });
  await build.close();
  const first = output.find((file) => file.isEntry);
  const files = isLater ? output : output.filter((file) => file === first || first.imports.includes(file.fileName));
  return files.reduce((sum, file) => sum + gzipped(file.type === "chunk" ? file.code : file.source), 0);
}

/** The size of a text or bytes, gzipped, in bytes. */
export function gzipped(content) {
  return gzipSync(content, { level: 9 }).length;
}
