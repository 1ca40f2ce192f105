import type { TrackFilter } from '../../../domain/catalogue/filter.js';
import { COMPARED, DESCRIPTORS, SOUND_FACTS, type Balance } from '../../../domain/catalogue/sound/facts.js';
import type { LiveCatalogue } from './live-catalogue.js';
import { PassingSounds } from './passing-sounds.js';
import type { CatalogueRow, SampleCard, Scope, Sound } from './rows.js';
import type { Segment } from './segment.js';
import { distanceTo, nearestAmong, nearestSounds, vectorAt, type Near } from './sound-clusters.js';
import type { TextMatches } from './text-matches.js';

/** If a smaller share of the samples passes, comparing all that pass is faster than a look into clusters. */
const FEW = 0.01;
const FIRST = 10;
const OF_CREATOR = 2;
/**
 * Number of samples to find beyond the limit, because `varied` allows only a few of one creator among the first.
 * Enough for most searches.
 */
const CANDIDATES = 30;
const MORE = 16;

export interface Alike {
  sampleId: string;
  card: () => SampleCard;
  descriptors: Int8Array;
  /** Squared. */
  distance: number;
}

export interface AlikeQuery {
  descriptors: Int8Array;
  balance: Balance;
  limit: number;
  /** The sample that the others are compared with. */
  except?: string | undefined;
  /** Restricts the search to samples that match a text. */
  matches?: TextMatches | undefined;
}

/** Returns samples that sound alike, nearest first: at most two of one creator among the first ten. */
export function alikeSamples(
  live: LiveCatalogue,
  { descriptors, balance, limit, except, matches }: AlikeQuery,
  filter: TrackFilter,
  scope: Scope,
): Alike[] {
  const { sounds } = live.segment;
  const passing = new PassingSounds(live, filter, scope, matches?.bits);
  const changed = live.changed
    .rowsPassing(filter, scope)
    .filter((row) => matches?.hasRow(row) ?? true)
    .flatMap((row) =>
      row.sound ? [{ row, distance: distanceTo(descriptors, balance, row.sound.descriptors) }] : [],
    )
    .sort((a, b) => a.distance - b.distance);
  let few = passing.share < FEW ? passing.all() : undefined;
  for (let count = CANDIDATES + limit; ; count *= MORE) {
    const sought = { sound: descriptors, balance, limit: count };
    const near =
      (few ? undefined : nearestSounds(sounds, sought, passing.has)) ??
      nearestAmong(sounds, sought, (few ??= passing.all()));
    const all = [
      ...near.map((each) => segmentSample(live, each)),
      ...changed.slice(0, count).map((each) => changedSample(live, each)),
    ]
      .filter(({ sampleId }) => sampleId !== except)
      .sort((a, b) => a.distance - b.distance || (a.sampleId < b.sampleId ? -1 : 1));
    const chosen = varied(all, limit, scope.creatorId === undefined ? OF_CREATOR : Infinity);
    if (chosen.length === limit || (near.length < count && changed.length < count)) return chosen;
  }
}

function segmentSample(live: LiveCatalogue, { number, distance }: Near): Alike {
  const { segment } = live;
  const sampleId = segment.ids.at(number);
  const descriptors = descriptorsOf(segment, number);
  return { sampleId, descriptors, distance, card: () => live.cardOf({ number, sampleId }) };
}

function descriptorsOf({ sounds, soundFacts, size }: Segment, number: number): Int8Array {
  const descriptors = new Int8Array(DESCRIPTORS);
  descriptors.set(vectorAt(sounds.vectors, (sounds.places[number] as number) - 1));
  for (const at of SOUND_FACTS.keys()) descriptors[COMPARED + at] = soundFacts[at * size + number] as number;
  return descriptors;
}

function changedSample(
  live: LiveCatalogue,
  { row, distance }: { row: CatalogueRow; distance: number },
): Alike {
  const { sampleId, sound } = row;
  return {
    sampleId,
    descriptors: (sound as Sound).descriptors,
    distance,
    card: () => live.cardOf({ row, sampleId }),
  };
}

/** Takes samples in order, but at most `ofCreator` of one creator among the first `FIRST`. */
function varied(samples: readonly Alike[], limit: number, ofCreator: number): Alike[] {
  const counts = new Map<string, number>();
  const first: Alike[] = [];
  const others: Alike[] = [];
  for (const sample of samples) {
    const isOpen = first.length < Math.min(limit, FIRST);
    const creatorId = isOpen ? sample.card().creatorId : '';
    const count = (counts.get(creatorId) ?? 0) + 1;
    counts.set(creatorId, count);
    (isOpen && count <= ofCreator ? first : others).push(sample);
  }
  return first.length < FIRST ? first : [...first, ...others].slice(0, limit);
}
