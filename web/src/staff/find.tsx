import { useQuery } from '@tanstack/react-query';
import { CalendarDays, Fingerprint, Hash, Search } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { Person } from '../../../application/accounts/contract.js';
import { PEOPLE_SEARCH_MIN_LENGTH } from '../../../application/accounts/values.js';
import { FIND_MIN_LENGTH } from '../../../application/ledger/values.js';
import { staffPaths } from '../../../application/pages/staff-paths.js';
import { query } from '../api/api.js';
import { peopleQuery } from '../api/admin.js';
import type { FoundItem } from '../api/finance.js';
import { lazyWithPreload } from '../shell/lazy-with-preload.js';
import type { StaffArea } from '../shell/staff-area.js';
import { Avatar } from '../ui/avatar.js';
import { IconButton } from '../ui/button.js';
import { useSlashKey } from '../ui/forms/list-keys.js';
import { formatMicroUsd } from '../ui/format.js';
import { useMedia } from '../ui/hooks/use-media.js';
import { utcDay } from './dates.js';
import { Finder, type FinderProps } from './finder.js';
import { type AboutPerson, PersonCard } from './person-card.js';

const Dialog = lazyWithPreload(() =>
  import('../ui/overlays/dialog.js').then((module) => module && { default: module.Dialog }),
);

const CHOSEN_HERE: readonly string[] = [staffPaths.adminRefunds, staffPaths.adminSessions];
const useFoundPeople = (text: string, enabled: boolean) => useQuery({ ...peopleQuery(text), enabled });

/** Searches people. The chosen person opens on the current page if that is about a person, otherwise in Credits. */
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

/** Searches the books by id, position, name, e-mail, amount or day. */
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
