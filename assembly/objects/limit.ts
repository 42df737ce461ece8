// The score of an object. A request gives a score for each number and each flag. Each number of the object is
// multiplied by the score for this number. The score of the object is the sum of these products and of the scores of
// its flags. A request can limit the scores of its objects.

import { OBJECT_FLAGS, REQUEST_SCORES } from "./layout";
import { objectAt, pvalsAt } from "./object";
import { flagBytes, object, pvalBytes, request } from "./plan";

/** Whether the object's score is greater than the limit. */
export function exceedsLimit(): bool {
  let score = part(request.toHitScore, object.toHit) + part(request.toDamScore, object.toDam);
  score += part(request.toAcScore, object.toAc) + part(request.acScore, object.ac);
  score += part(request.diceScore, object.dice * (object.sides + 1));
  const scores = changetype<usize>(request) + REQUEST_SCORES;
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
  return score > (((<i64>request.limitHigh) << 32) | <i64>request.limitLow);
}

function part(score: i32, amount: i32): i64 {
  return <i64>score * amount;
}
