import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { Search } from 'lucide-react';
import { type Ref, useId, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { Person } from '../../../application/administration/contract.js';
import { PEOPLE_SEARCH_MIN_LENGTH } from '../../../application/administration/values.js';
import { peopleQuery } from '../api/admin.js';
import { messageOf } from '../api/http.js';
import { paths } from '../paths.js';
import { isComposing } from '../ui/forms/composing.js';
import { useListKeys } from '../ui/forms/list-keys.js';
import { useDebouncedValue } from '../ui/hooks/use-debounced-value.js';
import { PersonCard } from './person-card.js';

const PAUSE_MS = 200;

/** The `state` of an address that is about a person. */
export interface AboutPerson {
  person?: Person;
}

/** Finds people while somebody types. Whoever is chosen is chosen in Refunds where that is open, else in Credits. */
export function PersonField(props: {
  ref?: Ref<HTMLInputElement>;
  /** The list is part of the sheet; elsewhere it lies over the page. */
  inSheet?: boolean;
  onDone?: () => void;
  className?: string;
}) {
  const { ref, inSheet = false, onDone, className } = props;
  const listId = useId();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const searched = useDebouncedValue(text.trim(), PAUSE_MS);
  const wanted = open && searched.length >= PEOPLE_SEARCH_MIN_LENGTH && text.trim() !== '';
  const { data, error, isPlaceholderData } = useQuery({ ...peopleQuery(searched), enabled: wanted });
  const found = (wanted && data?.items) || [];
  const choose = (person: Person | undefined) => {
    if (!person) return;
    setText('');
    setOpen(false);
    forget();
    onDone?.();
    const state: AboutPerson = { person };
    void navigate(pathname === paths.adminRefunds ? pathname : paths.adminCredits, { state });
  };
  const { at, steer, forget } = useListKeys(
    found.map(({ id }) => id),
    { pick: (index) => choose(found[index]), close: () => setOpen(false) },
  );
  const says = !wanted
    ? ''
    : error
      ? messageOf(error)
      : !data
        ? ''
        : found.length === 0
          ? `Nobody matches “${searched}”`
          : `${found.length} found`;
  const optionId = (index: number) => `${listId}-${index}`;
  return (
    <div role="search" className={clsx('relative', className)}>
      <Search
        size={17}
        strokeWidth={1.75}
        aria-hidden="true"
        className="absolute top-3 left-3.5 text-muted"
      />
      <input
        ref={ref}
        type="search"
        role="combobox"
        aria-label="Find a person, id or e-mail"
        aria-expanded={found.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={at >= 0 ? optionId(at) : undefined}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        placeholder="Find a person, id or e-mail"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setOpen(true);
          forget();
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={(event) => {
          // The first one, unless the list still answers what was typed before.
          const answers = searched === text.trim() && !isPlaceholderData;
          if (event.key === 'Enter' && at === -1 && answers && !isComposing(event)) choose(found[0]);
          else steer(event);
        }}
        className="field search-field pr-3!"
      />
      <div
        className={clsx(
          inSheet ? 'mt-3' : 'popover absolute top-full right-0 z-50 mt-2 w-90 py-1.5',
          says === '' && !inSheet && 'hidden',
        )}
      >
        <p role="status" className={found.length > 0 ? 'sr-only' : 'px-4 py-2 text-muted empty:hidden'}>
          {says}
        </p>
        <ul id={listId} role="listbox" aria-label="People found" hidden={found.length === 0}>
          {found.map((person, index) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- Its keys are pressed in the field.
            <li
              key={person.id}
              role="option"
              id={optionId(index)}
              aria-selected={index === at}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => choose(person)}
              className="flex min-h-13 cursor-pointer items-center gap-3 px-4 py-1.5 hover:bg-hover aria-selected:bg-hover"
            >
              <PersonCard person={person} />
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
