/** A UUID made by the browser, also on plain http where `randomUUID` is missing. */
export function newKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/**
 * Keys of intentions whose outcome is not known yet. An intention that failed without an answer keeps its key, so that
 * trying again cannot act twice; a definite answer ends it.
 */
export class IntentionKeys {
  private readonly open = new Map<string, string>();

  /** The key of an intention, for example "sample-1 for 2 credits". */
  of(intention: string): string {
    const key = this.open.get(intention) ?? newKey();
    this.open.set(intention, key);
    return key;
  }

  /** The server has answered for good. */
  settle(intention: string): void {
    this.open.delete(intention);
  }
}
