import { copyIdOf, type Match } from '../../../domain/publishing/suspicion.js';
import type { RecordingFacts } from './queries.js';

/** A recording that was on sale for longer stays on sale until an administrator decides. */
const NEW_MS = 3_600_000;

/** When a recording went on sale, in milliseconds. Infinity if never, so that it counts as the later one. */
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
