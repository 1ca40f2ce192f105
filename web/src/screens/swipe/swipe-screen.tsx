import './swipe.css';
import { useQuery } from '@tanstack/react-query';
import { Bookmark, X } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { GENRES } from '../../../../application/catalogue/values.js';
import type { Sample } from '../../../../application/catalogue/contract.js';
import { query } from '../../api/api.js';
import { useDownload } from '../../downloads/use-download.js';
import { isTyping } from '../../ui/forms/typing.js';
import { player, usePlayback, useProgress } from '../../player/player.js';
import { packPathOf, paths } from '../../paths.js';
import { toggleChoice } from '../../filters/filters.js';
import { useSaveToggle } from '../../samples/saved.js';
import { useSession } from '../../session/session.js';
import { PageTitle } from '../../shell/page-frame.js';
import { Chip } from '../../ui/badge.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { formatAgo } from '../../ui/format.js';
import { Cover } from '../../ui/sound/cover.js';
import { EmptyState, ErrorPanel } from '../../ui/states.js';
import { type SwipeAction, SwipeCard, SwipeSkeleton } from './swipe-card.js';
import { useDeck } from './use-deck.js';

const KEYS: readonly { key: string; shown: string; meaning: string; action: SwipeAction }[] = [
  { key: 'ArrowLeft', shown: '←', meaning: 'Pass', action: 'pass' },
  { key: 'ArrowRight', shown: '→', meaning: 'Save', action: 'save' },
  { key: ' ', shown: 'Space', meaning: 'Play', action: 'play' },
  { key: 'd', shown: 'D', meaning: 'Download', action: 'download' },
  { key: 'o', shown: 'O', meaning: 'Open pack', action: 'open' },
];

