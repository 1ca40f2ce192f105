/** The time limit for an answer, which includes all retries. */
export const ANSWER_LIMIT_MS = 30_000;
export const LONG_ANSWER_LIMIT_MS = 5 * 60_000;

/** No answer came in time; the outcome of the request is unknown. */
export class AnswerOverdue extends Error {
  override name = 'AnswerOverdue';
}

/** Runs `work` with a time limit. The signal for `work` aborts at the limit or with `outer`. @throws AnswerOverdue */
export async function within<Answer>(
  limitMs: number,
  work: (signal: AbortSignal) => Promise<Answer>,
  outer?: AbortSignal,
): Promise<Answer> {
  const controller = new AbortController();
  const giveUp = () => controller.abort();
  if (outer?.aborted) giveUp();
  outer?.addEventListener('abort', giveUp);
  let timer: ReturnType<typeof setTimeout> | undefined;
  // Rejects at the limit by itself, because `work` may ignore the abort signal.
  const overdue = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new AnswerOverdue('No answer came in time.'));
      controller.abort();
    }, limitMs);
  });
  try {
    return await Promise.race([work(controller.signal), overdue]);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', giveUp);
  }
}

/** `fetch` with a limit on the time until the answer begins; its body may take longer. @throws AnswerOverdue */
export const fetchWithin = (
  address: string,
  init: RequestInit,
  limitMs = ANSWER_LIMIT_MS,
): Promise<Response> => within(limitMs, (signal) => fetch(address, { ...init, signal }));
