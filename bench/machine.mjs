// What the figures were measured on.

import { readFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { describeCompiler } from "./rivals/c.mjs";

const PACKAGES = [
  "benchmark",
  "pandemonium",
  "walker-sample",
  "rot-js",
  "chance",
  "@thi.ng/random",
  "loot-table",
  "oldschooljs",
  "honeycomb-grid",
  "pure-rand",
  "seedrandom",
];

/** The lines that head a report: processor, Node, compiler, and the version of everything that is compared. */
export async function describeMachine() {
  const gibibytes = Math.round(totalmem() / 2 ** 30);
  const [{ model }] = cpus();
  const compiler = await describeCompiler();
  const packages = PACKAGES.map((name) => `${name} ${versionAt(`../node_modules/${name}/package.json`)}`);
  return [
    `rollmill ${versionAt("../package.json")} on Node ${process.versions.node} (V8 ${process.versions.v8})`,
    `${model.trim()}, ${cpus().length} cores, ${gibibytes} GiB, ${process.platform} ${process.arch}`,
    compiler ?? "no C compiler: the C rivals are left out",
    packages.join(", "),
  ];
}

function versionAt(path) {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8")).version;
}
