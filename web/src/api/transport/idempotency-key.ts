import { ApiProblem } from './http.js';

/** A UUID made by the browser. It also works over plain http, where `randomUUID` is missing. */
export function newKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Keys of actions whose outcome is unknown, by action. */
const open = new Map<string, string>();

/** Whether an error is a final refusal. After `IdempotencyInFlight`, an earlier request may still take effect. */
export function isAnswer(error: unknown): boolean {
  return (
    error instanceof ApiProblem &&
    error.status >= 400 &&
    error.status < 500 &&
    error.code !== 'IdempotencyInFlight'
  );
}

/** Actions whose answer is awaited, by action. */
const underWay = new Map<string, Promise<unknown>>();

/**
 * Sends a request that must take effect only once. Retries of an intention reuse its key until the answer is final. A
 * second press before the answer sends nothing, and gets the same answer.
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
