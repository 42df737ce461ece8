/** See bundled.mjs. */
export declare function bundled(program: string): Promise<number>;
export declare function gzipped(content: string | Uint8Array): number;
