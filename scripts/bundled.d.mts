/** See bundled.mjs. */
export declare function bundled(program: string, options?: { readonly isLater?: boolean }): Promise<number>;
export declare function gzipped(content: string | Uint8Array): number;
