import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import type { Sample } from '../../../application/catalogue/contract.js';
import type { PartSuggestions } from '../../../application/library/workbenches/contract.js';
import { query } from '../api/api.js';
import { PauseIcon, PlayIcon } from '../ui/marks.js';
import { Sticker } from '../ui/badge.js';
import { IconButton } from '../ui/button.js';
import { countOf } from '../ui/format.js';
import { Cover, coverOf } from '../ui/sound/cover.js';
import { HeardFacts } from './lane-row.js';
import { engineState, isPlaying, play } from './playback.js';
import type { Bench } from './song.js';
import { addSample, FULL_TEXT, hearTrial, isFull, trialNow, useTrial } from './workbench.js';

/** Suggests sounds for the musical part, such as the bass, that the lanes lack. */
export function useSuggestions({ tempo, key, lanes }: Bench) {
  const playing = lanes.flatMap(({ sample, mute }) => (sample && !mute ? sample.id : []));
  return useQuery(query('POST /api/workbenches/suggestions', { body: { tempo, key, lanes: playing } }));
}

/** Plays a suggestion together with the lanes; null stops the suggestion. */
function hear(sample: Sample | null): void {
  hearTrial(sample);
  if (sample && !isPlaying(engineState())) play();
}

/** Plays the next suggestion with the lanes; after the last suggestion, the lanes alone. */
export function hearNext(items: PartSuggestions['items']): void {
  const at = items.findIndex(({ sample }) => sample.id === trialNow()?.id);
  hear(items[at + 1]?.sample ?? null);
}

function AddButton(props: { sample: Sample; bench: Bench; outlined?: boolean; className: string }) {
  const { sample, bench, ...look } = props;
  const full = isFull(bench);
  const add = () => {
    hearTrial(null);
    addSample(sample);
  };
  return (
    <IconButton label={full ? FULL_TEXT : 'Add'} about={sample.title} disabled={full} onClick={add} {...look}>
      <Plus size={16} />
    </IconButton>
  );
}

const titleOf = ({ missing }: PartSuggestions): string => (missing ? `Missing: ${missing}?` : 'Also fits');

function HearButton({ sample, className }: { sample: Sample; className: string }) {
  const isHeard = useTrial()?.id === sample.id;
  return (
    <button
      type="button"
      className={`relative ${className}`}
      aria-pressed={isHeard}
      aria-label={`Hear ${sample.title} with the lanes`}
      onClick={() => hear(isHeard ? null : sample)}
    >
      <Cover {...coverOf(sample)} size="small" className="size-full" />
      <span
        className={`absolute inset-0 grid place-content-center ${isHeard ? 'cut-corner-10 bg-accent text-on-accent' : 'text-[#f2f4eb] opacity-0 hover:opacity-100'}`}
      >
        {isHeard ? <PauseIcon /> : <PlayIcon />}
      </span>
    </button>
  );
}

function Card({ item, bench }: { item: PartSuggestions['items'][number]; bench: Bench }) {
  const { sample, reason } = item;
  const isHeard = useTrial()?.id === sample.id;
  return (
    <li
      className="grid min-w-0 grid-cols-[44px_minmax(0,1fr)_auto] gap-x-3 gap-y-2.5 border border-line bg-surface p-3 data-heard:border-text data-heard:bg-hover"
      data-heard={isHeard ? '' : undefined}
    >
      <HearButton sample={sample} className="size-11" />
      <div className="min-w-0">
        <p className={`truncate font-semibold ${isHeard ? 'text-accent-text' : ''}`}>{sample.title}</p>
        <HeardFacts sample={sample} bench={bench} />
      </div>
      <Sticker tone={isHeard ? 'accent' : 'rest'} label={countOf(sample.creditCost, 'credit')}>
        {sample.creditCost}
      </Sticker>
      <p className="col-span-2 self-end truncate text-sm text-muted" title={reason}>
        {reason}
      </p>
      <AddButton sample={sample} bench={bench} outlined className="size-8!" />
    </li>
  );
}

const SHOWN = 3;

/** Shown below the lanes: names the part that is missing, and suggests sounds for it. */
export function Missing({ bench }: { bench: Bench }) {
  const { data } = useSuggestions(bench);
  if (!data || data.items.length === 0) return null;
  return (
    <section
      aria-label={titleOf(data)}
      className="mt-3 grid gap-4 border border-dashed border-strong p-4 max-lg:hidden lg:grid-cols-[minmax(180px,260px)_minmax(0,1fr)]"
    >
      <div>
        <h2 className="display text-3xl">{titleOf(data)}</h2>
        {data.because && <p className="mt-2 text-muted">{data.because}</p>}
        <button
          type="button"
          className="mt-2 flex items-center gap-2 py-1 text-sm text-muted"
          onClick={() => hearNext(data.items)}
        >
          <kbd className="border border-strong px-1.5 py-0.5 font-sans font-semibold">B</kbd> hear the next
        </button>
      </div>
      <ul className="grid list-none gap-3 p-0 fit-180">
        {data.items.slice(0, SHOWN).map((item) => (
          <Card key={item.sample.id} item={item} bench={bench} />
        ))}
      </ul>
    </section>
  );
}

/** On small screens, the suggestions are a row above the transport. */
export function MissingRow({ bench }: { bench: Bench }) {
  const { data } = useSuggestions(bench);
  const trial = useTrial();
  const items = data?.items.slice(0, SHOWN) ?? [];
  return (
    <div className="gutter flex h-13 items-center gap-2.5 border-b border-line lg:hidden">
      {data && items.length > 0 ? (
        <>
          <p className="min-w-0 flex-1 truncate">
            <span className="display text-lg">{titleOf(data)}</span>{' '}
            <span className="text-sm text-muted">{trial ? trial.title : `${items.length} fit`}</span>
          </p>
          {items.map(({ sample }) => (
            <HearButton key={sample.id} sample={sample} className="size-11 p-1.5" />
          ))}
          {trial && <AddButton sample={trial} bench={bench} className="size-11!" />}
        </>
      ) : (
        <p className="text-sm text-muted">{data && bench.lanes.length > 0 && 'All parts are there.'}</p>
      )}
    </div>
  );
}
