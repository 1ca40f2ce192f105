const STEPS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];
const LINES = 4;

/**
 * The lines of a chart: 0 and four round values, the last not below `most`.
 * @param most the highest value shown
 * @param unit the smallest step, such as one download or one cent; the lines are whole multiples of it
 */
export function scaleOf(most: number, unit: number): number[] {
  const raw = Math.max(most / LINES, unit);
  const power = 10 ** Math.floor(Math.log10(raw));
  const fits = STEPS.map((step) => step * power).find(
    // A step is never below the value by what a division blurs.
    (step) => step * (1 + 1e-9) >= raw && Number.isInteger(step / unit),
  );
  const step = fits ?? 10 * power;
  return Array.from({ length: LINES + 1 }, (_, at) => at * step);
}

/**
 * Like `scaleOf` for values that also go below 0: round values from at most `least` to at least `most`, with 0
 * among them.
 */
export function spanOf(least: number, most: number, unit: number): number[] {
  const [low, high] = [Math.min(0, least), Math.max(0, most)];
  const step = scaleOf(high - low, unit)[1] as number;
  const [first, last] = [Math.floor(low / step), Math.max(1, Math.ceil(high / step))];
  return Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step);
}

/** Which of `count` entries are labelled when there is room for `room` labels: evenly spaced, the first among them. */
export function labelledOf(count: number, room: number): number[] {
  const every = Math.max(1, Math.ceil(count / Math.max(1, room)));
  return Array.from({ length: Math.ceil(count / every) }, (_, at) => at * every);
}
