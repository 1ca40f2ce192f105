import type { Sample } from '../../../../application/catalogue/contract.js';
import { type Kind, kindOf } from '../../../../application/catalogue/values.js';
import type { OwnPack, OwnSample } from '../../../../application/publishing/contract.js';
import type { User } from '../../../../application/accounts/contract.js';

/**
 * The kind of a sample in the catalogue: the stated kind, else the kind that the file suggests, else a guess from
 * title, tempo and length.
 */
export const kindIn = ({ kind, suggestions, name, bpm, durationMs }: OwnSample): Kind =>
  kindOf({ kind: kind ?? suggestions.kind?.kind, titleLower: name.toLowerCase(), bpm, durationMs });

/** Converts a creator's own sample into the form that the player and the rows use. */
export function playable(own: OwnSample, pack: OwnPack, user: User): Sample {
  return {
    id: own.id,
    title: own.name,
    creator: {
      id: user.id,
      handle: pack.creatorHandle,
      displayName: user.displayName,
      avatarUrl: user.avatarUrl,
      verified: false,
      aiTraining: false,
    },
    pack: { id: pack.id, title: pack.title, slug: pack.slug },
    artworkUrl: pack.artworkUrl,
    durationMs: own.durationMs,
    bpm: own.bpm,
    key: own.key,
    mood: pack.mood,
    genre: pack.genre,
    instruments: own.instruments,
    creditCost: own.creditCost,
    hasStems: own.hasStems,
    hasMidi: own.hasMidi,
    isRoyaltyFree: own.isRoyaltyFree,
    kind: kindIn(own),
    origin: own.origin,
    previewUrl: own.previewUrl,
    waveform: own.waveform,
    saved: own.saved,
    owned: true,
  };
}

/** Whether each sound needs an origin, because the pack is on sale or has a release date. */
export const needsOrigins = ({ status, releaseAt }: OwnPack): boolean =>
  status === 'published' || releaseAt !== null;
