// The score of an object. A request gives a score for each number and each flag. Each number of the object is
// multiplied by the score for this number. The score of the object is the sum of these products and of the scores of
// its flags. A request can limit the scores of its objects.

import { ASKED_SCORES, OBJECT_FLAGS } from "./layout";
import { objectAt, pvalsAt } from "./object";
import { asked, flagBytes, object, pvalBytes } from "./plan";

/** Whether the object's score is greater than the limit. */
export function exceedsLimit(): bool {
  let score = part(asked.toHitScore, object.toHit) + part(asked.toDamScore, object.toDam);
  score += part(asked.toAcScore, object.toAc) + part(asked.acScore, object.ac);
  score += part(asked.diceScore, object.dice * (object.sides + 1));
  const scores = changetype<usize>(asked) + ASKED_SCORES;
  const flags = objectAt() + OBJECT_FLAGS;
  for (let word: usize = 0; word < flagBytes; word += 4) {
    for (let bits = load<u32>(flags + word); bits; bits &= bits - 1) {
      score += load<i32>(scores + (((word << 3) + <usize>ctz(bits)) << 2));
    }
  }
  const pvals = pvalsAt();
  const pvalScores = scores + (flagBytes << 5);
  for (let at: usize = 0; at < pvalBytes; at += 2) {
    score += part(load<i32>(pvalScores + (at << 1)), load<i16>(pvals + at));
  }
  return score > (((<i64>asked.limitHigh) << 32) | <i64>asked.limitLow);
}

function part(score: i32, amount: i32): i64 {
  return <i64>score * amount;
}