function GenrePanel(props: { genres: readonly string[]; onChange: (genres: readonly string[]) => void }) {
  const { genres, onChange } = props;
  return (
    <div className="max-[900px]:mb-5 short:mb-2!">
      <h2 className="display mb-4 text-3xl max-[900px]:hidden">Genres</h2>
      <div className="no-scrollbar flex gap-2 *:flex-none max-[900px]:-mx-(--gutter) max-[900px]:overflow-x-auto max-[900px]:px-(--gutter) min-[900px]:flex-wrap">
        <Chip pressed={genres.length === 0} onClick={() => onChange([])}>
          All
        </Chip>
        {GENRES.map((genre) => {
          const pressed = genres.includes(genre);
          return (
            <Chip
              key={genre}
              pressed={pressed}
              disabled={!pressed && genres.length >= 3}
              onClick={() => onChange(toggleChoice(genres, genre))}
            >
              {genre}
              {pressed && <X size={13} />}
            </Chip>
          );
        })}
      </div>
      <dl className="mt-8 grid grid-cols-[max-content_1fr] gap-x-4 gap-y-3 border-t border-line pt-6 text-muted max-lg:hidden">
        {KEYS.map(({ shown, meaning }) => (
          <div key={shown} className="contents">
            <dt>
              <kbd className="border border-strong px-2 py-1 text-xs font-semibold text-text">{shown}</kbd>
            </dt>
            <dd className="m-0">{meaning}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Deck({ sample, deck }: { sample: Sample; deck: ReturnType<typeof useDeck> }) {
  const { toggle, saved } = useSaveToggle(sample, 'list');
  const { download } = useDownload();
  const playback = usePlayback(sample.id);
  const progress = useProgress(sample.id);
  const navigate = useNavigate();
  /** Plays the next card after the visitor passed or saved a card. The first card does not play by itself. */
  const goOn = (next: Sample | null) => {
    if (next) void player.play(next, { pressed: false });
  };
  const act = (action: SwipeAction) => {
    if (action === 'open') void navigate(packPathOf(sample));
    if (action === 'play') void player.play(sample);
    if (action === 'download') download(sample, 'swipe');
    if (action === 'pass' || action === 'save') player.pause();
    if (action === 'pass') deck.leave('left', goOn);
    if (action === 'save') {
      if (!saved) toggle();
      deck.leave('right', goOn);
    }
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest('[role=dialog], [role=alertdialog], [role=menu]')) return;
    const control = target !== null && target.closest('button, a') !== null;
    const action = KEYS.find(({ key }) => key === event.key)?.action;
    if (!action || (control && event.key === ' ')) return;
    event.preventDefault();
    // A key that is held down acts only once.
    if (!event.repeat) act(action);
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => onKey(event);
    // `capture` runs this handler before that of the player, in which the arrow keys would seek.
    document.addEventListener('keydown', press, { capture: true });
    return () => document.removeEventListener('keydown', press, { capture: true });
  }, []);
  return (
    <SwipeCard {...{ sample, playback, progress, saved, act }} next={deck.next} sliding={deck.sliding} />
  );
}

function Bin({ genres, onAll }: { genres: readonly string[]; onAll: () => void }) {
  const deck = useDeck(genres);
  if (deck.current) return <Deck sample={deck.current} deck={deck} />;
  if (deck.status === 'loading') return <SwipeSkeleton />;
  if (deck.status === 'failed')
    return <ErrorPanel title="The sounds could not be loaded" onRetry={deck.reload} />;
  return (
    <EmptyState title="No tracks match" action={<Button onClick={onAll}>Show all genres</Button>}>
      No sound has these genres yet.
    </EmptyState>
  );
}

const SHOWN = 3;

interface Entry {
  id: string;
  title: string;
  by: string;
  artworkUrl: string | null;
  at: string;
}

function Entries({ title, entries, empty }: { title: string; entries: readonly Entry[]; empty: string }) {
  return (
    <section aria-label={title} className="mb-9">
      <h2 className="display mb-4 text-3xl">{title}</h2>
      {entries.length === 0 && <p className="text-muted">{empty}</p>}
      <ul className="list-none p-0">
        {entries.map((entry) => (
          <li key={`${entry.id}-${entry.at}`} className="flex h-19 items-center gap-3.5 border-b border-line">
            <span className="w-13 flex-none">
              <Cover title={entry.title} genre="" artworkUrl={entry.artworkUrl} size="small" />
            </span>
            <span className="min-w-0 flex-1">
              <span className="block truncate font-semibold">{entry.title}</span>
              <span className="block truncate text-sm text-muted">{entry.by}</span>
            </span>
            <time
              className="text-sm text-faint"
              dateTime={entry.at}
              title={new Date(entry.at).toLocaleString('en-GB')}
            >
              {formatAgo(entry.at)}
            </time>
          </li>
        ))}
      </ul>
    </section>
  );
}

function SidePanel() {
  const signedIn = useSession().status === 'signed-in';
  const history = useQuery({ ...query('GET /api/library/history'), enabled: signedIn });
  const saved = useQuery({
    ...query('GET /api/library/saved', { query: { limit: SHOWN } }),
    enabled: signedIn,
  });
  const heard = (history.data?.items ?? []).slice(0, SHOWN).map((entry) => ({
    id: entry.id,
    title: entry.title,
    by: entry.artist,
    artworkUrl: entry.artwork ?? null,
    at: entry.timestamp,
  }));
  const kept = (saved.data?.items ?? []).slice(0, SHOWN).map(({ id, item, sample, createdAt }) => ({
    id,
    title: sample?.title ?? item.title ?? item.name ?? id,
    by: sample?.creator.displayName ?? item.artist ?? item.creator ?? '',
    artworkUrl: sample?.artworkUrl ?? item.artwork ?? null,
    at: createdAt,
  }));
  return (
    <aside className="max-xl:hidden" aria-label="Recent">
      <Entries
        title="Recently listened to"
        entries={heard}
        empty={signedIn ? 'Nothing heard yet.' : 'Sign in to keep what you hear here.'}
      />
      <Entries
        title="Recent Saves"
        entries={kept}
        empty={signedIn ? 'Nothing saved yet.' : 'Sign in to save what you like.'}
      />
      <ButtonLink to={paths.librarySaved} className="w-full" icon={<Bookmark size={16} />}>
        Open library
      </ButtonLink>
    </aside>
  );
}

export default function SwipeScreen() {
  const [genres, setGenres] = useState<readonly string[]>([]);
  return (
    <div className="swipe gutter">
      <PageTitle />
      <h1 className="sr-only">Swipe</h1>
      <GenrePanel genres={genres} onChange={setGenres} />
      <div className="min-w-0">
        <Bin key={genres.join('|')} genres={genres} onAll={() => setGenres([])} />
      </div>
      <SidePanel />
    </div>
  );
}
