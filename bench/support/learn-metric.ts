/**
 * Learns the dimensions in which sounds of one instrument are near each other, and copies nearer: those of the most
 * variance of all sounds for each variance within instruments (linear discriminant analysis).
 */
type Matrix = Float64Array[];

export interface Described {
  values: readonly number[];
  /** The features of copies of the sound. */
  copies: readonly (readonly number[])[];
  label: string;
  kit: string;
}

export interface Learnt {
  means: number[];
  /** One row for each dimension. */
  rows: number[][];
}

/** Within instruments, the share of a variance that is the same in all directions. */
const SHRINKAGE = 0.015;
/** How much more the copies of a sound count than its distance from the middle of its instrument. */
const COPIES_COUNT = 2;
/** How much more the dimensions count that separate instruments best. */
const EMPHASIS = 0.1;
/** Steps of a whole number for the usual distance within an instrument, in the first dimension. */
const UNIT = 16;

export function learnt(sounds: readonly Described[], dimensions: number): Learnt {
  const size = (sounds[0] as Described).values.length;
  const ofKit = new Map<string, number>();
  const group = ({ label, kit }: Described): string => `${label}/${kit}`;
  for (const sound of sounds) ofKit.set(group(sound), (ofKit.get(group(sound)) ?? 0) + 1);
  // Kits with many layers of one drum, and instruments with many sounds, count less than their number.
  const inKit = sounds.map((sound) => 1 / Math.sqrt(ofKit.get(group(sound)) as number));
  const ofLabel = new Map<string, number>();
  for (const [at, { label }] of sounds.entries())
    ofLabel.set(label, (ofLabel.get(label) ?? 0) + (inKit[at] as number));
  const raw = sounds.map(({ label }, at) => (inKit[at] as number) / Math.sqrt(ofLabel.get(label) as number));
  const sum = raw.reduce((all, weight) => all + weight, 0);
  const weights = raw.map((weight) => weight / sum);
  const means = meansOf(
    sounds.map(({ values }) => values),
    weights,
  );
  const spread = sounds.map(({ values }) => values.map((value, at) => (value - (means[at] as number)) ** 2));
  const scales = meansOf(spread, weights).map((variance) => 1 / Math.sqrt(variance + 1e-12));
  const scaled = (values: readonly number[]): number[] =>
    values.map((value, at) => (value - (means[at] as number)) * (scales[at] as number));
  const standard = sounds.map(({ values }) => scaled(values));

  const labels = [...new Set(sounds.map(({ label }) => label))];
  const centres = new Map(
    labels.map((label) => {
      const own = sounds.flatMap((sound, at) => (sound.label === label ? at : []));
      return [
        label,
        meansOf(
          own.map((at) => standard[at] as number[]),
          own.map((at) => weights[at] as number),
        ),
      ];
    }),
  );
  const within = zeros(size);
  const between = zeros(size);
  for (const [at, { label, copies }] of sounds.entries()) {
    const [values, weight, centre] = [standard[at], weights[at], centres.get(label)] as [
      number[],
      number,
      number[],
    ];
    addProduct(
      within,
      values.map((value, each) => value - (centre[each] as number)),
      weight,
    );
    addProduct(between, values, weight);
    for (const copy of copies)
      addProduct(
        within,
        scaled(copy).map((value, each) => value - (values[each] as number)),
        (COPIES_COUNT * weight) / copies.length,
      );
  }
  const trace = within.reduce((sum, row, at) => sum + (row[at] as number), 0) / size;
  for (const [at, row] of within.entries())
    for (let each = 0; each < size; each++)
      row[each] = (1 - SHRINKAGE) * (row[each] as number) + (at === each ? SHRINKAGE * trace : 0);
  const inverse = inverseOfLower(cholesky(within));
  const { values, vectors } = eigen(product(product(inverse, between), transposed(inverse)));
  const order = values.map((_, at) => at).sort((a, b) => (values[b] as number) - (values[a] as number));
  const strength = (at: number): number => Math.max(1e-6, (values[at] as number) - 1) ** EMPHASIS;
  const rows = order.slice(0, dimensions).map((at) => {
    const weight = (UNIT * strength(at)) / strength(order[0] as number);
    return scales.map((scale, each) => {
      let sum = 0;
      for (let k = each; k < size; k++) sum += (vectors[k]?.[at] as number) * (inverse[k]?.[each] as number);
      return sum * scale * weight;
    });
  });
  return { means, rows };
}

