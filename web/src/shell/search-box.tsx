import { clsx } from 'clsx';
import { useQuery } from '@tanstack/react-query';
import { AudioLines, Layers, Search, Tag, User } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { query } from '../api/api.js';
import { queryClient } from '../api/query-client.js';
import { FindBySoundButton, OwnSoundChip, useSoundDrop } from '../by-sound/own-sound-field.js';
import { useOwnSound } from '../by-sound/own-sound.js';
import type { Suggestion } from '../../../application/catalogue/contract.js';
import { paths } from '../paths.js';
import { isSounding, player, usePlayback } from '../player/player.js';
import { useListKeys, useSlashKey } from '../ui/forms/list-keys.js';
import { useDebouncedValue } from '../ui/hooks/use-debounced-value.js';
import { PauseIcon, PlayIcon } from '../ui/marks.js';
import { notifyError } from '../ui/overlays/toast.js';

export const SUGGESTIONS_FROM_LETTERS = 2;
const SUGGESTIONS_SHOWN = 5;
export const TYPING_PAUSE_MS = 120;
const ICONS = { sample: AudioLines, pack: Layers, creator: User, genre: Tag } as const;

/** The label with the typed words marked, each at the start of a word, as the search matches them. */
function Matched({ label, typed }: { label: string; typed: string }) {
  const words = typed.split(/[\s-]+/).filter(Boolean);
  const escaped = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`));
  const pattern = new RegExp(String.raw`(?<![\p{L}\p{N}])(${escaped.join('|')})`, 'giu');
  if (words.length === 0) return label;
  return label.split(pattern).map((part, index) =>
    index % 2 === 1 ? (
      <mark key={index} className="bg-transparent font-semibold text-accent-text">
        {part}
      </mark>
    ) : (
      part
    ),
  );
}

function playSuggested(sampleId: string): void {
  queryClient
    .fetchQuery(query('GET /api/samples/:id', { params: { id: sampleId } }))
    .then((sample) => player.play(sample))
    .catch(notifyError);
}

/** Plays a suggested sample and leaves the suggestions open. The keyboard plays it with Shift and Enter. */
function PlaySpot({ sampleId }: { sampleId: string }) {
  const Icon = isSounding(usePlayback(sampleId)) ? PauseIcon : PlayIcon;
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- The field handles the keys.
    <span
      title="Play (Shift+Enter)"
      className="play-button -mx-2.25 hover:bg-text hover:text-page"
      onClick={(event) => {
        event.stopPropagation();
        playSuggested(sampleId);
      }}
    >
      <Icon size={14} />
    </span>
  );
}

function SuggestionRow(props: {
  suggestion: Suggestion;
  typed: string;
  id: string;
  active: boolean;
  /** Whether this suggestion is the first of its kind, below suggestions of another kind. */
  startsGroup: boolean;
  onPick: () => void;
}) {
  const { suggestion, typed, id, active, startsGroup, onPick } = props;
  const Icon = ICONS[suggestion.kind];
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- The field handles the keys.
    <li
      role="option"
      id={id}
      aria-selected={active}
      aria-keyshortcuts={suggestion.sampleId && 'Shift+Enter'}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onPick}
      className={clsx(
        'flex h-11 cursor-pointer items-center gap-3 px-4 hover:bg-hover aria-selected:bg-hover',
        startsGroup && 'border-t border-line',
      )}
    >
      {suggestion.sampleId ? (
        <PlaySpot sampleId={suggestion.sampleId} />
      ) : (
        <Icon size={18} className="text-muted" />
      )}
      <span className="min-w-0 flex-1 truncate">
        <Matched label={suggestion.label} typed={typed} />
      </span>
      <span className="text-xs text-faint">{suggestion.why ?? suggestion.kind}</span>
    </li>
  );
}

/** Search with up to five suggestions from the second letter. Submitting a blank text does nothing. */
export function SearchBox() {
  const listId = useId();
  const location = useLocation();
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const asked = location.pathname === '/search' ? (new URLSearchParams(location.search).get('q') ?? '') : '';
  const [text, setText] = useState(asked);
  const [open, setOpen] = useState(false);
  const [shownFor, setShownFor] = useState(asked);
  if (shownFor !== asked) {
    setShownFor(asked);
    setText(asked);
  }
  useSlashKey(() => input.current?.focus());

  const settled = useDebouncedValue(text.trim(), TYPING_PAUSE_MS);
  const wanted = open && settled.length >= SUGGESTIONS_FROM_LETTERS;
  const { data } = useQuery({
    ...query('GET /api/search/suggestions', { query: { q: settled } }),
    enabled: wanted,
  });
  const items = wanted && text.trim().length >= SUGGESTIONS_FROM_LETTERS ? (data?.items ?? []) : [];
  const shown = items.slice(0, SUGGESTIONS_SHOWN);
  const leave = (to: string) => {
    setOpen(false);
    forget();
    void navigate(to);
  };
  const pick = (index: number) => leave(shown[index]?.href ?? paths.home);
  const names = shown.map(({ href }) => href);
  const { at, steer, forget } = useListKeys(names, { pick, close: () => setOpen(false) });
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    const sampleId = event.shiftKey && event.key === 'Enter' ? shown[at]?.sampleId : undefined;
    if (!sampleId) return steer(event);
    event.preventDefault();
    playSuggested(sampleId);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const query = text.trim();
    if (query) leave(paths.search(query));
  };
  const sound = useOwnSound();
  const { over, drop } = useSoundDrop();
  const optionId = (index: number) => `${listId}-${index}`;
  return (
    <form
      role="search"
      action={paths.search()}
      onSubmit={submit}
      className="group relative w-full md:w-116"
      {...drop}
    >
      <Search size={17} className="absolute top-3 left-3.5 text-muted" />
      <OwnSoundChip />
      <input
        ref={input}
        type="search"
        name="q"
        role="combobox"
        aria-label="Search samples, packs, creators"
        aria-expanded={shown.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={at >= 0 ? optionId(at) : undefined}
        autoComplete="off"
        placeholder={over ? 'Drop it to find sounds like it' : 'Search samples, packs, creators'}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setOpen(true);
          forget();
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={press}
        className={clsx(
          'field min-h-10.5 pr-20 text-base [&::-webkit-search-cancel-button]:hidden',
          sound ? 'pl-48' : 'pl-10.5',
          over && 'border-text!',
        )}
      />
      <kbd
        aria-hidden="true"
        className="absolute top-2.5 right-12 rounded border border-line px-1.25 font-sans text-xs/5 font-semibold text-faint group-focus-within:hidden max-md:hidden"
      >
        /
      </kbd>
      <FindBySoundButton />
      <ul
        id={listId}
        role="listbox"
        aria-label="Suggestions"
        hidden={shown.length === 0}
        className="popover absolute inset-x-0 top-full z-50 mt-2 list-none py-1.5 pl-0"
      >
        {shown.map((suggestion, index) => (
          <SuggestionRow
            key={suggestion.href}
            suggestion={suggestion}
            typed={settled}
            id={optionId(index)}
            active={index === at}
            startsGroup={index > 0 && shown[index - 1]?.kind !== suggestion.kind}
            onPick={() => leave(suggestion.href)}
          />
        ))}
      </ul>
    </form>
  );
}
