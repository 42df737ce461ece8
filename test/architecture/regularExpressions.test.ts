import { analyse } from "scslre";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { expectNone, filesIn, nodesIn } from "./sources.js";

/**
 * The flaws of a regular expression whose time is not linear in the length of the text: two adjacent quantifiers over
 * one class, nested quantifiers, and a quantifier that a search begins again at each character.
 */
function flawsOf(source: string, flags: string): string[] {
  return analyse({ source, flags }).reports.map(({ type, character }) => `${type}, for a text with ${character.pick}`);
}

/** The source and the flags of a literal, or of `new RegExp(…)`. A value in a template counts as the letter x. */
function expressionOf(node: ts.Node): readonly [source: string, flags: string] | undefined {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf("/");
    return [node.text.slice(1, end), node.text.slice(end + 1)];
  }
  if (!ts.isNewExpression(node) || node.expression.getText() !== "RegExp") return undefined;
  const [source, flags] = node.arguments ?? [];
  return [textOf(source), flags === undefined ? "" : textOf(flags)];
}

function textOf(node: ts.Node): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) throw new Error(`the text of ${node.getText()} is not known`);
  return node.head.text + node.templateSpans.map(({ literal }) => `x${literal.text}`).join("");
}

describe("regular expressions take linear time (audit 22)", () => {
  test("in every file of src", () => {
    expectNone(filesIn("src", [".ts"]), "no regular expression takes more than linear time", (file) =>
      nodesIn(file).flatMap((node) => {
        const expression = expressionOf(node);
        if (expression === undefined) return [];
        return flawsOf(...expression).map((flaw) => `has ${node.getText()}: ${flaw}`);
      }),
    );
  });

  test.each([
    ["two adjacent quantifiers over one class", /^\s*\s*x/],
    ["an optional character between them", /^\d+\.?\d*$/],
    ["three of them, one lazy", /^.+?:\s*([^:]+?)\s*$/s],
    ["nested quantifiers", /^(?:a+)+$/],
    ["a search that begins again at each zero", /0+$/],
  ])("the check finds %s", (_, { source, flags }) => {
    expect(flawsOf(source, flags)).not.toEqual([]);
  });
});
