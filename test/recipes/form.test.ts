import fc from "fast-check";
import { expect, test } from "vitest";
import { RollmillError } from "../../src/errors/index.js";
import { requestFromForm } from "../../src/recipes/form.js";
import { resolve } from "../../src/recipes/resolve.js";
import { weapon } from "./small.js";

const { spec, tables } = weapon();

function read(query: string) {
  return requestFromForm(new URLSearchParams(query), spec);
}

test("the article's form asks for a sword", () => {
  const request = read("tier=0&power=1&attribute%5Btype%5D=sword&attribute[prefix]=");
  expect(request).toEqual({ type: "sword" });
  expect(resolve(spec, tables, { request }).met).toEqual(["type"]);
});

test("request and attributes are as good as attribute, and the last field of a slot counts", () => {
  expect(read("request[type]=sword&attributes[abstract]=doom")).toEqual({ type: "sword", abstract: "doom" });
  expect(read("attribute[type]=sword&request[type]=axe")).toEqual({ type: "axe" });
  expect(read("attribute[type]=sword&attribute[type]=")).toEqual({});
});

test("other fields are not looked at; words are taken as they are", () => {
  expect(read("type=sword&attribute=sword&my[type]=x&xattribute[type]=x")).toEqual({});
  expect(read("attribute[type]=' OR 1=1")).toEqual({ type: "' OR 1=1" });
});

test("a slot that is not there is an error with the nearest one, unless nothing is asked of it", () => {
  expect(() => read("attribute[tpye]=sword")).toThrow(/Did you mean "type".*recipe.request/);
  expect(() => read("attribute[secondElement]=frozen")).toThrow(/only follows element/);
  expect(() => read("attribute[__proto__]=x")).toThrow(RollmillError);
  expect(() => read("attribute[]=x")).toThrow(RollmillError);
  expect(() => read("attribute[type][]=x")).toThrow(RollmillError);
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
