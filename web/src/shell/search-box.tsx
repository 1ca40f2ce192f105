import { clsx } from 'clsx';
import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, Suspense, useId, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { query } from '../api/api.js';
import { FindBySoundButton, useSoundDrop } from '../by-sound/own-sound-field.js';
import { useOwnSound } from '../by-sound/own-sound.js';
import { paths } from '../paths.js';
import { useListKeys, useSlashKey } from '../ui/forms/list-keys.js';
import { useDebouncedValue } from '../ui/hooks/use-debounced-value.js';
import { fetchPart, lazyWithPreload } from './lazy-with-preload.js';

export const SUGGESTIONS_FROM_LETTERS = 2;
const SUGGESTIONS_SHOWN = 5;
export const TYPING_PAUSE_MS = 120;
const OwnSoundChip = lazyWithPreload(() => import('../by-sound/own-sound-chip.js'));
const suggestionRow = () => import('./suggestion-row.js');
const SuggestionRow = lazyWithPreload(suggestionRow);

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
    void fetchPart(suggestionRow).then((row) => row?.playSuggested(sampleId));
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
      <Suspense>{sound && <OwnSoundChip sound={sound} />}</Suspense>
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
        <Suspense>
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
        </Suspense>
      </ul>
    </form>
  );
}
