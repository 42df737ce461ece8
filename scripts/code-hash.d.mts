/** Returns the SHA-256 of the code that decides the result of a job, of the project in the folder `root`. */
export declare function codeHashOf(root: string): Promise<string>;
