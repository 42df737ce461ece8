// Describes the machine on which the figures were measured.

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

/**
 * {rollmill, node, processor, cores, compiler (null if there is none), date}: the data that every table of figures must
 * have.
 */
export async function machine() {
  return {
    rollmill: versionAt("../package.json"),
    node: process.versions.node,
    processor: cpus()[0].model.trim(),
    cores: cpus().length,
    compiler: await describeCompiler(),
    date: new Date().toISOString().slice(0, 10),
  };
}

/** The first lines of a report: processor, Node, compiler, and the versions of Rollmill and all packages. */
export async function describeMachine() {
  const gibibytes = Math.round(totalmem() / 2 ** 30);
  const { rollmill, node, processor, cores, compiler } = await machine();
  const packages = PACKAGES.map((name) => `${name} ${versionAt(`../node_modules/${name}/package.json`)}`);
  return [
    `rollmill ${rollmill} on Node ${node} (V8 ${process.versions.v8})`,
    `${processor}, ${cores} cores, ${gibibytes} GiB, ${process.platform} ${process.arch}`,
    compiler ?? "no C compiler: the C rivals are left out",
    packages.join(", "),
  ];
}

function versionAt(path) {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8")).version;
}
