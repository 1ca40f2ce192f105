import { useQuery } from '@tanstack/react-query';
import { AudioLines, Layers, Search, Tag, User } from 'lucide-react';
import { type KeyboardEvent, type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { Suggestion } from '../../../application/catalogue/contract.js';
import { suggestionsQuery } from '../api/catalogue.js';
import { paths } from '../paths.js';
import { isComposing } from '../ui/forms/composing.js';
import { useDebouncedValue } from '../ui/hooks/use-debounced-value.js';

export const SUGGESTIONS_FROM_LETTERS = 2;
const SUGGESTIONS_SHOWN = 5;
const TYPING_PAUSE_MS = 120;
const ICONS = { sample: AudioLines, pack: Layers, creator: User, genre: Tag } as const;

/** "/" puts the cursor into the search box, except while typing elsewhere. */
function useSlashKey(focus: () => void): void {
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent) => {
      const typing =
        event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]');
      if (event.key !== '/' || typing || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      focus();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  });
}

function SuggestionRow({
  suggestion,
  id,
  active,
  onPick,
}: {
  suggestion: Suggestion;
  id: string;
  active: boolean;
  onPick: () => void;
}) {
  const Icon = ICONS[suggestion.kind];
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- Its keys are pressed in the field.
    <li
      role="option"
      id={id}
      aria-selected={active}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onPick}
      className="flex h-11 cursor-pointer items-center gap-3 px-4 hover:bg-hover aria-selected:bg-hover"
    >
      <Icon size={18} strokeWidth={1.75} className="text-muted" aria-hidden="true" />
      <span className="min-w-0 flex-1 truncate">{suggestion.label}</span>
      <span className="text-xs text-faint">{suggestion.kind}</span>
    </li>
  );
}

/** Search with up to five suggestions from the second letter on. Submitting a blank text does nothing. */
export function SearchBox({ autoFocus }: { autoFocus?: boolean }) {
  const listId = useId();
  const location = useLocation();
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const asked = location.pathname === '/search' ? (new URLSearchParams(location.search).get('q') ?? '') : '';
  const [text, setText] = useState(asked);
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState<string | null>(null);
  const [shownFor, setShownFor] = useState(asked);
  if (shownFor !== asked) {
    setShownFor(asked);
    setText(asked);
  }
  useSlashKey(() => input.current?.focus());

  const settled = useDebouncedValue(text.trim(), TYPING_PAUSE_MS);
  const wanted = open && settled.length >= SUGGESTIONS_FROM_LETTERS;
  const { data } = useQuery({ ...suggestionsQuery(settled), enabled: wanted });
  const items = wanted && text.trim().length >= SUGGESTIONS_FROM_LETTERS ? (data?.items ?? []) : [];
  const shown = items.slice(0, SUGGESTIONS_SHOWN);
  // The highlight is kept by address, so a refresh of the list does not move it.
  const at = shown.findIndex(({ href }) => href === active);

  const leave = (to: string) => {
    setOpen(false);
    setActive(null);
    void navigate(to);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const query = text.trim();
    if (query) leave(paths.search(query));
  };
  const steer = (event: KeyboardEvent) => {
    if (isComposing(event)) {
      // The key ends the composed word; the form must not be sent.
      if (event.key === 'Enter') event.preventDefault();
      return;
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step && shown.length) {
      event.preventDefault();
      const next =
        at === -1 ? (step === 1 ? 0 : shown.length - 1) : (at + step + shown.length) % shown.length;
      setActive(shown[next]?.href ?? null);
    } else if (event.key === 'Enter' && at >= 0) {
      event.preventDefault();
      leave(shown[at]?.href ?? paths.home);
    } else if (event.key === 'Escape') {
      if (shown.length) setOpen(false);
      else input.current?.blur();
    }
  };
  const optionId = (index: number) => `${listId}-${index}`;
  return (
    <form role="search" action={paths.search()} onSubmit={submit} className="group relative w-full md:w-116">
      <Search
        size={17}
        strokeWidth={1.75}
        aria-hidden="true"
        className="absolute top-3 left-3.5 text-muted"
      />
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
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- Whoever opens the search wants to type.
        autoFocus={autoFocus}
        placeholder="Search samples, packs, creators"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setOpen(true);
          setActive(null);
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={steer}
        className="field search-field"
      />
      <kbd
        aria-hidden="true"
        className="absolute top-2.5 right-3 rounded border border-line px-1.25 font-sans text-xs/5 font-semibold text-faint group-focus-within:hidden max-md:hidden"
      >
        /
      </kbd>
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
            id={optionId(index)}
            active={index === at}
            onPick={() => leave(suggestion.href)}
          />
        ))}
      </ul>
    </form>
  );
}
