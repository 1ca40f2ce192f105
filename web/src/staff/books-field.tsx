import { useQuery } from '@tanstack/react-query';
import { CalendarDays, Fingerprint, Hash } from 'lucide-react';
import { useNavigate } from 'react-router-dom';
import { query } from '../api/api.js';
import { FIND_MIN_LENGTH } from '../../../application/ledger/values.js';
import { type FoundItem } from '../api/finance.js';
import { Avatar } from '../ui/avatar.js';
import { formatMicroUsd } from '../ui/format.js';
import { utcDay } from './dates.js';
import { Finder, type FinderProps } from './finder.js';

const icon = { size: 18, className: 'mx-[7px] text-muted' } as const;

function useFoundInBooks(text: string, enabled: boolean) {
  const { data, error, isPlaceholderData } = useQuery({
    ...query('GET /api/finance/find', { query: { q: text } }),
    enabled,
  });
  return { items: data?.items, error, isPlaceholderData };
}

function Found({ item }: { item: FoundItem }) {
  const { kind, title, subtitle, amountMicroUsd, at } = item;
  return (
    <>
      {kind === 'person' ? (
        <Avatar name={title} size={32} />
      ) : kind === 'day' ? (
        <CalendarDays {...icon} />
      ) : kind === 'event' ? (
        <Hash {...icon} />
      ) : (
        <Fingerprint {...icon} />
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
export function BooksField(props: FinderProps) {
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
      render={(item) => <Found item={item} />}
      onChoose={({ href }) => void navigate(href)}
    />
  );
}
