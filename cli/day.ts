import { InvalidArgumentError } from 'commander';

export function day(given: string): string {
  if (!/^\d{4}-\d\d-\d\d$/.test(given) || Number.isNaN(Date.parse(given)))
    throw new InvalidArgumentError('This is not a day.');
  return given;
}
