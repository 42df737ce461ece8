// A page without a bundler. The import map says where the modules are.
import * as rollmill from "rollmill";
import { check } from "./check.mjs";
import { texts } from "./texts.mjs";

// the one-file build has no sub-paths
const hasPaths = "rollmill/core" in JSON.parse(document.querySelector("script[type=importmap]").textContent).imports;
const core = hasPaths ? await import("rollmill/core") : undefined;
const tables = hasPaths ? await import("rollmill/tables") : undefined;

globalThis.run = () => check({ rollmill, core, tables }, texts);
