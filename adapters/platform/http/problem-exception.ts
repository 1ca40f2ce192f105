import { PROBLEMS, type ProblemCode } from '../../../application/shared/problems.js';

/** Refuses a request from any layer of HTTP. The filter answers it as application/problem+json. */
export class ProblemException extends Error {
  readonly status: number;
  readonly title: string;
  constructor(
    readonly code: ProblemCode,
    /** A sentence for users as `detail`, and further members of the answer (`missing`, `errors`, …). */
    readonly details: { detail?: string; status?: never; [member: string]: unknown } = {},
    readonly headers: Record<string, string> = {},
  ) {
    super(details.detail ?? PROBLEMS[code][1]);
    this.name = 'ProblemException';
    [this.status, this.title] = PROBLEMS[code];
  }
}

/** @param detail a sentence for users that explains what to wait for */
export const tooManyRequests = (detail: string, retryAfterSeconds: number): ProblemException =>
  new ProblemException(
    'TooManyRequests',
    { detail, retryAfterSeconds },
    { 'Retry-After': String(retryAfterSeconds) },
  );

/** Returns a duration such as "40 seconds" or "15 minutes". */
export const inWords = (seconds: number): string =>
  seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;

export function refuse({
  code,
  ...details
}: { code: ProblemCode } & {
  status?: never;
} & Record<string, unknown>): never {
  throw new ProblemException(code, details);
}
