import type { System } from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import { ITEMS } from "../kernel/index.js";
import { compileObjects, type ObjectPlan } from "./compile.js";
import { ArtifactStock, artifactKeys } from "./make/stock.js";
import { ObjectMaker, type ObjectState } from "./objectMaker.js";
import { parseObjects } from "./parse.js";
import type { ObjectFiles, ObjectSetup, ObjectTexts } from "./types.js";

/** How a mill parses and compiles edit files, and opens a maker of objects. */
export const objects: System<ObjectSetup, ObjectFiles, ObjectPlan, ObjectMaker, ObjectState> = {
  noun: "objects",
  options: ["files", "stock", "missing"],
  kernel: ITEMS,
  ownKernel: true,
  parse: (texts, { files }) => parseObjects(texts as ObjectTexts, { files }),
  compile: (files, { stock, missing }) => {
    checkStock(stock, missing);
    return compileObjects(files);
  },
  state: ({ files }, { name }, { stock: stockName, missing }) => {
    const keys = new Set(artifactKeys(files.artifacts));
    // the prefix keeps the key of a named stock different from the key of the mill's own stock
    const shared = stockName === undefined ? "artifacts" : `artifacts/${stockName}`;
    return (_, scope) => {
      const stock = scope.shared(shared, (saved) => new ArtifactStock(saved));
      const lost = [...stock.owners].filter(([key, { maker }]) => maker === name && !keys.has(key));
      if (missing !== "drop" && lost.length > 0) refuseMissing(name, lost[0][0]);
      for (const [key] of lost) stock.release(key);
      return { next: 0, stock };
    };
  },
  open: (setup) => {
    // reports a damaged snapshot now instead of in a later call
    setup.stream.state();
    return new ObjectMaker(setup);
  },
};

function checkStock(stock: unknown, missing: unknown): void {
  const refuse = (option: string, got: unknown, expected: string) =>
    fail(error("argument.type", { problem: `invalid option "${option}"`, got, expected }));
  if (stock !== undefined && (typeof stock !== "string" || stock === "")) {
    refuse("stock", stock, "a text of at least 1 character");
  }
  if (missing !== undefined && missing !== "drop") refuse("missing", missing, '"drop"');
}

function refuseMissing(name: string, got: string): never {
  const problem = `the files of the object maker ${JSON.stringify(name)} lack an artifact of the snapshot`;
  const remedy = 'Add the artifact to the files, or open the maker with the option "missing" set to "drop"';
  return fail(error("snapshot.invalid", { problem, got, expected: "files with this artifact", remedy }));
}
