import {
  COST_MAX_CREDITS,
  KIND_LABELS,
  KINDS,
  ORIGIN_LABELS,
  ORIGINS,
  type Origin,
  type Kind,
  LENGTH_MAX_SECONDS,
} from '../../../application/catalogue/values.js';
import { countOf } from '../ui/format.js';

/** The filters by facts of a sample: all filters except tempo, key, mood, genre, instrument and sound. */
export interface Facts {
  kind: Kind | null;
  secondsMin: number | null;
  secondsMax: number | null;
  hasMidi: boolean;
  hasStems: boolean;
  creditsMax: number | null;
  origins: readonly Origin[];
  /** True: only samples that fit the open project without transposition, and with little or no stretching. */
  fits: boolean;
  /** True: only samples that the visitor owns. False: only others. Null: all samples. */
  owned: boolean | null;
}

export const NO_FACTS: Facts = {
  kind: null,
  secondsMin: null,
  secondsMax: null,
  hasMidi: false,
  hasStems: false,
  creditsMax: null,
  origins: [],
  fits: false,
  owned: null,
};

export function factsFrom(parameters: URLSearchParams): Facts {
  const numberOf = (name: string, min: number, max: number): number | null => {
    const value = Number(parameters.get(name) || Number.NaN);
    return value >= min && value <= max ? value : null;
  };
  const [from, to] = [
    numberOf('secondsMin', 0, LENGTH_MAX_SECONDS),
    numberOf('secondsMax', 0, LENGTH_MAX_SECONDS),
  ];
  const turned = from !== null && to !== null && from > to;
  const credits = numberOf('creditsMax', 1, COST_MAX_CREDITS);
  const owned = parameters.get('owned');
  return {
    kind: KINDS.find((kind) => kind === parameters.get('kind')) ?? null,
    secondsMin: turned ? to : from,
    secondsMax: turned ? from : to,
    hasMidi: parameters.get('hasMidi') === 'true',
    hasStems: parameters.get('hasStems') === 'true',
    creditsMax: credits === null ? null : Math.floor(credits),
    origins: ORIGINS.filter((origin) => parameters.getAll('origin').includes(origin)),
    fits: parameters.get('fits') === 'true',
    owned: owned === 'true' ? true : owned === 'false' ? false : null,
  };
}

/** The chosen facts as query parameters, for requests and page addresses. Undefined where nothing is chosen. */
export const factParameters = (facts: Facts) =>
  ({
    kind: facts.kind ?? undefined,
    secondsMin: facts.secondsMin ?? undefined,
    secondsMax: facts.secondsMax ?? undefined,
    hasMidi: facts.hasMidi || undefined,
    hasStems: facts.hasStems || undefined,
    creditsMax: facts.creditsMax ?? undefined,
    origin: facts.origins.length > 0 ? facts.origins : undefined,
    fits: facts.fits || undefined,
    owned: facts.owned ?? undefined,
  }) as const;

function lengthText({ secondsMin, secondsMax }: Facts): string | null {
  if (secondsMin !== null && secondsMax !== null) return `${secondsMin}–${secondsMax} s`;
  if (secondsMin !== null) return `From ${secondsMin} s`;
  return secondsMax === null ? null : `Up to ${secondsMax} s`;
}

/** The label of each chosen filter by a fact, and the change that clears the filter. */
export function chosenFacts(facts: Facts): { label: string; clear: Partial<Facts> }[] {
  const { kind, hasMidi, hasStems, creditsMax, origins, fits, owned } = facts;
  const all: [label: string | null, clear: Partial<Facts>][] = [
    [fits ? 'Fits my project' : null, { fits: false }],
    [kind && KIND_LABELS[kind], { kind: null }],
    [lengthText(facts), { secondsMin: null, secondsMax: null }],
    [hasMidi ? 'MIDI' : null, { hasMidi: false }],
    [hasStems ? 'Stems' : null, { hasStems: false }],
    [creditsMax === null ? null : `Up to ${countOf(creditsMax, 'credit')}`, { creditsMax: null }],
    ...origins.map((origin): [string, Partial<Facts>] => [
      ORIGIN_LABELS[origin],
      { origins: origins.filter((each) => each !== origin) },
    ]),
    [owned === null ? null : owned ? 'Owned' : 'Not owned', { owned: null }],
  ];
  return all.flatMap(([label, clear]) => (label === null ? [] : [{ label, clear }]));
}
