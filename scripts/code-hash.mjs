import { createHash } from "node:crypto";
import { rolldown } from "rolldown";

/** The files that make the parts of a job and compute its digest. The code is these files and all that they import. */
const ENTRIES = ["./src/jobs/runner/thread.ts", "./src/jobs/folder/result.ts"];

/**
 * Returns the SHA-256 of the code that decides the result of a job: sources, kernel and packages. Equal sources and
 * packages have the same hash in every folder and on every machine. Comments and spaces do not change the hash.
 *
 * @param root - The folder of the project. Its kernel and its data must be built.
 */
export async function codeHashOf(root) {
  const build = await rolldown({
    input: ENTRIES,
    cwd: root,
    // the packages in dist/vendor are built for this platform
    platform: "browser",
    // the second module contains the hash
    external: [/^node:/, /\/codeHash\.js$/],
    resolve: { extensionAlias: { ".js": [".ts"] } },
    transform: { target: "es2023" },
    // the comments that this leaves out name the folders of modules
    experimental: { attachDebugInfo: "none" },
    onLog: (level, log) => {
      if (level === "warn") throw new Error(log.message);
    },
  });
  const { output } = await build.generate({ format: "esm", minify: false, comments: false });
  await build.close();
  const texts = output.map(({ code }) => code).sort();
  return createHash("sha256").update(texts.join("")).digest("hex");
}
