/** The systems whose tests run on each mutant of the kernel. */
export declare const SYSTEMS: readonly string[];
