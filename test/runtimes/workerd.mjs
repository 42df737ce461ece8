// An edge worker. It cannot compile WebAssembly, so the kernel is a module of the worker.
import * as rollmill from "rollmill";
import * as core from "rollmill/core";
import kernel from "rollmill/kernel.wasm";
import * as tables from "rollmill/tables";
import { check } from "./check.mjs";
import { texts } from "./texts.mjs";

/** What a worker's runtime calls. Its loader finds it only as the default export. */
const handler = {
  fetch: async () => Response.json(await check({ rollmill, core, tables }, texts, kernel)),
};

export { handler as default };
