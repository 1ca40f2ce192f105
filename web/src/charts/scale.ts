const STEPS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];
const LINES = 4;

/**
 * Where the lines of a chart lie: 0 and four round values, the last not below `most`.
 * @param most the highest value shown
 * @param whole things that are counted have no halves
 */
export function scaleOf(most: number, { whole = false } = {}): number[] {
  const raw = Math.max(most, whole ? LINES : Number.MIN_VALUE) / LINES;
  const power = 10 ** Math.floor(Math.log10(raw));
  const fits = STEPS.map((step) => step * power).find(
    // A step is never below the value by what a division blurs.
    (step) => step * (1 + 1e-9) >= raw && (!whole || Number.isInteger(step)),
  );
  const step = fits ?? 10 * power;
  return Array.from({ length: LINES + 1 }, (_, at) => at * step);
}

/** Which of `count` entries are labelled when there is room for `room` labels: evenly spaced, the first among them. */
export function labelledOf(count: number, room: number): number[] {
  const every = Math.max(1, Math.ceil(count / Math.max(1, room)));
  return Array.from({ length: Math.ceil(count / every) }, (_, at) => at * every);
}
