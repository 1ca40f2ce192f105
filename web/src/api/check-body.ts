import type * as z from 'zod';
import type { BODIES } from './bodies.js';

type Bodies = typeof BODIES;
export type FormKey = keyof Bodies;
export type FormBody<K extends FormKey> = z.output<Bodies[K]>;

export const loadBodies = () => import('./bodies.js').then(({ BODIES }) => BODIES);

/** Returns the body to send, or a message for each invalid field. If the rules do not load, only the server checks. */
export async function checkBody<K extends FormKey>(
  key: K,
  body: unknown,
): Promise<{ body: FormBody<K> } | { problems: Record<string, string> }> {
  const bodies = await loadBodies().catch(() => undefined);
  const schema = bodies?.[key] as z.ZodType<FormBody<K>> | undefined;
  const checked = schema?.safeParse(body);
  if (!checked) return { body: body as FormBody<K> };
  if (checked.success) return { body: checked.data };
  const problems: Record<string, string> = {};
  for (const { path, message } of checked.error.issues) problems[String(path[0])] ??= message;
  return { problems };
}
