import { InvalidArgumentError } from 'commander';
import { REASON_MAX_LENGTH, REASON_MIN_LENGTH } from '../application/shared/values.js';

/** Returns the parser of an argument, which refuses a text if `read` returns undefined. */
export const parser =
  <Value>(read: (given: string) => Value | undefined, refusal: string) =>
  (given: string): Value => {
    const value = read(given);
    if (value === undefined) throw new InvalidArgumentError(refusal);
    return value;
  };

const matching = (pattern: RegExp, refusal: string) =>
  parser((given) => pattern.exec(given.trim())?.[0], refusal);

export const address = matching(/^[^\s@]+@[^\s@]+$/, 'This is not an e-mail address.');

export const jobId = matching(
  /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/,
  'This is not the id of a job; `offcut jobs` lists them.',
);

export const day = parser(
  (given) => (/^\d{4}-\d\d-\d\d$/.test(given) && !Number.isNaN(Date.parse(given)) ? given : undefined),
  'This is not a day.',
);

export const time = parser((given) => {
  const at = new Date(given);
  return /^\d{4}-\d\d-\d\dT/.test(given) && !Number.isNaN(at.getTime()) ? at : undefined;
}, 'This is not a time.');

const integer = (from: number, to: number, refusal: string) =>
  parser((given) => {
    const number = Number(given);
    return Number.isInteger(number) && number >= from && number <= to ? number : undefined;
  }, refusal);

export const position = integer(1, Number.MAX_SAFE_INTEGER, 'This is not a position.');
export const port = integer(0, 65_535, 'This is not a port.');

export const url = parser((given) => (URL.canParse(given) ? given : undefined), 'This is not an address.');

export const reason = parser((given) => {
  const { length } = given.trim();
  return length >= REASON_MIN_LENGTH && length <= REASON_MAX_LENGTH ? given.trim() : undefined;
}, `A reason has ${REASON_MIN_LENGTH} to ${REASON_MAX_LENGTH} characters.`);
