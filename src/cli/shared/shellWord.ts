import { sep } from "node:path";

const IS_WINDOWS = sep === "\\";
/** No shell changes these words. On Windows, a backslash separates folders; elsewhere, it escapes. */
const PLAIN = IS_WINDOWS ? /^[\w./:@+\\-]+$/ : /^[\w./:@+-]+$/;

/**
 * Returns a text as one word of a command line. Every command that is printed for copying takes its paths and names
 * through this function: otherwise a folder named `$(…)` would run as a command.
 *
 * In single quotes, every character but the single quote stands for itself. Sources: POSIX, Shell Command Language,
 * section 2.2.2; about_Quoting_Rules of PowerShell.
 */
export function shellWord(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", IS_WINDOWS ? "''" : "'\\''")}'`;
}
