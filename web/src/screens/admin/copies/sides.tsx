import { Link } from 'react-router-dom';
import type { CopySide, SuspectedCopy } from '../../../api/copies.js';
import { businessNow } from '../../../clock.js';
import { paths } from '../../../paths.js';
import { utcTime } from '../../../staff/dates.js';
import { Fact } from '../../../staff/page-parts.js';
import { Avatar } from '../../../ui/avatar.js';
import { Badge } from '../../../ui/badge.js';
import { countOf, formatMicroUsd, formatShortDay } from '../../../ui/format.js';
import { Cover } from '../../../ui/sound/cover.js';
import { KeyLabel, TempoLabel } from '../../../ui/sound/key-tempo.js';

/** Formats a position in a sound, such as "0:01.6". */
export function placeOf(ms: number): string {
  const tenths = Math.round(Math.max(0, ms) / 100);
  const [minutes, rest] = [Math.floor(tenths / 600), tenths % 600];
  return `${minutes}:${String(Math.floor(rest / 10)).padStart(2, '0')}.${rest % 10}`;
}

const PLACES = {
  'on sale': { label: 'Published', tone: 'ok' },
  held: { label: 'Held', tone: 'warn' },
  draft: { label: 'Draft', tone: 'neutral' },
  unpublished: { label: 'Unpublished', tone: 'neutral' },
  refused: { label: 'Refused', tone: 'danger' },
  'taken down': { label: 'Taken down', tone: 'danger' },
  removed: { label: 'Removed', tone: 'neutral' },
  replaced: { label: 'Replaced', tone: 'neutral' },
} as const;

const DAY_MS = 86_400_000;
/**
 * Says how much earlier the original was uploaded, such as "105 days earlier". If it was not at least a day, says why
 * the original counts as such: "on sale first" or "set by staff".
 */
function earlierBy({ newcomer, original }: SuspectedCopy): string {
  const days = Math.floor((Date.parse(newcomer.uploadedAt) - Date.parse(original.uploadedAt)) / DAY_MS);
  if (days < 1) {
    const wasFirst = !newcomer.publishedAt || (original.publishedAt ?? '~') <= newcomer.publishedAt;
    return wasFirst ? 'on sale first' : 'set by staff';
  }
  return `${countOf(days, 'day')} earlier`;
}

/** Returns the year of a date, such as "2023", or the day if the date is in the current year. */
function sinceOf(iso: string): string {
  const since = new Date(iso);
  const year = since.getUTCFullYear();
  return year < new Date(businessNow()).getUTCFullYear() ? String(year) : formatShortDay(iso);
}

export function Letter({ side }: { side: 'a' | 'b' }) {
  return (
    <span
      className="inline-grid size-6 flex-none place-content-center bg-text font-[650] text-page data-[side=b]:bg-c2 data-[side=b]:text-on-sticker"
      data-side={side}
    >
      {side.toUpperCase()}
    </span>
  );
}

function creatorOf({ creatorSince, strikes }: CopySide): string {
  const since = creatorSince ? `since ${sinceOf(creatorSince)}, ` : '';
  return `${since}${strikes === 0 ? 'no strikes' : countOf(strikes, 'strike')}`;
}

function licencesOf({ licences, onHoldMicroUsd }: CopySide): string {
  const count = licences === 0 ? 'none' : licences.toLocaleString('en');
  if (onHoldMicroUsd > 0) return `${count}, ${formatMicroUsd(onHoldMicroUsd)} on hold`;
  return licences === 0 ? count : `${count}, none exclusive`;
}

