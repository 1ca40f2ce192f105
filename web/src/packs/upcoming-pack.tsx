import type { PackDetail, Sample } from '../../../application/catalogue/contract.js';
import { FollowButton } from '../following/follow-button.js';
import { PageHead } from './page-head.js';
import { PlayButton } from '../player/play-button.js';
import { SeekableWaveform } from '../player/seekable-waveform.js';
import { PageTitle } from '../shell/page-frame.js';
import { Sticker } from '../ui/badge.js';
import { countOf, formatDay, formatDuration, formatTime, titleBy } from '../ui/format.js';
import { useHydrated } from '../ui/hooks/use-hydrated.js';
import { KeyLabel, TempoLabel } from '../ui/sound/key-tempo.js';
import { coverOf } from '../ui/sound/cover.js';

function Row({ sample, queue, number }: { sample: Sample; queue: readonly Sample[]; number: number }) {
  return (
    <li className="flex min-h-15 items-center gap-4 border-b border-line py-1.5">
      <span className="display w-7 flex-none text-lg text-faint max-sm:hidden">{number}</span>
      <PlayButton sound={sample} queue={queue} className="icon-btn" />
      <span className="min-w-0 flex-1 truncate font-semibold">{sample.title}</span>
      <SeekableWaveform sound={sample} queue={queue} className="h-8 w-56 flex-none max-md:hidden" />
      <span className="narrow w-11 flex-none text-right text-sm text-muted">
        {formatDuration(sample.durationMs)}
      </span>
      <span className="grid w-24 flex-none justify-items-end text-sm max-sm:hidden">
        <KeyLabel musicalKey={sample.key} />
        <TempoLabel bpm={sample.bpm} />
      </span>
      <Sticker label={countOf(sample.creditCost, 'credit')}>{sample.creditCost}</Sticker>
    </li>
  );
}

const UTC = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** A time in the time zone of the browser. The server does not know this zone, so it renders the time in UTC. */
function LocalTime({ at }: { at: string }) {
  const text = useHydrated() ? `${formatDay(at)}, ${formatTime(at)}` : `${UTC.format(new Date(at))} UTC`;
  return <time dateTime={at}>{text}</time>;
}

/** The page of a pack before its release, with previews. Nothing can be bought or saved yet. */
export default function UpcomingPack({ pack }: { pack: PackDetail }) {
  const { title, creator, samples, genre, mood, description, releaseAt } = pack;
  return (
    <>
      <PageTitle>{titleBy(title, creator)}</PageTitle>
      <PageHead
        title={title}
        cover={coverOf(pack)}
        creator={creator}
        facts={[
          countOf(samples.length, 'sample'),
          genre,
          mood,
          countOf(pack.packCostCredits ?? pack.totalCostCredits, 'credit'),
        ]}
      >
        {description && <p className="mt-3 max-w-135 text-md leading-[1.47] text-muted">{description}</p>}
        <div className="mt-5 flex flex-wrap items-center gap-4">
          <p className="text-lg font-semibold">
            {releaseAt ? (
              <>
                Out on <LocalTime at={releaseAt} />
              </>
            ) : (
              'Preview of a pack that is not released'
            )}
          </p>
          <FollowButton creator={creator} />
        </div>
        {releaseAt && (
          <p className="mt-2 text-sm text-muted">
            We notify followers of {creator.displayName} when it is out.
          </p>
        )}
      </PageHead>
      <section aria-label="Samples" className="gutter">
        <h2 className="display py-4 text-3xl">Listen before</h2>
        <ul className="m-0 list-none border-t border-line p-0">
          {samples.map((sample, index) => (
            <Row key={sample.id} sample={sample} queue={samples} number={index + 1} />
          ))}
        </ul>
      </section>
    </>
  );
}
