/**
 * Returns the display name of an actor.
 * @param id a user id or `system:…`, or null if the event has no actor
 */
export function nameOf(id: string | null, name: string | null): string {
  if (id === null) return 'Not recorded';
  return id.startsWith('system:') ? 'The house' : (name ?? 'Former member');
}

/** SQL for the remark of the event at a position; null if it has none, or if the remark was erased. */
export const saidAt = (position: string): string => `(
  select r.text from readable_event e
    join remark r on r.remark_id = coalesce(e.data->'requested'->>'remarkId', e.data->>'remarkId')
   where e.position = ${position})`;
