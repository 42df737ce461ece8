/** Maximum length of a file name in bytes of UTF-8, in common file systems. */
const MAX_FILE_NAME_BYTES = 255;
/**
 * Names of devices in every folder of Windows, with any extension. Source: Microsoft, "Naming Files, Paths, and
 * Namespaces".
 */
const DEVICES = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:\.|$)/i;
/** Characters without a visible form: white space, format characters, fillers and the empty Braille pattern. */
const BLANK = /^[\p{White_Space}\p{Format}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/**
 * Checks that a name, followed by an extension such as ".csv", can be the name of a file in Linux, macOS and Windows.
 * Such a name never leads out of the folder. Every name of a spec that becomes a part of a path must pass this check,
 * when the spec is parsed and when the path is made. Returns undefined if it does; otherwise describes what was
 * expected.
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

/**
 * Returns the form of a name that is the same for all names that can lead to the same file: macOS and Windows ignore
 * case, and macOS ignores how accents are encoded.
 */
export function fileNameKey(name: string): string {
  return name.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
}

/** Whether a text has no visible character: it is empty, or has only white space and characters without width. */
export function isBlank(text: string): boolean {
  return BLANK.test(text);
}
