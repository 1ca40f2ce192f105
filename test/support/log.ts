/**
 * Keeps what the product logs in tests instead of printing it. A warning or error that a test does not expect
 * fails it.
 */
import type * as jestGlobals from '@jest/globals';
import { ConsoleLogger, Logger } from '@nestjs/common';

const expected: Array<{ pattern: RegExp; isWanted: boolean }> = [];
let unexpected: string[] = [];

/**
 * Expects log lines such as `error [Http] …` or `warn [Mail] …`, now or later in this file. The file fails if
 * a pattern never matches.
 */
export function expectLog(...patterns: RegExp[]): void {
  expected.push(...patterns.map((pattern) => ({ pattern, isWanted: true })));
}

/** Allows log lines that depend on a race. Unlike with `expectLog`, they need not appear. */
export function allowLog(...patterns: RegExp[]): void {
  expected.push(...patterns.map((pattern) => ({ pattern, isWanted: false })));
}

const textOf = (message: unknown): string =>
  typeof message === 'string' ? message : JSON.stringify(message);

function keep(line: string): void {
  const known = expected.filter(({ pattern }) => pattern.test(line));
  for (const one of known) one.isWanted = false;
  if (known.length === 0) unexpected.push(line);
}

function watch({ afterAll, afterEach }: Pick<typeof jestGlobals, 'afterAll' | 'afterEach'>): void {
  // An earlier test file may have switched it off.
  Logger.overrideLogger(new ConsoleLogger());
  Object.assign(ConsoleLogger.prototype, {
    printMessages: (messages: unknown[], context = '', level = 'log') => {
      if (level === 'error' || level === 'warn')
        for (const message of messages) keep(`${level} [${context}] ${textOf(message)}`);
    },
  });

  afterEach(() => {
    const lines = unexpected;
    unexpected = [];
    if (lines.length > 0) throw new Error(`The product logged what no test expects:\n${lines.join('\n')}`);
  });

  afterAll(() => {
    const missing = expected.filter(({ isWanted }) => isWanted).map(({ pattern }) => String(pattern));
    if (missing.length > 0) throw new Error(`The product did not log ${missing.join(' or ')}.`);
  });
}

// A bench that starts the product has no tests, so it prints the product's log lines.
if ('afterEach' in globalThis) watch(globalThis as unknown as typeof jestGlobals);
