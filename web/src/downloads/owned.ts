import type { Sample } from '../../../application/catalogue/contract.js';
import { onAppEvent, sendAppEvent } from '../api/events.js';
import { newestWord } from '../api/newest-word.js';
import { onUserChange } from '../session/session.js';

const bought = newestWord('owned');

onUserChange(() => bought.clear());
// Another tab may have bought something.
onAppEvent('downloads-changed', ({ sampleIds }) => bought.set(sampleIds, true));

/** Marks samples as owned in every visible row and tells the page that downloads and credits changed. */
export function markOwned(sampleIds: readonly string[]): void {
  sendAppEvent('downloads-changed', { sampleIds });
  sendAppEvent('credits-changed', undefined);
}

/** Whether the visitor owns the sample, outside React. */
export function isOwned(sample: Pick<Sample, 'id' | 'owned'>): boolean {
  return bought.of(sample.id) ?? sample.owned === true;
}

/** Whether the visitor owns the sample, by the newest word of it. */
export function useOwned(sample: Pick<Sample, 'id' | 'owned'>): boolean {
  const since = bought.use(sample.id);
  return since ?? sample.owned === true;
}

/** Those of some samples that the visitor owns, by the newest word of each. */
export function useOwnedAmong<One extends Pick<Sample, 'id' | 'owned'>>(samples: readonly One[]): One[] {
  const since = bought.useAny();
  return samples.filter(({ id, owned }) => since(id) ?? owned === true);
}
