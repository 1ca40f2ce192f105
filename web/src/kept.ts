const inBrowser = () => window.localStorage;

/** Returns the value that this browser stores under a key; undefined without a value or a storage, as on the server. */
export function kept(key: string, storage: () => Storage = inBrowser): unknown {
  try {
    return JSON.parse(storage().getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores a value in this browser; null removes it. Does nothing if the storage is full or blocked. */
export function keep(key: string, value: unknown, storage: () => Storage = inBrowser): void {
  try {
    if (value === null) storage().removeItem(key);
    else storage().setItem(key, JSON.stringify(value));
  } catch {
    // Ignores a full or blocked storage, because the page works without stored values.
  }
}
