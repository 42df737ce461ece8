import { describe, expect, test } from "vitest";
import { affixNamed, artifactNamed, kindNamed, plainName, themeNamed } from "../../src/objects/parse/names.js";
import { filesOf } from "./oddsFiles.js";

const files = filesOf({
  object: `N:0:<pile>
I:0:0
N:1:& Kris~
I:23:4
N:2:Pair~ of Clogs
I:30:1
N:3:& Speed~
I:45:1
N:4:Speed~
I:75:1
N:5:SPEED
I:66:1
N:6:7
I:70:1
N:7:& Scroll~
I:70:2
`,
  egoItem: "N:1:prefix:Hewn\nN:2:prefix:HEWN\nN:3:prefix:& Tilde~\n",
  egoThemes: "N:1:suffix:of Twins\nT:sword:0:9:1 to 9\nN:2:suffix:of Twins\nT:helm:0:9:1 to 9\nT:crown:0:9:1 to 9\n",
});
const numberOf = (name: string) => kindNamed(files, name).number;

describe("records by name", () => {
  test("kinds without marks of article and plural, in any case, or as they are written", () => {
    expect(["Kris", "kRIS", "& Kris~", "pair of clogs"].map(numberOf)).toEqual([1, 1, 1, 2]);
  });

  test("kinds by the names that they show, whatever marks these hold", () => {
    const cloaks = filesOf({ object: "N:1:& Cloak & Hood~\nI:35:1\n" });
    const shown = plainName(cloaks.kinds[0].name);
    expect(shown).toBe("Cloak & Hood");
    expect(kindNamed(cloaks, shown).number).toBe(1);
  });

  test("as it is written before any case, and a name before a number", () => {
    expect(["SPEED", "7", "1", "4", "5"].map(numberOf)).toEqual([5, 6, 1, 4, 5]);
    expect(["Hewn", "HEWN", "& tilde~", "3"].map((name) => affixNamed(files, name).number)).toEqual([1, 2, 3, 3]);
    expect(artifactNamed(files, "'oar'").number).toBe(1);
    expect(themeNamed(files, "2").number).toBe(2);
  });

  test.each<[string, () => unknown, string]>([
    ["a kind's", () => kindNamed(files, "Krys"), 'Did you mean "Kris"? [object.name]'],
    ["no kind is near", () => kindNamed(files, "zzzzzz"), "[object.name]"],
    ["the pile's", () => kindNamed(files, "<pile>"), "[object.name]"],
    ["several kinds'", () => kindNamed(files, "Speed"), "3 (ring), 4 (potion). [object.name]"],
    ["several kinds' in any case", () => kindNamed(files, "speed"), "3 (ring), 4 (potion), 5 (rod). [object.name]"],
    ["an affix's", () => affixNamed(files, "Hewm"), 'Did you mean "Hewn"? [object.name]'],
    ["several themes'", () => themeNamed(files, "of twins"), "1 (sword), 2 (helm, crown). [object.name]"],
    ["an artifact's", () => artifactNamed(files, ""), "[object.name]"],
  ])("%s that is none is refused", (_, call, message) => {
    expect(call).toThrow(message);
  });
});
