/**
 * Makes a call to another service, and notes how long it took and how it ended.
 * @param operation what is asked of the service; one of few names, never an id
 * @param statusOf the HTTP status of an answer or an error, where it has one: below 400 is done, below 500 refused
 */
export type ObserveCall = <Result>(
  operation: string,
  call: () => Promise<Result>,
  statusOf?: (outcome: unknown) => number | undefined,
) => Promise<Result>;

/** Where nobody looks. */
export const unobserved: ObserveCall = (_operation, call) => call();
