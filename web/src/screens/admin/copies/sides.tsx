import { Link } from 'react-router-dom';
import type { CopySide, SuspectedCopy } from '../../../api/copies.js';
import { paths } from '../../../paths.js';
import { utcTime } from '../../../staff/dates.js';
import { Fact } from '../../../staff/page-parts.js';
import { Avatar } from '../../../ui/avatar.js';
import { Badge } from '../../../ui/badge.js';
import { countOf, formatMicroUsd } from '../../../ui/format.js';
import { Cover } from '../../../ui/sound/cover.js';
import { KeyLabel, TempoLabel } from '../../../ui/sound/key-tempo.js';
import { earlierBy, PLACES, sinceOf } from './words.js';

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
