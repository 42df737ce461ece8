import { error, fail } from "../errors/index.js";

const REMEDIES: ReadonlyMap<string, string> = new Map([
  ["ENOSPC", "Free some space, or choose a file on another disk"],
  ["EDQUOT", "Free some space: your quota is used up"],
  ["EIO", "The disk reports a fault: check it, or choose another disk"],
  ["EROFS", "The disk is read-only: choose a file on another disk"],
  ["EACCES", "Choose a folder and a file that you may write to"],
  ["EPERM", "Choose a folder and a file that you may write to"],
  ["ENOENT", "Create the folder first, or choose a folder that exists"],
  ["ENOTDIR", "A part of the path is not a folder: choose another path"],
  ["EISDIR", "This is a folder: choose the path of a file"],
  ["ENAMETOOLONG", "Choose a shorter name"],
  ["ELOOP", "The symbolic links of the path form a circle: remove one of them"],
  ["EFBIG", "The file is too large for the disk or for a limit of the process: write a smaller file"],
  ["EBUSY", "Another program uses the file: choose another file"],
]);

function systemCode(cause: unknown): string | undefined {
  if (!(cause instanceof Error) || !("syscall" in cause)) return undefined;
  return (cause as NodeJS.ErrnoException).code;
}

/** Returns the message of an error, without the path that Node adds to messages about files. */
export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message.replace(/, \w+ '.*$/s, "") : String(cause);
}

/** Throws `file.write` for an error of the system. Rethrows other errors, such as an error from making the content. */
export function failToWrite(file: string, cause: unknown): never {
  const code = systemCode(cause);
  if (code === undefined) throw cause;
  const problem = `cannot write the file (${reasonOf(cause)})`;
  const remedy = REMEDIES.get(code) ?? "Choose another file";
  return fail(error("file.write", { problem, remedy, where: { file } }), cause);
}

/** Throws `file.read` for an error of the system. Rethrows other errors. */
export function failToRead(file: string, cause: unknown): never {
  if (systemCode(cause) === undefined) throw cause;
  const problem = `cannot read the file (${reasonOf(cause)})`;
  return fail(
    error("file.read", { problem, remedy: 'Check the path. In a command, "-" means stdin', where: { file } }),
    cause,
  );
}

/** Returns the result of `work`; undefined if it fails with one of these error codes, such as `ENOENT`. */
export async function unless<T>(codes: readonly string[], work: () => Promise<T>): Promise<T | undefined> {
  return work().catch((cause: unknown) => undefinedFor(codes, cause));
}

export function unlessSync<T>(codes: readonly string[], work: () => T): T | undefined {
  try {
    return work();
  } catch (cause) {
    return undefinedFor(codes, cause);
  }
}

function undefinedFor(codes: readonly string[], cause: unknown): undefined {
  if (!codes.includes(systemCode(cause) ?? "")) throw cause;
}
