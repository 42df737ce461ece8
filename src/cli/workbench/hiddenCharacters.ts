// Also runs in pages.

/** Control characters, characters that change the direction of the text around them, and characters without width. */
const HIDDEN = /[\p{Control}\p{Bidi_Control}\p{Zl}\p{Zp}\u00ad\u200b\u2060-\u2064\ufeff]/gu;

/** Returns a text whose hidden characters are shown as their numbers, such as ⟨U+202E⟩. */
export function unhidden(text: string): string {
  return text.replace(HIDDEN, (character) => {
    const number = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
    return `⟨U+${number}⟩`;
  });
}
