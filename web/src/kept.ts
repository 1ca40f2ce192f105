const inBrowser = () => localStorage;

/** The value that this browser keeps under a key; undefined without a value or without storage, as on the server. */
export function kept(key: string, storage: () => Storage = inBrowser): unknown {
  try {
    return JSON.parse(storage().getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a value in this browser; null removes it. If storage is full or blocked, the value lasts as long as the page. */
export function keep(key: string, value: unknown, storage: () => Storage = inBrowser): void {
  try {
    if (value === null) storage().removeItem(key);
    else storage().setItem(key, JSON.stringify(value));
  } catch {
    // Full or blocked.
  }
}
