/** The idle connections of Node's HTTP agent. */
export interface KeptConnections {
  readonly freeSockets: Readonly<Record<string, readonly { destroy(): unknown }[] | undefined>>;
}

/** A call that waits this long suggests that the idle connections are dead as well. */
const SILENT_MS = 1_000;

/**
 * Makes a call. If it gets no answer in time, closes all idle connections: the other side may have dropped them, and
 * one call per dropped connection would wait for its whole timeout. New calls then open new connections.
 */
export async function overKept<Answer>(
  agents: readonly (KeptConnections | undefined)[],
  call: () => Promise<Answer>,
): Promise<Answer> {
  const timer = setTimeout(() => {
    for (const agent of agents)
      for (const sockets of Object.values(agent?.freeSockets ?? {}))
        for (const socket of sockets ?? []) socket.destroy();
  }, SILENT_MS);
  try {
    return await call();
  } finally {
    clearTimeout(timer);
  }
}

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

export const unobserved: ObserveCall = (_operation, call) => call();
