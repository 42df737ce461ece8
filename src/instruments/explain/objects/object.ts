import type { MadeObjects } from "../../../objects/make/madeObjects.js";
import { readLimit, readRequest } from "../../../objects/make/request.js";
import { ArtifactStock, artifactKeys } from "../../../objects/make/stock.js";
import type { ObjectMaker } from "../../../objects/objectMaker.js";
import type { ObjectRequest } from "../../../objects/odds/impossible.js";
import type { MadeObject, ObjectOptions } from "../../../objects/types.js";
import type { Tracer } from "../tracer.js";
import { Artifacts } from "./artifacts.js";
import { Egos } from "./egos.js";
import { Version4 } from "./version4.js";
import { Words } from "./words.js";

/** Makes an object with a copy of the stock of artifacts, so that the maker's own stock does not change. */
export function makeAgain(maker: ObjectMaker, index: number, options: ObjectOptions): MadeObjects {
  const keys = artifactKeys(maker.files.artifacts);
  const saved = maker.claims.map(({ artifact, ...owner }) => {
    return { artifact: keys[maker.files.artifacts.indexOf(artifact)], ...owner };
  });
  return maker.makeWith(new ArtifactStock(saved), 1, { ...options, from: index });
}

export function traceObject(maker: ObjectMaker, tracer: Tracer, index: number, options: ObjectOptions): MadeObject {
  const { plan, files } = maker;
  const request = { ...readRequest(files, options), limit: readLimit(files, options.limit) };
  const words = new Words(tracer, index);
  const call = { plan, request, words, artifacts: new Artifacts(maker, request, index), index };
  for (let attempt = 1; ; attempt++) {
    const draft =
      files.rules === "4.2" ? new Egos({ ...call, attempt }).make() : new Version4({ ...call, attempt }).make();
    if (draft === undefined) continue;
    const made = draft.made(request, index, words.count);
    if (hasRequested(made, request)) return made;
  }
}

/** A requested affix that is listed twice must occur twice. */
function hasRequested({ affixes, theme }: MadeObject, request: ObjectRequest): boolean {
  if (request.theme !== undefined && theme !== request.theme) return false;
  const missing = [...request.affixes];
  for (const affix of affixes) {
    const at = missing.indexOf(affix);
    if (at >= 0) missing.splice(at, 1);
  }
  return missing.length === 0;
}
