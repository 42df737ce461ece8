import { PlanImage } from "../kernel/index.js";
import { ObjectHead, ObjectRoom } from "../kernel/layout.js";
import { AllocationTables, placeKindTables, Signatures } from "./compile/allocation.js";
import { objectBytes, PlanParts, refuseAbove, themeBytes } from "./compile/parts.js";
import { placeAffixes, placeArtifacts, placeKinds, placeThemes } from "./compile/records.js";
import { FlagBits } from "./law/flagBits.js";
import type { ObjectFiles } from "./types.js";

/** Edit files in the form that the kernel reads. */
export interface ObjectPlan {
  readonly files: ObjectFiles;
  readonly bits: FlagBits;
  /** The bytes of the plan; assembly/objects/layout.ts draws their layout. */
  readonly image: Uint8Array<ArrayBuffer>;
  /** Offset of the record ObjectRoom in the image. The kernel stores the addresses of its arrays in this record. */
  readonly room: number;
}

/**
 * Compiles edit files into a plan. Pure.
 *
 * Cost: mostly the alias tables, one for each different set of affixes that a kind can get at a real depth, a boosted
 * depth and an affix level. The rest is O(affixes × themes + (kinds + artifacts) × (themes + flags)).
 *
 * @throws RollmillError `object.files` if the plan would be too large (docs/formats/objects.md has the limits). `kernel.memory`
 * if it would exceed 1 GiB.
 */
export function compileObjects(files: ObjectFiles): ObjectPlan {
  const bits = new FlagBits(files.flags);
  refuseTooLarge(files, bits);
  const image = new PlanImage();
  const head = image.reserve(ObjectHead.bytes);
  const room = image.reserve(ObjectRoom.bytes);
  const tables = new AllocationTables(image);
  const isOneAffix = files.rules === "4.2";
  const signatures = new Signatures(image, tables, files);
  const signatureOfKind = files.kinds.map((kind) => (isOneAffix ? 0 : signatures.of(kind)));
  const { artifacts, kinds, slots, themes } = files.constants;
  const parts = new PlanParts(files, bits, image);
  image.set(head, ObjectHead, {
    room,
    ...placeKinds(parts, signatureOfKind),
    kindCount: files.kinds.length,
    isOneAffix: Number(isOneAffix),
    ...placeAffixes(parts),
    themes: placeThemes(parts),
    themeCount: files.themes.length,
    ...placeArtifacts(parts),
    artifactCount: files.artifacts.length,
    flagCount: files.flags.length,
    flagBytes: bits.flagBytes,
    pvalBytes: bits.pvalBytes,
    flagStride: bits.words * Uint32Array.BYTES_PER_ELEMENT,
    pvalStride: bits.pvalNames.length * Int16Array.BYTES_PER_ELEMENT,
    elementWords: bits.elementWords,
    themeBytes: themeBytes(files),
    objectBytes: objectBytes(files, bits),
    ammunition: parts.mask(bits.ammunition),
    ammunitionPvals: image.place(bits.ammunitionPvals),
    levelCount: files.levels.length,
    kindBonus: parts.bonusTable(kinds.bonus),
    outOfDepth: artifacts.outOfDepth,
    fewerSlots: slots.fewerIfGood,
    mostSlots: slots.limit,
    boostOneIn: slots.boostOneIn,
    themeFactor: themes.factor,
    themeParts: themes.leastAffixes,
    ...placeKindTables(image, tables, files),
    // must be last, because the parts above add tables
    ...tables.place(),
  });
  return { files, bits, image: image.bytes, room };
}

/** Maximum size of each part of a plan that grows faster than the files, in bytes. A game uses about a hundredth. */
const MAX_BYTES = 2 ** 26;

/** Refuses files whose plan would be too large, before any part is placed. */
export function refuseTooLarge(files: ObjectFiles, bits: FlagBits): void {
  const { kinds, affixes, themes, artifacts, flags } = files;
  const refuse = (count: number, bytes: number, of: string, given: string) =>
    refuseAbove(Math.floor(MAX_BYTES / bytes), count, {
      problem: `too many ${of}, with ${given}`,
      of,
      remedy: `Reduce the number of ${of}`,
    });
  const pairs = `${affixes.length} affixes and ${themes.length} themes`;
  refuse(affixes.length * themes.length, Uint32Array.BYTES_PER_ELEMENT, "pairs of an affix and a theme", pairs);
  const given = `${themes.length} themes and ${flags.length} flags`;
  refuse(kinds.length + artifacts.length, objectBytes(files, bits), "kinds and artifacts", given);
  refuse(affixes.length, bits.flagBytes, "affixes", `${flags.length} flags`);
}
