export function openJobs(library: { readonly "./jobs": object }): Promise<void>;
/** `pid` is the id of another process. */
export function removeJobs(pid?: number): void;
