export function makeCase(root: string, seed: number, k: number): readonly (readonly string[])[];
export function canaryOf(root: string): string;
export function flawOf(end: { readonly code: number | null; readonly stderr: string }): string | undefined;
