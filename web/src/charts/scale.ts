const STEPS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];
const LINES = 4;

/**
 * The grid lines of a chart: 0 and four round values, the last not below `most`.
 * @param most the highest value shown
 * @param unit the smallest step, such as one download or one cent; the lines are whole multiples of it
 */
export function scaleOf(most: number, unit: number): number[] {
  const raw = Math.max(most / LINES, unit);
  const power = 10 ** Math.floor(Math.log10(raw));
  const fits = STEPS.map((step) => step * power).find(
    // Tolerates the rounding error of the division.
    (step) => step * (1 + 1e-9) >= raw && Number.isInteger(step / unit),
  );
  const step = fits ?? 10 * power;
  return Array.from({ length: LINES + 1 }, (_, at) => at * step);
}

/**
 * Like `scaleOf`, but for values that may be negative: round values from at most `least` to at least `most`, 0
 * included.
 */
export function spanOf(least: number, most: number, unit: number): number[] {
  const [low, high] = [Math.min(0, least), Math.max(0, most)];
  const step = scaleOf(high - low, unit)[1] as number;
  const [first, last] = [Math.floor(low / step), Math.max(1, Math.ceil(high / step))];
  return Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step);
}

/** Indexes of the entries to label if `room` of `count` labels fit: evenly spaced, the first included. */
export function labelledOf(count: number, room: number): number[] {
  const every = Math.max(1, Math.ceil(count / Math.max(1, room)));
  return Array.from({ length: Math.ceil(count / every) }, (_, at) => at * every);
}
