/** The name of an actor for lists. @param id a user id or `system:…`; null for events that do not have one */
export function nameOf(id: string | null, name: string | null): string {
  if (id === null) return 'Not recorded';
  return id.startsWith('system:') ? 'The house' : (name ?? 'Former member');
}

/** SQL for the remark of the event at a position; null if it has none, or if it was erased. */
export const saidAt = (position: string): string => `(
  select r.text from readable_event e
    join remark r on r.remark_id = coalesce(e.data->'requested'->>'remarkId', e.data->>'remarkId')
   where e.position = ${position})`;
