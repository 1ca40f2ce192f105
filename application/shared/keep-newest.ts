/** Sets an entry as the newest of a map, and deletes the oldest entries beyond the limit. */
export function keepNewest<Key, Value>(
  entries: Map<Key, Value>,
  key: Key,
  value: Value,
  limit: number,
): void {
  entries.delete(key);
  entries.set(key, value);
  for (const oldest of entries.keys()) {
    if (entries.size <= limit) return;
    entries.delete(oldest);
  }
}
