import { useSyncExternalStore } from 'react';
import type { Sample } from '../../../application/catalogue/contract.js';
import { onAppEvent, sendAppEvent } from '../api/events.js';
import { onUserChange } from '../session/session.js';

let bought: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

function put(next: ReadonlySet<string>): void {
  bought = next;
  listeners.forEach((listener) => listener());
}

onUserChange(() => put(new Set()));
// Another tab may have bought something.
onAppEvent('downloads-changed', ({ sampleIds }) => put(new Set([...bought, ...sampleIds])));

/** Marks samples as owned in every visible row and tells the page that downloads and credits changed. */
export function markOwned(sampleIds: readonly string[]): void {
  sendAppEvent('downloads-changed', { sampleIds });
  sendAppEvent('credits-changed', undefined);
}

/** Whether the visitor owns the sample, outside React. */
export function isOwned(sample: Pick<Sample, 'id' | 'owned'>): boolean {
  return bought.has(sample.id) || sample.owned === true;
}

/** Whether the visitor owns the sample, by the server's word or bought since. */
export function useOwned(sample: Pick<Sample, 'id' | 'owned'>): boolean {
  const now = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => bought.has(sample.id),
    () => false,
  );
  return now || sample.owned === true;
}
