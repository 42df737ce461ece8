/** Maximum length of a file name in most file systems, in bytes of UTF-8. */
const MAX_FILE_NAME_BYTES = 255;
/** Names that Windows reserves in every folder. Source: Microsoft, "Naming Files, Paths, and Namespaces". */
const DEVICES = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:\.|$)/i;
/** Matches names without a visible character: white space, format characters, fillers and the empty Braille pattern. */
const BLANK = /^[\p{White_Space}\p{Format}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/**
 * Checks that `name + extension` is a valid file name on Linux, macOS and Windows, and does not lead out of its folder.
 * Returns undefined, or what was expected.
 */
export function fileNameFlaw(name: string, extension = ""): string | undefined {
  const most = MAX_FILE_NAME_BYTES - extension.length;
  if (name === "" || new TextEncoder().encode(name).length > most) return `a name of 1 to ${most} bytes`;
  if (/[\p{Control}\p{Surrogate}<>:"/\\|?*]/u.test(name))
    return 'a name without control characters, lone surrogates and the characters < > : " / \\ | ? *';
  if (name.startsWith(".") || /[. ]$/.test(name))
    return "a name that neither starts with a dot nor ends with a dot or a space";
  if (DEVICES.test(name)) return "a name other than CON, PRN, AUX, NUL, COM0 to COM9 and LPT0 to LPT9";
  return undefined;
}

/** Checks that a relative path has valid file names between its slashes. Returns undefined, or what was expected. */
export function filePathFlaw(path: string): string | undefined {
  for (const part of path.split("/")) {
    const flaw = fileNameFlaw(part);
    if (flaw !== undefined) return `${flaw}, in each part of the path`;
  }
  return undefined;
}

/** Returns equal keys for names of the same file: macOS and Windows ignore case, macOS also the coding of accents. */
export function fileNameKey(name: string): string {
  return name.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
}

export function isBlank(text: string): boolean {
  return BLANK.test(text);
}
