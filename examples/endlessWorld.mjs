// Reads examples/endless.json with the edit files that it refers to. It needs no Node, so a page can use it too.

const FILES = { object: "object", objectBase: "object_base", egoItem: "ego_item", artifact: "artifact" };

/**
 * Returns the spec of the world.
 *
 * @param read - Returns a promise of the text of a file, whose path is relative to the folder of examples.
 */
export async function readEndlessWorld(read) {
  const { $schema: _, ...spec } = JSON.parse(await read("endless.json"));
  const { files: folder } = spec.objects.hoard;
  const entries = Object.entries(FILES).map(async ([key, file]) => [key, await read(`${folder}/${file}.txt`)]);
  return { ...spec, objects: { hoard: Object.fromEntries(await Promise.all(entries)) } };
}
