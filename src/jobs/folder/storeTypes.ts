/**
 * Where a job keeps its files. A name is a relative path with `/`, such as `parts/cells/0_-1.part`. A file appears
 * whole or not at all, under its name. Every call throws `job.damaged` for a name that leads out of the store, or
 * through a symbolic link.
 *
 * All calls are synchronous. They run inside tasks, and the thread of a task has nothing else to do meanwhile.
 */
export interface JobStore {
  /** Names the store in messages, for example the path of the folder. */
  readonly place: string;
  /**
   * Writes a file and replaces an old one. When the call returns, the file survives a crash of the machine. If the call
   * fails, the old file is unchanged.
   *
   * @throws RollmillError `file.write`.
   */
  put(name: string, pieces: Iterable<Uint8Array>): void;
  /**
   * Reads a file. Returns undefined if there is no such file.
   *
   * @throws RollmillError `file.read`, also for anything but a regular file, and for more than 256 MiB.
   */
  get(name: string): Uint8Array<ArrayBuffer> | undefined;
  /**
   * Reads `length` bytes of a file, from byte `from` on. If the file ends earlier, reads up to the end of the file. A
   * negative `from` counts from the end of the file. Returns undefined if there is no such file.
   *
   * @param memoryFor - Returns memory for a number of bytes. The result is in this memory. Default: new memory.
   * @throws RollmillError `file.read`.
   */
  read(
    name: string,
    from: number,
    length: number,
    memoryFor?: (bytes: number) => Uint8Array<ArrayBuffer>,
  ): Uint8Array<ArrayBuffer> | undefined;
  /** Returns the size of a file in bytes. Returns undefined if there is no such file, or if it is not a regular file. */
  sizeOf(name: string): number | undefined;
  /**
   * Returns the names of all regular files in a folder and in its subfolders, sorted. Leaves out files that are still
   * being written.
   */
  list(folder: string): string[];
  /** Deletes a file, if it exists. Deletes a symbolic link, and not the file to which it leads. */
  remove(name: string): void;
  /** Deletes a folder with everything in it, if it exists. Deletes links like {@link remove}. */
  removeFolder(name: string): void;
  /**
   * Checks that a folder contains only real folders and regular files, at any depth. Call it before other functions
   * write into the folder.
   *
   * @throws RollmillError `job.damaged`, `file.read`.
   */
  checkOwn(folder: string): void;
  /**
   * Adds a line to a file. Other processes may add lines to the same file at the same time. Only for logs: a crash may
   * lose the line.
   */
  append(name: string, line: string): void;
}
