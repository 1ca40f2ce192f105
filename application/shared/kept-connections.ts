/** The idle connections of an HTTP agent of Node. */
export interface KeptConnections {
  readonly freeSockets: Readonly<Record<string, readonly { destroy(): unknown }[] | undefined>>;
}

/** How long a call waits before the idle connections count as silent, too. */
const SILENT_MS = 1_000;

/**
 * Makes a call. While it gets no answer, idle connections are closed: the other side may have vanished from all of
 * them, and each would cost a call its whole wait. New calls open new ones.
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
