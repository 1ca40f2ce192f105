import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { query } from '../../api/api.js';
import { CLEARED_ACCOUNTS, inCurrency } from '../../../../application/ledger/values.js';
import { staffPaths } from '../../../../application/pages/staff-paths.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { countOf } from '../../ui/format.js';
import { EmptyState } from '../../ui/states.js';
import { Money } from '../../staff/list/column.js';
import { ageSince, utcDay } from '../../staff/dates.js';
import { Awaited, PageHead } from '../../staff/page-parts.js';
import { ClearDialog, NoteDialog, type SuspenseItem } from './suspense-dialogs.js';
import { ExplainedId } from './trace/explained-id.js';

const isCleared = (account: string) =>
  CLEARED_ACCOUNTS.some((name) => account === name || account.startsWith(`${name}:`));

function Item(props: {
  item: SuspenseItem;
  onClear: (item: SuspenseItem) => void;
  onNote: (item: SuspenseItem) => void;
}) {
  const { item, onClear, onNote } = props;
  const { account, about, amountMicro, currency, reason, since, aged, note, requestId } = item;
  return (
    <li className="panel grid gap-x-6 gap-y-3 p-5 md:grid-cols-[minmax(0,1fr)_auto]">
      <div className="min-w-0">
        <p className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
          <span className="display text-3xl whitespace-nowrap">
            {currency === 'usd' ? <Money microUsd={amountMicro} signed /> : inCurrency(amountMicro, currency)}
          </span>
          {!account.startsWith('suspense') && (
            <Badge>
              {account.startsWith('owed-to-customers') ? 'owed to a customer' : 'held in reserve'}
            </Badge>
          )}
          <Badge tone={aged ? 'warn' : 'neutral'}>{ageSince(since)}</Badge>
          <span className="text-sm text-muted">since {utcDay(since)}</span>
        </p>
        <p className="mt-2 wrap-anywhere">{reason || 'It has no reason.'}</p>
        <p className="mt-1 text-sm text-muted">
          {account.startsWith('stripe:reserve') ? about : <ExplainedId id={about} short={40} />}
        </p>
        {note && (
          <p className="mt-3 border-l-3 border-strong bg-inset px-4 py-3 wrap-anywhere">
            {note.text}
            <span className="mt-1 block text-sm text-muted">
              {note.byName}, {utcDay(note.at)}
            </span>
          </p>
        )}
      </div>
      <div className="flex flex-wrap items-start gap-2 md:justify-end">
        {requestId ? (
          <Link className="underlined self-center text-sm" to={staffPaths.approvals('finance', requestId)}>
            An entry waits for a second person
          </Link>
        ) : (
          <Button size="small" aria-label={`Clear ${about}`} onClick={() => onClear(item)}>
            Clear
          </Button>
        )}
        <Button
          size="small"
          tone="quiet"
          aria-label={`${note ? 'Explain again' : 'Explain'} ${about}`}
          onClick={() => onNote(item)}
        >
          {note ? 'Explain again' : 'Explain'}
        </Button>
      </div>
    </li>
  );
}

export function SuspensePage() {
  const answer = useQuery(query('GET /api/finance/open-items'));
  const [clearing, setClearing] = useState<SuspenseItem>();
  const [noting, setNoting] = useState<SuspenseItem>();
  const items = answer.data?.items.filter(({ account }) => isCleared(account));
  return (
    <>
      <PageHead
        title="Suspense"
        note="Money that moved at Stripe and that nothing here explains, that we owe to customers, or that Stripe holds in reserve. It stays until an entry says what it was; a second person agrees to that."
      />
      {!items && (
        <Awaited query={answer} what="items" loading="Loading what is in suspense..." height={240} />
      )}
      {items?.length === 0 && (
        <EmptyState title="Nothing is in suspense">
          Every movement at Stripe is explained by a fact of the books.
        </EmptyState>
      )}
      {items && items.length > 0 && (
        <>
          <p className="mb-3 text-muted">{countOf(items.length, 'item')}, the oldest first.</p>
          <ul className="grid gap-3">
            {items.map((item) => (
              <Item
                key={`${item.account} ${item.about}`}
                item={item}
                onClear={setClearing}
                onNote={setNoting}
              />
            ))}
          </ul>
          {clearing && <ClearDialog item={clearing} items={items} onClose={() => setClearing(undefined)} />}
          {noting && <NoteDialog item={noting} onClose={() => setNoting(undefined)} />}
        </>
      )}
    </>
  );
}
