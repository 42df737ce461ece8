import type { System } from "../calls/index.js";
import { compileObjects, type ObjectPlan } from "./compile.js";
import { digestOf, parseObjectState } from "./make/state.js";
import { ObjectMaker } from "./objectMaker.js";
import { type ParseObjectOptions, parseObjectFiles } from "./parse.js";
import type { ObjectFiles, ObjectTexts } from "./types.js";

/** Makers of objects, as a mill opens them. */
export const objects: System<
  ParseObjectOptions,
  { readonly texts: ObjectTexts; readonly files: ObjectFiles },
  { readonly texts: ObjectTexts; readonly plan: ObjectPlan },
  ObjectMaker
> = {
  noun: "objects",
  options: ["files", "levels"],
  ownKernel: true,
  parse: (input, options) => {
    const texts = input as ObjectTexts;
    const { name: _, ...rest } = options;
    const { files, issues } = parseObjectFiles(texts, rest);
    return { spec: files === undefined ? undefined : { texts, files }, issues };
  },
  compile: ({ texts, files }) => ({ texts, plan: compileObjects(files) }),
  open: ({ kernel, name, stream, plan: { texts, plan } }, _, scope) => {
    let known: string | undefined;
    const digest = () => {
      known ??= digestOf(texts, plan.files.levels);
      return known;
    };
    const restored = parseObjectState(scope.saved, plan.files, digest);
    return new ObjectMaker(kernel, plan, { name, purpose: stream, digest, restored });
  },
};
