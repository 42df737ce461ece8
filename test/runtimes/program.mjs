// Node, Bun and Deno run this. The argument says where the kernel comes from.
import { readFile } from "node:fs/promises";
import * as rollmill from "rollmill";
import * as core from "rollmill/core";
import * as tables from "rollmill/tables";
import { check } from "./check.mjs";
import { texts } from "./texts.mjs";

const url = new URL(import.meta.resolve("rollmill/kernel.wasm"));
const kernels = {
  inside: () => undefined,
  bytes: () => readFile(url),
  response: async () => new Response(await readFile(url), { headers: { "content-type": "application/wasm" } }),
  module: async () => WebAssembly.compile(await readFile(url)),
  url: () => url,
};
const kernel = await kernels[process.argv[2]]();
console.log(JSON.stringify(await check({ rollmill, core, tables }, texts, kernel)));
