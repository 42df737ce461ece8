/** A piece of HTML. Texts become HTML only through {@link html}, which escapes them. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The values of a list follow one another, and undefined is left out. */
type Value = string | number | Html | undefined | readonly Value[];

/** Escapes every value that is not {@link Html}. A value may also be in an attribute with quotes. */
export function html(template: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(template.map((text, i) => (i === 0 ? text : `${textOf(values[i - 1])}${text}`)).join(""));
}

/** Only for texts that this program contains, such as style sheets. */
export function trusted(text: string): Html {
  return new Html(text);
}

function textOf(value: Value): string {
  if (value === undefined) return "";
  if (value instanceof Html) return value.text;
  if (typeof value === "object") return value.map(textOf).join("");
  return String(value).replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
