import { copyIdOf, type Match } from '../../../domain/publishing/suspicion.js';
import type { RecordingFacts } from './queries.js';

/** What was on sale for longer when it was found stays there until somebody has decided. */
const NEW_MS = 3_600_000;

/** Since when a recording can be bought, in milliseconds; never: after everything that was. */
const onSaleSince = ({ publishedAt, uploadedAt }: RecordingFacts): number =>
  publishedAt ? Math.max(publishedAt.getTime(), uploadedAt.getTime()) : Number.POSITIVE_INFINITY;

export const isLater = (one: RecordingFacts, other: RecordingFacts): boolean =>
  onSaleSince(one) === onSaleSince(other)
    ? one.uploadedAt >= other.uploadedAt
    : onSaleSince(one) > onSaleSince(other);

const recordingOf = ({ sampleId, audioVersion, creatorId }: RecordingFacts) => ({
  sampleId,
  audioVersion,
  creatorId,
});

/** What is told of a newcomer. */
export function suspicionOf(newcomer: RecordingFacts, original: RecordingFacts, match: Match, at: Date) {
  const isNew = !newcomer.isOnSale || at.getTime() - onSaleSince(newcomer) < NEW_MS;
  return {
    type: 'SuspectCopy',
    copyId: copyIdOf(newcomer),
    ...recordingOf(newcomer),
    sha256: newcomer.sha256,
    packId: newcomer.packId,
    like: recordingOf(original),
    ...match,
    isHeld: match.tier === 'held' && isNew,
    now: at.toISOString(),
  } as const;
}
