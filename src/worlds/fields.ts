import { FIELD_MOST, type FieldForm, type FieldSpec } from "./types.js";

/** Returns the fields that a field refers to directly. */
export function fieldsUsedBy(field: FieldForm): readonly number[] {
  return "of" in field ? [field.of].flat().map((one) => (typeof one === "number" ? one : one.field)) : [];
}

/** Returns a field with something else in place of the indices of the layers and fields that it refers to. */
export function withReferences<Layer, Other>(
  field: FieldForm,
  layerOf: (layer: number) => Layer,
  fieldOf: (field: number) => Other,
) {
  switch (field.kind) {
    case "distance":
    case "visits":
    case "firstVisit":
      return { ...field, layer: layerOf(field.layer) };
    case "sum":
      return { ...field, of: field.of.map((term) => ({ ...term, field: fieldOf(term.field) })) };
    case "least":
    case "most":
      return { ...field, of: field.of.map((index) => fieldOf(index)) };
    case "curve":
      return { ...field, of: fieldOf(field.of) };
    default:
      return field;
  }
}

/** Returns these fields and all fields that they depend on. */
export function withSources(fields: readonly FieldSpec[], indices: Iterable<number>): Set<number> {
  const used = new Set(indices);
  // the loop also visits indices that are added meanwhile
  for (const index of used) for (const source of fieldsUsedBy(fields[index])) used.add(source);
  return used;
}

/** Returns the table that maps a count or a distance 0 … most to a value 0 … FIELD_MOST. */
export function scaleTable(most: number): Uint16Array {
  return Uint16Array.from({ length: most + 1 }, (_, n) => Math.floor((n * FIELD_MOST) / most));
}

/** Returns the value of a curve for each value of its field. */
export function curveTable(points: readonly (readonly [from: number, to: number])[]): Uint16Array {
  const values = new Uint16Array(FIELD_MOST + 1);
  values.fill(points[0][1], 0, points[0][0]);
  for (const [i, [x0, y0]] of points.entries()) {
    const [x1, y1] = points[i + 1] ?? [FIELD_MOST + 1, y0];
    for (let x = x0; x < x1; x++) values[x] = y0 + Math.floor(((y1 - y0) * (x - x0)) / (x1 - x0));
  }
  return values;
}

/** Returns for each field a range that contains all its values. */
export function boundsOf(fields: readonly FieldSpec[]): (readonly [least: number, most: number])[] {
  const bounds: (readonly [number, number])[] = [];
  for (const field of fields) bounds.push(boundsOfField(field, bounds));
  return bounds;
}

function boundsOfField(field: FieldSpec, of: readonly (readonly [number, number])[]): readonly [number, number] {
  switch (field.kind) {
    case "sum": {
      const bound = (end: 0 | 1) => {
        const terms = field.of.map((term) => term.factor * of[term.field][term.factor < 0 ? 1 - end : end]);
        const sum = terms.reduce((total, term) => total + term, field.plus);
        return Math.min(FIELD_MOST, Math.max(0, Math.floor(sum / field.over)));
      };
      return [bound(0), bound(1)];
    }
    case "least":
    case "most": {
      const pick = field.kind === "least" ? Math.min : Math.max;
      return [pick(...field.of.map((index) => of[index][0])), pick(...field.of.map((index) => of[index][1]))];
    }
    case "curve": {
      const [least, most] = of[field.of];
      const values = curveTable(field.points).subarray(least, most + 1);
      return [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
    }
    default:
      return [0, FIELD_MOST];
  }
}
