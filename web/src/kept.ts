const inBrowser = () => window.localStorage;

/** The value that this browser keeps under a key; undefined without a value or without storage, as on the server. */
export function kept(key: string, storage: () => Storage = inBrowser): unknown {
  try {
    return JSON.parse(storage().getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a value in this browser; null removes it. Does nothing if the storage is full or blocked. */
export function keep(key: string, value: unknown, storage: () => Storage = inBrowser): void {
  try {
    if (value === null) storage().removeItem(key);
    else storage().setItem(key, JSON.stringify(value));
  } catch {
    // The page works without stored values.
  }
}
