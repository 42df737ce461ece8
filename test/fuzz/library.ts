import * as cli from "../../src/cli/main.js";
import * as formats from "../../src/formats/index.js";
import * as main from "../../src/index.js";
import * as jobs from "../../src/jobs/index.js";
import * as recipes from "../../src/recipes/index.js";
import { outcomeOf } from "../hostile/values.mjs";
import { FORMATS, type Library } from "./texts.mjs";

/** The modules of src that the texts of test/fuzz/texts.mjs need. */
export const LIBRARY: Library = { ".": main, "./formats": formats, "./jobs": jobs, "./recipes": recipes, cli };

/** Opens texts in place of the sample texts of a format. Returns an error that the library does not define. */
export function opened(format: string, texts: Readonly<Record<string, string>>): Promise<Error | undefined> {
  const { texts: samples, use } = FORMATS[format];
  return outcomeOf(main, () => use(LIBRARY, { ...samples, ...texts }), []);
}

/** CPU time of this process in milliseconds that an asynchronous call takes. */
export async function cpuOf(call: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
