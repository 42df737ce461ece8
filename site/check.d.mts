/** See check.mjs. */
export declare function flawsOf(folder: string, base: string): string[];
