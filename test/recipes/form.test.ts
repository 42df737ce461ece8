import fc from "fast-check";
import { expect, test } from "vitest";
import { requestFromForm, resolve } from "../../src/recipes/resolve.js";
import { weapon } from "./small.js";

const { spec, tables } = weapon();

function read(query: string) {
  return requestFromForm(new URLSearchParams(query), spec);
}

test("the article's form asks for a sword", () => {
  const request = read("tier=0&power=1&attribute%5Btype%5D=sword&attribute[prefix]=");
  expect(request).toEqual({ type: "sword" });
  expect(resolve({ spec, tables }, { request }).requests.met).toEqual(["type"]);
});

test("request and attributes mean attribute, and the last field of a slot counts", () => {
  expect(read("request[type]=sword&attributes[abstract]=doom")).toEqual({ type: "sword", abstract: "doom" });
  expect(read("attribute[type]=sword&request[type]=axe")).toEqual({ type: "axe" });
  expect(read("attribute[type]=sword&attribute[type]=")).toEqual({});
});

test("other fields are ignored; words are not changed", () => {
  expect(read("type=sword&attribute=sword&my[type]=x&xattribute[type]=x")).toEqual({});
  expect(read("attribute[type]=' OR 1=1")).toEqual({ type: "' OR 1=1" });
});

test("a request for an unknown slot, or one that cannot be requested, is an error", () => {
  const refused = (path: string) =>
    expect.objectContaining({ issues: [expect.objectContaining({ code: "recipe.request", where: { path } })] });
  for (const slot of ["tpye", "secondElement", "__proto__", "", "type]["]) {
    expect(() => read(`attribute[${slot}]=x`)).toThrow(refused(`request.${slot}`));
  }
  expect(read("attribute[tpye]=")).toEqual({});
});

test("any form gives words of known slots, or a typed error", () => {
  const field = fc.oneof(
    fc.string(),
    fc.string().map((slot) => `attribute[${slot}]`),
    fc.constant("attribute[type]"),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(field, fc.string())), (fields) => {
      try {
        expect(Object.keys(requestFromForm(new URLSearchParams(fields), spec)).every((slot) => slot === "type")).toBe(
          true,
        );
      } catch (cause) {
        expect(cause).toMatchObject({ code: "recipe.request" });
      }
    }),
  );
});