function Side({ side, letter, said }: { side: CopySide; letter: 'a' | 'b'; said: string }) {
  const { label, tone } = PLACES[side.place];
  const { creatorHandle: handle, packSlug: slug, packTitle } = side;
  return (
    <section
      aria-labelledby={`copies-${letter}`}
      className="grid items-start gap-3.5 px-4.5 py-4 split-84 xl:gap-4.5 xl:split-140 panel"
    >
      <Cover title={packTitle} genre={side.genre} artworkUrl={side.artworkUrl} sizes="160px" />
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-muted">
          <Letter side={letter} /> {said}
          <span className="ml-auto">
            <Badge tone={tone}>{label}</Badge>
          </span>
        </p>
        <h2 id={`copies-${letter}`} className="mt-2 text-xl font-semibold break-words">
          {side.title}
        </h2>
        <p className="mt-2 flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <Avatar name={side.creatorName} size={24} />
          <span className="font-semibold">
            {handle ? (
              <Link to={paths.creator(handle)} className="underline">
                {side.creatorName}
              </Link>
            ) : (
              side.creatorName
            )}
          </span>
          <span className="text-muted">
            in{' '}
            {handle && side.place === 'on sale' ? (
              <Link to={paths.pack({ creator: handle, slug })}>{packTitle}</Link>
            ) : (
              packTitle
            )}
          </span>
        </p>
        <dl className="mt-3 grid grid-cols-2 gap-x-3 gap-y-2 border-t border-line pt-3">
          <Fact name="Uploaded">{utcTime(side.uploadedAt)}</Fact>
          <Fact name="Licences">{licencesOf(side)}</Fact>
          <Fact name="Key, tempo">
            <KeyLabel musicalKey={side.key} /> · <TempoLabel bpm={side.bpm} />
          </Fact>
          <Fact name="Creator">{creatorOf(side)}</Fact>
        </dl>
      </div>
    </section>
  );
}

export function Sides({ copy }: { copy: SuspectedCopy }) {
  return (
    <div className="grid grid-cols-1 gap-4 md:grid-cols-2">
      <Side side={copy.original} letter="a" said={`Original, ${earlierBy(copy)}`} />
      <Side side={copy.newcomer} letter="b" said="Newcomer" />
    </div>
  );
}

/** Formats an offset with its sign, such as "+0.42 s". */
const offsetOf = (ms: number): string => `${ms < 0 ? '\u2212' : '+'}${(Math.abs(ms) / 1_000).toFixed(2)} s`;

function speedOf({ speed, pitchCents }: Pick<SuspectedCopy, 'speed' | 'pitchCents'>): string {
  const change = Math.round((speed - 1) * 1_000) / 10;
  if (change === 0 && pitchCents === 0) return 'unchanged';
  const percent = `${Math.abs(change)} % ${change < 0 ? 'slower' : 'faster'}`;
  const semitones = `${(Math.abs(pitchCents) / 100).toFixed(1)} semitones ${pitchCents < 0 ? 'lower' : 'higher'}`;
  return [change !== 0 && percent, pitchCents !== 0 && semitones].filter(Boolean).join(', ');
}

export function Facts({ copy }: { copy: SuspectedCopy }) {
  const { stretch, offsetMs, licensedAt, alsoLike } = copy;
  return (
    <dl className="flex flex-wrap justify-between gap-x-8 gap-y-3 border-t border-line px-5 py-3">
      <Fact name="B starts in A at">{offsetOf(offsetMs)}</Fact>
      <Fact name="Same stretch in A">
        {placeOf(stretch.likeFromMs)} to {placeOf(stretch.likeToMs)}
      </Fact>
      <Fact name="Same stretch in B">
        {placeOf(stretch.fromMs)} to {placeOf(stretch.toMs)}
      </Fact>
      <Fact name="Speed and pitch">{speedOf(copy)}</Fact>
      <Fact name="B’s creator had A">
        {licensedAt ? (
          <span className="text-warn">licensed it {formatShortDay(licensedAt)}</span>
        ) : (
          'no licence'
        )}
      </Fact>
      {alsoLike.length > 0 && <Fact name="Also like">{alsoLike.join(', ')}</Fact>}
    </dl>
  );
}
