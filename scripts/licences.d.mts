/** See licences.mjs. */
export function licencesOf(folders: readonly string[]): string;
