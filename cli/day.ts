import { InvalidArgumentError } from 'commander';

/** Reads a day argument such as 2026-01-31. @throws InvalidArgumentError */
export function day(given: string): string {
  if (!/^\d{4}-\d\d-\d\d$/.test(given) || Number.isNaN(Date.parse(given)))
    throw new InvalidArgumentError('This is not a day.');
  return given;
}
