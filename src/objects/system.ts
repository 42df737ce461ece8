import type { System } from "../calls/index.js";
import { compileObjects, type ObjectPlan } from "./compile.js";
import { Claims, type ObjectState } from "./kernel/claims.js";
import { readClaims } from "./make/saved.js";
import { ObjectMaker } from "./objectMaker.js";
import { parseObjects } from "./parse.js";
import type { ObjectFiles, ObjectSetup, ObjectTexts } from "./types.js";

/** How a mill parses, compiles and opens a maker of objects. */
export const objects: System<ObjectSetup, ObjectFiles, ObjectPlan, ObjectMaker, ObjectState> = {
  noun: "objects",
  options: ["files"],
  ownKernel: true,
  parse: (texts, { files }) => parseObjects(texts as ObjectTexts, { files }),
  compile: (files) => compileObjects(files),
  state:
    ({ files }) =>
    (saved) => {
      const claims = new Claims(files.artifacts, readClaims(saved, files)?.made);
      const state: ObjectState = {
        next: 0,
        claims,
        // a maker at its beginning continues with any files
        save: () =>
          state.next === 0 && claims.made.length === 0 ? undefined : { files: files.digest, made: claims.made },
      };
      return state;
    },
  open: (setup) => new ObjectMaker(setup),
};
