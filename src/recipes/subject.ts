import { STRENGTH } from "./parse/steps.js";
import type { RecipeSpec, StepSpec } from "./types.js";
import { refuseName } from "./unknownName.js";

/** `step` is undefined for the strength stat. */
interface Subject {
  readonly name: string;
  readonly step: StepSpec | undefined;
}

export function subjectOf({ steps }: RecipeSpec, of: unknown): Subject {
  if (of === STRENGTH) return { name: STRENGTH, step: undefined };
  const subjects = steps.flatMap((step): Subject[] =>
    step.kind === "slots" ? step.slots.map(({ slot }) => ({ name: slot, step })) : [{ name: step.name, step }],
  );
  const found = subjects.find(({ name }) => name === of);
  if (found !== undefined) return found;
  const known = [...subjects.map(({ name }) => name), STRENGTH];
  return refuseName("the recipe has no slot, condition or bonus with this name", "of", of, known);
}
