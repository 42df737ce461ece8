/** A piece of HTML. Texts become HTML only through {@link html}, which escapes them. */
export class Html {
  readonly text: string;

  /** @internal Use {@link html}, or {@link trusted} for a text of this program. */
  constructor(text: string) {
    this.text = text;
  }
}

/** A value in a template. A list is joined; undefined is left out. */
type Value = string | number | Html | undefined | readonly Value[];

/** Returns a template as HTML. Escapes every value that is not HTML itself, also in attributes with quotes. */
export function html(template: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(template.map((text, i) => (i === 0 ? text : `${textOf(values[i - 1])}${text}`)).join(""));
}

/** Marks a text as HTML. Only for texts of this program, such as style sheets. */
export function trusted(text: string): Html {
  return new Html(text);
}

function textOf(value: Value): string {
  if (value === undefined) return "";
  if (value instanceof Html) return value.text;
  if (typeof value === "object") return value.map(textOf).join("");
  return String(value).replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
