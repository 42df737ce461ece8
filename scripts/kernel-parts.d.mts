/** The exports of each part, from the text of src/kernel/exports.ts. */
export function partsOf(boundary: string): Record<"draws" | "maps" | "items", string[]>;
