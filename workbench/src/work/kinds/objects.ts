import { descriptionOf, FILE_NAMES, type ObjectTexts, objects, parseObjects } from "../../../../src/objects/index.js";
import type { Files } from "../../document.js";
import { explained, folderOf, millOf, type Open, SAMPLES, specOf } from "./kind.js";

export const open: Open = async (source) => {
  const { files, file, options } = source;
  const level = Number(options?.["with level"] ?? 0);
  const mill = await millOf(source, [objects]);
  const { texts, paths } = textsBeside(files, file);
  const parsed = parseObjects(texts, { files: paths });
  const maker = mill.open(objects, folderOf(file).replace(/\/$/, "") || "objects", specOf(parsed));
  // made once, because each artifact is made at most once
  const items = Array.from(maker.makeMany(SAMPLES, { from: 0, level }), (object) => {
    const { name, theme, affixes, description } = descriptionOf(maker.files, object);
    const parts = { theme, affixes: affixes.map((affix) => affix.name).join(", "), text: description.join(" ") };
    return { name, ...Object.fromEntries(Object.entries(parts).filter(([, part]) => part)) };
  });
  return {
    issues: parsed.issues,
    planned: { noun: maker, options: { level } },
    look: () => ({ view: "items", level, items }),
    explain: (at) => explained(maker, at, { level }),
    [Symbol.dispose]: () => mill.dispose(),
  };
};

/** The edit files in the folder of one of them. */
function textsBeside(files: Files, file: string) {
  const found = Object.entries(FILE_NAMES).flatMap(([key, name]) => {
    const path = `${folderOf(file)}${name}`;
    return Object.hasOwn(files, path) ? [[key, path] as const] : [];
  });
  // the cast is safe: the parser says which texts are missing
  const texts = Object.fromEntries(found.map(([key, path]) => [key, files[path]])) as unknown as ObjectTexts;
  return { texts, paths: Object.fromEntries(found) };
}
