import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/**
 * Runs a part of the build, unless its inputs and outputs are the same as after its last run. A run that was
 * interrupted, or an output that somebody changed or removed, is no reason to trust the outputs: the part runs again.
 *
 * @param root - The folder that all paths are relative to.
 * @param part - `inputs` and `outputs`: paths of files and folders. `isOutput` chooses among the files of `outputs`; by
 * default, all are outputs. An input that is also an output is no input. `stamp`: the file that records the last run.
 * @param options - `force`: run the part in any case. `run`: makes the outputs.
 * @returns whether the part ran.
 */
export function runPart(root, part, { force = false, run }) {
  const stamp = join(root, part.stamp);
  const inputs = inputsHash(root, part);
  const last = existsSync(stamp) ? readFileSync(stamp, "utf8") : "";
  if (!force && last === stampOf(inputs, outputsHash(root, part))) return false;
  rmSync(stamp, { force: true });
  run();
  mkdirSync(dirname(stamp), { recursive: true });
  // a file that changed during the run has the hash of its old text here, so the next build runs again
  writeFileSync(stamp, stampOf(inputs, outputsHash(root, part)));
  return true;
}

const stampOf = (inputs, outputs) => `${inputs}\n${outputs}\n`;

function inputsHash(root, { inputs, ...part }) {
  const outputs = new Set(outputsOf(root, part));
  return hashOf(
    root,
    filesAt(root, inputs).filter((file) => !outputs.has(file)),
  );
}

const outputsHash = (root, part) => hashOf(root, outputsOf(root, part));

const outputsOf = (root, { outputs, isOutput = () => true }) => filesAt(root, outputs).filter(isOutput);

/** The SHA-256 of files: their paths and their contents. */
function hashOf(root, files) {
  const hash = createHash("sha256");
  for (const file of files) {
    const content = readFileSync(join(root, file));
    hash.update(`${JSON.stringify(file)} ${content.length}\n`).update(content);
  }
  return hash.digest("hex");
}

/** The files at some paths, sorted: each path that is a file, and all files in each path that is a folder. */
function filesAt(root, paths) {
  const found = paths.flatMap((path) => {
    const place = join(root, path);
    if (!existsSync(place)) return [];
    if (!statSync(place).isDirectory()) return [path];
    return readdirSync(place, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
  });
  return [...new Set(found)].sort();
}
