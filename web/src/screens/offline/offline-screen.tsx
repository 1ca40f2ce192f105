import { RotateCw, WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { pathOfThisSite } from '../../../../application/accounts/values.js';
import type { Sample } from '../../../../application/catalogue/contract.js';
import {
  keptPreviews,
  type KeptLibrary,
  type KeptSound,
  previewKey,
  readLibrary,
} from '../../offline/kept-library.js';
import { PlayButton } from '../../player/play-button.js';
import { player } from '../../player/player.js';
import { currentSession, onSessionEvent } from '../../session/session.js';
import { PageTitle } from '../../shell/page-frame.js';
import { Button } from '../../ui/button.js';
import { countOf, formatDuration } from '../../ui/format.js';
import { Cover } from '../../ui/sound/cover.js';
import { KeyLabel, TempoLabel } from '../../ui/sound/key-tempo.js';
import { EmptyState } from '../../ui/states.js';

interface Kept {
  library: KeptLibrary | undefined;
  previews: ReadonlySet<string>;
}

/**
 * Reads the library that this browser keeps, unless it belongs to another user. Offline, the session is unknown, so
 * the library of the last user is shown.
 */
async function readKept(): Promise<Kept> {
  const library = await readLibrary();
  const { status, user } = currentSession();
  const isOthers = status !== 'loading' && library?.ownerId !== user?.id;
  return { library: isOthers ? undefined : library, previews: await keptPreviews().catch(() => new Set()) };
}

function useKept(): Kept | undefined {
  const [kept, setKept] = useState<Kept>();
  useEffect(() => {
    const read = () => void readKept().then(setKept);
    read();
    return onSessionEvent(read);
  }, []);
  return kept;
}

/**
 * Returns a function that loads the page that could not be loaded before. Once the server can be reached, that page
 * is loaded automatically, but not while a sound is playing, because loading stops the sound.
 */
function useReturn(): () => void {
  const [parameters] = useSearchParams();
  const asked = parameters.get('from');
  const from = pathOfThisSite(asked, window.location.origin);
  const goBack = () => window.location.replace(from);
  useEffect(() => {
    if (asked === null) return undefined;
    const goBackIfSilent = () => {
      // The session is asked for again and again; its answer shows that the server can be reached.
      const isReached = currentSession().status !== 'loading';
      if (isReached && player.getState().currentlyPlaying === null) window.location.replace(from);
    };
    goBackIfSilent();
    const stops = [onSessionEvent(goBackIfSilent), player.subscribe(goBackIfSilent)];
    return () => stops.forEach((stop) => stop());
  }, [asked, from]);
  return goBack;
}

/** Returns the sample if this browser can play its preview without a connection. */
const playableIn = (previews: Kept['previews'], { sample }: KeptSound): Sample | undefined =>
  sample?.previewUrl && previews.has(previewKey(sample.previewUrl)) ? sample : undefined;

function SoundRow({ sound, playable, queue }: { sound: KeptSound; playable?: Sample; queue: Sample[] }) {
  const { title, creator, pack, genre, bought, sample } = sound;
  return (
    <li className="flex min-h-15 items-center gap-3 border-b border-line">
      {playable ? (
        <PlayButton sound={playable} queue={queue} />
      ) : (
        <span className="w-9 shrink-0" aria-hidden="true" />
      )}
      <Cover
        title={pack || title}
        genre={genre}
        artworkUrl={null}
        size="small"
        className="size-10 shrink-0"
      />
      <div className="min-w-0 flex-1 leading-[1.3]">
        <p className={playable ? 'truncate font-semibold' : 'truncate text-faint'}>{title}</p>
        <p className="truncate text-sm text-muted">
          {!playable && 'Preview not kept · '}
          {[creator, pack].filter(Boolean).join(' in ')}
        </p>
      </div>
      {sample && (
        <>
          <span className="w-20 max-md:hidden">
            <KeyLabel musicalKey={sample.key} />
          </span>
          <span className="w-20 max-md:hidden">
            <TempoLabel bpm={sample.bpm} />
          </span>
          <span className="narrow text-muted">{formatDuration(sample.durationMs)}</span>
        </>
      )}
      <span className="w-16 text-right text-sm text-faint">{bought ? 'Bought' : 'Saved'}</span>
    </li>
  );
}

function KeptSounds({ sounds, previews }: { sounds: KeptSound[]; previews: Kept['previews'] }) {
  const playable = sounds.map((sound) => playableIn(previews, sound));
  const queue = playable.filter((sample) => sample !== undefined);
  return (
    <section aria-label="My Library">
      <div className="flex min-h-12 items-center gap-3 border-b border-line">
        <h2 className="font-semibold">My Library</h2>
        <span className="text-muted">
          {countOf(sounds.length, 'sound')}, {queue.length} with a preview in this browser
        </span>
      </div>
      <ul>
        {sounds.map((sound, at) => (
          <SoundRow key={sound.sample?.id ?? at} sound={sound} playable={playable[at]} queue={queue} />
        ))}
      </ul>
    </section>
  );
}

export default function OfflineScreen() {
  const kept = useKept();
  const goBack = useReturn();
  const sounds = kept?.library?.sounds ?? [];
  return (
    <div className="gutter pt-9 pb-28">
      <PageTitle />
      <div className="mb-5 flex flex-wrap items-end justify-between gap-4">
        <div>
          <h1 className="display text-8xl">Offline</h1>
          <p className="mt-2 flex items-center gap-2 text-muted">
            <WifiOff size={16} className="shrink-0" />
            Offcut cannot be reached. Previews that you played or bought before still play.
          </p>
        </div>
        <Button icon={<RotateCw size={16} />} onClick={goBack}>
          Try again
        </Button>
      </div>
      {kept && sounds.length > 0 && <KeptSounds sounds={sounds} previews={kept.previews} />}
      {kept && sounds.length === 0 && (
        <EmptyState title="Nothing is kept in this browser">
          Once you are signed in, your library and the previews that you play are kept here.
        </EmptyState>
      )}
    </div>
  );
}
