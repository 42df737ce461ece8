import { error, fail } from "../errors/index.js";
import { PlanImage } from "../kernel/index.js";
import { ObjectHead, ObjectRoom } from "../kernel/layout.js";
import { AllocationTables, placeKindTables, Signatures } from "./compile/allocation.js";
import { FlagBits } from "./compile/flagBits.js";
import {
  FlagLists,
  objectBytes,
  placeAffixes,
  placeArtifacts,
  placeKinds,
  placeMask,
  placeThemes,
  RandomNumbers,
  themeBytes,
} from "./compile/records.js";
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
  const context = { files, bits, image, numbers: new RandomNumbers(image), lists: new FlagLists(image, bits) };
  image.set(head, ObjectHead, {
    room,
    ...placeKinds(context, signatureOfKind),
    kindCount: files.kinds.length,
    isOneAffix: Number(isOneAffix),
    ...placeAffixes(context),
    themes: placeThemes(context),
    themeCount: files.themes.length,
    ...placeArtifacts(context),
    artifactCount: files.artifacts.length,
    flagCount: files.flags.length,
    flagBytes: bits.flagBytes,
    pvalBytes: bits.pvalBytes,
    flagStride: bits.words * Uint32Array.BYTES_PER_ELEMENT,
    pvalStride: bits.pvalNames.length * Int16Array.BYTES_PER_ELEMENT,
    elementWords: bits.elementWords,
    themeBytes: themeBytes(files),
    objectBytes: objectBytes(files, bits),
    ammunition: placeMask(context, bits.ammunition),
    ammunitionPvals: image.place(bits.ammunitionPvals),
    levelCount: files.levels.length,
    kindBonus: context.numbers.bonusTable(kinds.bonus),
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

/**
 * Refuses files whose plan would be too large, before any part is placed.
 *
 * @throws RollmillError `object.files`
 */
export function refuseTooLarge(files: ObjectFiles, bits: FlagBits): void {
  const { kinds, affixes, themes, artifacts, flags } = files;
  const records = kinds.length + artifacts.length;
  const pairBytes = Uint32Array.BYTES_PER_ELEMENT;
  const pairs = `${affixes.length} affixes and ${themes.length} themes`;
  refuseAbove(affixes.length * themes.length, pairBytes, { what: "pairs of an affix and a theme", given: pairs });
  const given = `${themes.length} themes and ${flags.length} flags`;
  refuseAbove(records, objectBytes(files, bits), { what: "kinds and artifacts", given });
  refuseAbove(affixes.length, bits.flagBytes, { what: "affixes", given: `${flags.length} flags` });
}

interface Part {
  readonly what: string;
  readonly given: string;
}

function refuseAbove(count: number, bytes: number, { what, given }: Part): void {
  const most = Math.floor(MAX_BYTES / bytes);
  if (count <= most) return;
  const problem = `too many ${what}, with ${given}`;
  const expected = `at most ${most} ${what}`;
  fail(error("object.files", { problem, got: count, expected, remedy: `Reduce the number of ${what}` }));
}
