import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const NUMBERS_IN_BRACKETS = /\[([A-Z]{2,6}-\d{2,3}(?:[,\s]+[A-Z]{2,6}-\d{2,3})*)\]/g;

function numbersIn(text: string): string[] {
  return [...text.matchAll(NUMBERS_IN_BRACKETS)].flatMap(([, numbers]) =>
    (numbers as string).split(/[,\s]+/),
  );
}

const behaviours = [
  ...readFileSync('test/behaviours.md', 'utf8').matchAll(/^- \[([A-Z]+-\d{2,3})\] \S/gm),
].map(([, number]) => number as string);

describe('the numbered behaviours', () => {
  it('have a number each', () => {
    expect(behaviours.length).toBeGreaterThan(300);
    expect(behaviours.filter((number, at) => behaviours.indexOf(number) !== at)).toEqual([]);
  });

  const named = readdirSync('test', { recursive: true, encoding: 'utf8' })
    // The scenarios of the cluster are tests with a program of their own.
    .filter((name) => /^(?!node_modules\/).*\.spec\.tsx?$|^cluster\/scenarios\.ts$/.test(name))
    .flatMap((name) =>
      numbersIn(readFileSync(join('test', name), 'utf8')).map((number) => ({ name, number })),
    );

  it('exist wherever a test names one', () => {
    expect(named.filter(({ number }) => !behaviours.includes(number))).toEqual([]);
  });

  it('have a test each', () => {
    const tested = new Set(named.map(({ number }) => number));
    expect(behaviours.filter((number) => !tested.has(number))).toEqual([]);
  });

  it('are found in titles that name one or several', () => {
    expect(numbersIn('[DL-05] one, [DL-06, FIN-01] two, [not one]')).toEqual(['DL-05', 'DL-06', 'FIN-01']);
  });
});
