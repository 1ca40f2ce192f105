import './swipe.css';
import { X } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { GENRES } from '../../../../application/catalogue/values.js';
import type { Sample } from '../../../../application/catalogue/contract.js';
import { useDownload } from '../../downloads/use-download.js';
import { isTyping } from '../../player/keyboard.js';
import { player, usePlayback, useProgress } from '../../player/player.js';
import { packPathOf } from '../../paths.js';
import { toggleChoice } from '../../filters/filters.js';
import { useSaveToggle } from '../../samples/saved.js';
import { PageTitle } from '../../shell/page-frame.js';
import { Chip } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { EmptyState, ErrorPanel } from '../../ui/states.js';
import { SidePanel } from './listening-panel.js';
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
    <div className="max-[900px]:mb-5">
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
  /** Plays the next card, but only after an action: no sound plays by itself before the first. */
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
    // A held key acts once.
    if (!event.repeat) act(action);
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => onKey(event);
    // Before the page's own keys, which would seek.
    document.addEventListener('keydown', press, { capture: true });
    return () => document.removeEventListener('keydown', press, { capture: true });
  }, []);
  return <SwipeCard {...{ sample, playback, progress, saved, act }} sliding={deck.sliding} />;
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
