/** One possible answer, and the numbers that speak for or against it. */
export interface Candidate<Answer> {
  answer: Answer;
  evidence: readonly number[];
}

/**
 * Weights by which evidence counts, fitted by multinomial logistic regression on labelled sounds (`bench/audio.ts`).
 * The labelled sounds include sounds without a right answer. Of the answers with a chance of 0.8, about 80 % are
 * therefore right.
 */
export interface Weights {
  answer: readonly number[];
  none: readonly number[];
}

/** Below this chance an answer is not worth showing. */
const SMALLEST = 0.15;

const weighed = (evidence: readonly number[], weights: readonly number[]): number =>
  evidence.reduce((sum, value, at) => sum + value * (weights[at] as number), 0);

/**
 * Returns the likeliest answer and the chance that it is right, from 0 to 1; null if none is likely.
 * @param none the evidence that the sound has no such property
 */
export function likeliest<Answer>(
  candidates: readonly Candidate<Answer>[],
  none: readonly number[],
  weights: Weights,
): { answer: Answer; confidence: number } | null {
  const scores = candidates.map(({ evidence }) => weighed(evidence, weights.answer));
  const noneScore = weighed(none, weights.none);
  const highest = Math.max(noneScore, ...scores);
  const sum = [noneScore, ...scores].reduce((total, score) => total + Math.exp(score - highest), 0);
  const best = scores.indexOf(Math.max(...scores));
  const found = candidates[best];
  if (!found) return null;
  const chance = Math.exp((scores[best] as number) - highest) / sum;
  return chance < SMALLEST ? null : { answer: found.answer, confidence: Math.round(chance * 100) / 100 };
}
