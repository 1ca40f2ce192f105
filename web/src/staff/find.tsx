import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { CalendarDays, Fingerprint, Hash, Search } from 'lucide-react';
import { type ReactNode, type Ref, Suspense, useId, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { Person } from '../../../application/accounts/contract.js';
import { PEOPLE_SEARCH_MIN_LENGTH } from '../../../application/accounts/values.js';
import { FIND_MIN_LENGTH } from '../../../application/ledger/values.js';
import { staffPaths } from '../../../application/pages/staff-paths.js';
import { query } from '../api/api.js';
import { peopleQuery } from '../api/admin.js';
import type { FoundItem } from '../api/finance.js';
import { messageOf } from '../api/transport/http.js';
import { lazyWithPreload } from '../shell/lazy-with-preload.js';
import type { StaffArea } from '../shell/staff-area.js';
import { Avatar } from '../ui/avatar.js';
import { IconButton } from '../ui/button.js';
import { isComposing, useListKeys, useSlashKey } from '../ui/forms/list-keys.js';
import { formatMicroUsd } from '../ui/format.js';
import { useDebouncedValue } from '../ui/hooks/use-debounced-value.js';
import { useMedia } from '../ui/hooks/use-media.js';
import { utcDay } from './dates.js';
import { type AboutPerson, PersonCard } from './person-picker.js';

const Dialog = lazyWithPreload(() =>
  import('../ui/overlays/dialog.js').then((module) => module && { default: module.Dialog }),
);

const PAUSE_MS = 200;

interface FinderProps {
  ref?: Ref<HTMLInputElement>;
  /** Whether the field is in a sheet, which shows the results below the field. Otherwise they lie over the page. */
  inSheet?: boolean;
  onDone?: () => void;
  className?: string;
}

/** A search field with results while the user types; it opens the chosen result. */
function Finder<Item>(
  props: FinderProps & {
    label: string;
    /** "People found". */
    listLabel: string;
    minLength: number;
    /** The query for a text; it makes no request unless `wanted`. */
    useFound: (
      text: string,
      wanted: boolean,
    ) => { data: { items: readonly Item[] } | undefined; error: unknown; isPlaceholderData: boolean };
    keyOf: (item: Item) => string;
    /** The words before "matches" in the message about no results. */
    nothing: string;
    render: (item: Item) => ReactNode;
    onChoose: (item: Item) => void;
  },
) {
  const { ref, inSheet = false, onDone, className, label, listLabel, nothing, keyOf } = props;
  const listId = useId();
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const searched = useDebouncedValue(text.trim(), PAUSE_MS);
  const wanted = open && searched.length >= props.minLength && text.trim() !== '';
  const { data, error, isPlaceholderData } = props.useFound(searched, wanted);
  const found = (wanted && data?.items) || [];
  const choose = (item: Item | undefined) => {
    if (!item) return;
    setText('');
    setOpen(false);
    forget();
    onDone?.();
    props.onChoose(item);
  };
  const { at, steer, forget } = useListKeys(found.map(keyOf), {
    pick: (index) => choose(found[index]),
    close: () => setOpen(false),
  });
  const result = found.length === 0 ? `${nothing} matches “${searched}”` : `${found.length} found`;
  const says = wanted && error ? messageOf(error) : wanted && data ? result : '';
  const optionId = (index: number) => `${listId}-${index}`;
  return (
    <div role="search" className={clsx('relative', className)}>
      <Search size={17} className="absolute top-3 left-3.5 text-muted" />
      <input
        ref={ref}
        type="search"
        role="combobox"
        aria-label={label}
        aria-expanded={found.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={at >= 0 ? optionId(at) : undefined}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        placeholder={label}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setOpen(true);
          forget();
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={(event) => {
          // If no result is highlighted, Enter picks the first, unless the list still shows the results of an earlier
          // text.
          const answers = searched === text.trim() && !isPlaceholderData;
          if (event.key === 'Enter' && at === -1 && answers && !isComposing(event)) choose(found[0]);
          else steer(event);
        }}
        className="field min-h-10.5 pr-3 pl-10.5 text-base [&::-webkit-search-cancel-button]:hidden"
      />
      <div
        className={clsx(
          inSheet
            ? 'mt-3'
            : 'popover absolute top-full right-0 z-50 mt-2 max-h-[70vh] w-90 overflow-y-auto py-1.5',
          says === '' && !inSheet && 'hidden',
        )}
      >
        <p role="status" className={found.length > 0 ? 'sr-only' : 'px-4 py-2 text-muted empty:hidden'}>
          {says}
        </p>
        <ul id={listId} role="listbox" aria-label={listLabel} hidden={found.length === 0}>
          {found.map((item, index) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- The field handles the keys.
            <li
              key={keyOf(item)}
              role="option"
              id={optionId(index)}
              aria-selected={index === at}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => choose(item)}
              className="flex min-h-13 cursor-pointer items-center gap-3 px-4 py-1.5 hover:bg-hover aria-selected:bg-hover"
            >
              {props.render(item)}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

const CHOSEN_HERE: readonly string[] = [staffPaths.adminRefunds, staffPaths.adminSessions];
const useFoundPeople = (text: string, enabled: boolean) => useQuery({ ...peopleQuery(text), enabled });

/**
 * Searches people. The chosen person opens on the current page if it is Refunds or Sessions, else on the page Credits.
 */
function PersonField(props: FinderProps) {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  return (
    <Finder
      {...props}
      label="Find a person, id or e-mail"
      listLabel="People found"
      nothing="No person"
      minLength={PEOPLE_SEARCH_MIN_LENGTH}
      useFound={useFoundPeople}
      keyOf={({ id }) => id}
      render={(person) => <PersonCard person={person} />}
      onChoose={(person: Person) => {
        const state: AboutPerson = { person };
        void navigate(CHOSEN_HERE.includes(pathname) ? pathname : staffPaths.adminCredits, { state });
      }}
    />
  );
}

const useFoundInBooks = (text: string, enabled: boolean) =>
  useQuery({ ...query('GET /api/finance/find', { query: { q: text } }), enabled });

function FoundInBooks({ item }: { item: FoundItem }) {
  const { kind, title, subtitle, amountMicroUsd, at } = item;
  const Icon = kind === 'day' ? CalendarDays : kind === 'event' ? Hash : Fingerprint;
  return (
    <>
      {kind === 'person' ? (
        <Avatar name={title} size={32} />
      ) : (
        <Icon size={18} className="mx-[7px] text-muted" />
      )}
      <span className="min-w-0 flex-1 text-left">
        <span className="block truncate font-semibold">{title}</span>
        <span className="block truncate text-sm text-muted">{subtitle}</span>
      </span>
      <span className="text-right text-sm">
        {amountMicroUsd !== undefined && (
          <span className="block font-semibold">{formatMicroUsd(amountMicroUsd)}</span>
        )}
        {at && <span className="block whitespace-nowrap text-muted">{utcDay(at)}</span>}
      </span>
    </>
  );
}

function BooksField(props: FinderProps) {
  const navigate = useNavigate();
  return (
    <Finder
      {...props}
      label="Find by id, name, e-mail or amount"
      listLabel="Found in the books"
      nothing="Nothing"
      minLength={FIND_MIN_LENGTH}
      useFound={useFoundInBooks}
      keyOf={({ kind, id }) => `${kind} ${id}`}
      render={(item) => <FoundInBooks item={item} />}
      onChoose={({ href }) => void navigate(href)}
    />
  );
}

const FIELDS = {
  admin: { label: 'Find a person', Field: PersonField, wide: 'w-59' },
  finance: { label: 'Find in the books', Field: BooksField, wide: 'w-72' },
} as const;

/** The search of a staff area: a field if there is room, otherwise a button that opens it as a sheet. */
export function Find({ area }: { area: StaffArea }) {
  const { label, Field, wide: width } = FIELDS[area];
  const wide = useMedia('(width >= 1280px)');
  const [asked, setAsked] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useSlashKey(() => (wide ? field.current?.focus() : setAsked(true)));
  if (wide) return <Field ref={field} className={width} />;
  return (
    <>
      <IconButton label={label} onClick={() => setAsked(true)}>
        <Search size={20} />
      </IconButton>
      {asked && (
        <Suspense>
          <Dialog open onClose={() => setAsked(false)} title={label} shape="sheet">
            <Field inSheet onDone={() => setAsked(false)} />
          </Dialog>
        </Suspense>
      )}
    </>
  );
}
