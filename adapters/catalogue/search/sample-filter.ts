import { tempoIsFiltered, type TrackFilter } from '../../../domain/catalogue/filter.js';
import { enharmonicKeys, type MusicalKey } from '../../../domain/catalogue/vocabulary.js';

/**
 * Returns SQL conditions on `catalogue_sample` that are equivalent to `passesFilter`.
 * @param values the parameters so far; new ones are appended
 */
export function filterConditions(filter: TrackFilter, values: unknown[]): string[] {
  const parameter = (value: unknown): string => `$${values.push(value)}`;
  const conditions: string[] = [];
  if (tempoIsFiltered(filter))
    conditions.push(`bpm between ${parameter(filter.bpmMin)} and ${parameter(filter.bpmMax)}`);
  if (filter.key !== undefined)
    conditions.push(`key = any(${parameter(enharmonicKeys(filter.key as MusicalKey))}::text[])`);
  const moodsAndGenres = [
    ...(filter.moods.length > 0 ? [`mood = any(${parameter(filter.moods)}::text[])`] : []),
    ...(filter.genres.length > 0 ? [`genre = any(${parameter(filter.genres)}::text[])`] : []),
  ];
  if (moodsAndGenres.length > 0)
    conditions.push(`(${moodsAndGenres.join(filter.mode === 'search' ? ' or ' : ' and ')})`);
  if (filter.instruments.length > 0) {
    const operator = filter.mode === 'search' ? '@>' : '&&';
    conditions.push(`instruments ${operator} ${parameter(filter.instruments)}::text[]`);
  }
  return conditions;
}
