import { ApiProblem } from './http.js';

/** Returns a random UUID. Works over plain http too, where browsers have no `randomUUID`. */
export function newKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Idempotency keys of actions whose outcome is unknown, by the text of the action. */
const open = new Map<string, string>();

/**
 * Whether an error is the server's final refusal. `IdempotencyInFlight` is not final, because an earlier request of
 * the same action may still take effect.
 */
export function isAnswer(error: unknown): boolean {
  return (
    error instanceof ApiProblem &&
    error.status >= 400 &&
    error.status < 500 &&
    error.code !== 'IdempotencyInFlight'
  );
}

/** Answers that the page still waits for, by the text of the action. */
const underWay = new Map<string, Promise<unknown>>();

/**
 * Sends a request that must take effect only once. Retries of the same intention reuse its idempotency key until the
 * answer is final. A second call before the answer sends nothing and gets the same answer.
 */
export function sendOnce<Answer>(
  intention: string,
  send: (idempotencyKey: string) => Promise<Answer>,
): Promise<Answer> {
  const known = underWay.get(intention) as Promise<Answer> | undefined;
  if (known) return known;
  const sent = sendWithKey(intention, send).finally(() => underWay.delete(intention));
  underWay.set(intention, sent);
  return sent;
}

async function sendWithKey<Answer>(intention: string, send: (idempotencyKey: string) => Promise<Answer>) {
  const key = open.get(intention) ?? newKey();
  open.set(intention, key);
  try {
    const answer = await send(key);
    open.delete(intention);
    return answer;
  } catch (error) {
    if (isAnswer(error)) open.delete(intention);
    throw error;
  }
}