function meansOf(rows: readonly (readonly number[])[], weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return (rows[0] as number[]).map(
    (_, at) =>
      rows.reduce((sum, row, each) => sum + (row[at] as number) * (weights[each] as number), 0) / total,
  );
}

const zeros = (size: number): Matrix => Array.from({ length: size }, () => new Float64Array(size));
const transposed = (matrix: Matrix): Matrix =>
  matrix.map((_, at) => Float64Array.from(matrix, (row) => row[at] as number));

function addProduct(matrix: Matrix, values: readonly number[], weight: number): void {
  for (const [at, row] of matrix.entries())
    for (let each = 0; each < values.length; each++)
      row[each] = (row[each] as number) + weight * (values[at] as number) * (values[each] as number);
}

const product = (a: Matrix, b: Matrix): Matrix =>
  a.map((row) => {
    const out = new Float64Array(b.length);
    for (const [k, value] of row.entries())
      for (let at = 0; at < out.length; at++) out[at] = (out[at] as number) + value * (b[k]?.[at] as number);
    return out;
  });

function cholesky(matrix: Matrix): Matrix {
  const lower = zeros(matrix.length);
  for (const [at, row] of lower.entries())
    for (let each = 0; each <= at; each++) {
      const other = lower[each] as Float64Array;
      let sum = matrix[at]?.[each] as number;
      for (let k = 0; k < each; k++) sum -= (row[k] as number) * (other[k] as number);
      row[each] = at === each ? Math.sqrt(sum) : sum / (other[each] as number);
    }
  return lower;
}

function inverseOfLower(lower: Matrix): Matrix {
  const inverse = zeros(lower.length);
  for (const column of lower.keys())
    for (let at = column; at < lower.length; at++) {
      let sum = at === column ? 1 : 0;
      for (let k = column; k < at; k++) sum -= (lower[at]?.[k] as number) * (inverse[k]?.[column] as number);
      (inverse[at] as Float64Array)[column] = sum / (lower[at]?.[at] as number);
    }
  return inverse;
}

/** Eigenvalues and, as columns, eigenvectors of a symmetric matrix, by Jacobi's rotations. */
function eigen(matrix: Matrix): { values: number[]; vectors: Matrix } {
  const a = matrix.map((row) => row.slice());
  const vectors = zeros(a.length);
  for (const [at, row] of vectors.entries()) row[at] = 1;
  for (let sweep = 0; sweep < 12; sweep++)
    for (let p = 0; p < a.length; p++)
      for (let q = p + 1; q < a.length; q++) {
        const [rowP, rowQ] = [a[p], a[q]] as [Float64Array, Float64Array];
        const off = rowP[q] as number;
        if (Math.abs(off) < 1e-12) continue;
        const angle = 0.5 * Math.atan2(2 * off, (rowQ[q] as number) - (rowP[p] as number));
        const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
        for (const row of [...a, ...vectors]) {
          const [x, y] = [row[p] as number, row[q] as number];
          row[p] = cosine * x - sine * y;
          row[q] = sine * x + cosine * y;
        }
        for (let at = 0; at < a.length; at++) {
          const [x, y] = [rowP[at] as number, rowQ[at] as number];
          rowP[at] = cosine * x - sine * y;
          rowQ[at] = sine * x + cosine * y;
        }
      }
  return { values: a.map((row, at) => row[at] as number), vectors };
}

/** Writes dimensions as a source file: each row as whole numbers, and the step that they count. */
export function metricFile({ means, rows }: Learnt): string {
  const lines = rows.map((row) => {
    const step = Math.max(...row.map(Math.abs)) / 2_047;
    return `${step.toPrecision(5)} ${row.map((value) => Math.round(value / step)).join(' ')}`;
  });
  const folded = (text: string): string => text.replace(/(.{1,116})(?: |$)/g, '$1\n').trimEnd();
  return [
    '/** The mean of each feature, learnt by `bench/by-sound.ts --learn`. */',
    `export const MEANS = \`\n${folded(means.map((mean) => mean.toPrecision(5)).join(' '))}\`;`,
    '/** One row per dimension, separated by `;`: a step, then an integer per feature. Integer times step is the weight. */',
    `export const ROWS = \`\n${lines.map(folded).join('\n;\n')}\`;`,
  ].join('\n');
}
