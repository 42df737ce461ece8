import type { Field, SpecReader } from "../../spec/index.js";
import { sourceAt, sourcesUsedBy } from "../../walks/compile.js";
import { fieldsUsedBy } from "../fields.js";
import type { WorldSpec } from "../types.js";

type Parts = Pick<WorldSpec, "walk" | "fields">;

/** Reports layers that read a field which depends on the layer itself, or on a later layer. */
export function refuseLateFields(reader: SpecReader, at: Field, { walk, fields }: Parts): void {
  const uses = usesOf({ walk, fields });
  const places = new Map(walk.layers.map(({ name }, l) => [name, l]));
  for (const [l, { name }] of walk.layers.entries()) {
    for (const used of uses.get(name) ?? []) {
      if (places.has(used)) continue;
      const cycle = wayFrom(used, uses, (other) => other === name);
      const way = cycle ?? wayFrom(used, uses, (other) => (places.get(other) ?? 0) > l);
      if (way === undefined) continue;
      const problem =
        cycle === undefined
          ? `the layer ${JSON.stringify(name)} reads a field that depends on a later layer`
          : "layers and fields depend on each other in a cycle";
      const expected = "fields that depend only on earlier layers";
      reader.report(at.part(l), { problem, got: [name, ...way].join(" → "), expected });
    }
  }
}

/** For each layer and field, returns the names of the layers and fields that it uses directly. */
function usesOf({ walk, fields }: Parts): ReadonlyMap<string, readonly string[]> {
  const layerName = (layer: number) => walk.layers[layer].name;
  const sourceName = (source: number) => {
    const { layer, field } = sourceAt(walk, source);
    return layer === undefined ? walk.fields[field] : layerName(layer);
  };
  return new Map([
    ...walk.layers.map((layer) => [layer.name, sourcesUsedBy(layer).map(sourceName)] as const),
    ...fields.map((field) => {
      const read = "layer" in field ? [layerName(field.layer)] : [];
      return [field.name, [...read, ...fieldsUsedBy(field).map((used) => walk.fields[used])]] as const;
    }),
  ]);
}

/** Returns the names on a way from one name to a goal, both included. Undefined if there is no way. */
function wayFrom(
  name: string,
  uses: ReadonlyMap<string, readonly string[]>,
  isGoal: (name: string) => boolean,
  seen = new Set<string>(),
): string[] | undefined {
  if (isGoal(name)) return [name];
  if (seen.has(name)) return undefined;
  seen.add(name);
  for (const used of uses.get(name) ?? []) {
    const way = wayFrom(used, uses, isGoal, seen);
    if (way !== undefined) return [name, ...way];
  }
  return undefined;
}
