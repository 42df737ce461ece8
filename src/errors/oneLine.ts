/**
 * Characters that could control a terminal, begin a new line, or reorder the text. They are the control characters, the
 * line separators, and the marks of Unicode's bidirectional algorithm. Source: UAX #9, section 2.
 */
const CONTROLS = /[\p{Control}\p{Bidi_Control}\u2028\u2029]/gu;
const CONTROLS_IN_LINES = /(?![\t\n])[\p{Control}\p{Bidi_Control}\u2028\u2029]/gu;

/** Replaces control characters by escapes such as \u000a, so that a text from an input cannot forge a line of a log. */
export function oneLine(text: string): string {
  return text.replace(CONTROLS, escaped);
}

/** Replaces control characters by escapes, except tabs and line feeds. */
export function safeLines(text: string): string {
  return text.replace(CONTROLS_IN_LINES, escaped);
}

function escaped(one: string): string {
  return `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
