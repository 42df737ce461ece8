/**
 * A kind's name, without the marks of article and plural: "& Cloak & Hood~" is "Cloak & Hood". The name that an object shows is
 * thus one that its kind can be asked for by.
 */
export function plainName(name: string): string {
  const single = name.replaceAll("~", "").replace(/\s+/g, " ").trim();
  return single.replace(/^(?:& ?)+/, "");
}
