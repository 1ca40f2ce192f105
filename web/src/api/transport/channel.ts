/** A channel to the other tabs; null in browsers without one, and on the server, which has no tabs. */
export function openChannel(name: string): BroadcastChannel | null {
  if (typeof document === 'undefined' || typeof BroadcastChannel === 'undefined') return null;
  return new BroadcastChannel(name);
}
