/**
 * Calls another service, and records the duration and outcome.
 * @param operation the requested operation: one of few names, never an id
 * @param statusOf returns the HTTP status of an answer or error, if it has one: below 400 is success, below 500 refused
 */
export type ObserveCall = <Result>(
  operation: string,
  call: () => Promise<Result>,
  statusOf?: (outcome: unknown) => number | undefined,
) => Promise<Result>;

/** For callers without metrics. */
export const unobserved: ObserveCall = (_operation, call) => call();
