import { useQuery } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { query } from '../../api/api.js';
import { REASON_MAX_LENGTH } from '../../../../application/shared/values.js';
import type { OpenItems } from '../../../../application/ledger/contract.js';
import {
  accountLabel,
  accountsFor,
  type ADJUSTED_ACCOUNTS,
  EVIDENCE_MAX_LENGTH,
  inCurrency,
  CLEARED_ACCOUNTS,
} from '../../../../application/ledger/values.js';
import { clearItem, explainItem } from '../../api/finance.js';
import { centsOf, MICRO_PER_CENT, countOf } from '../../ui/format.js';
import { Input, Select, Textarea } from '../../ui/forms/field.js';
import { useBodyForm } from '../../ui/forms/use-body-form.js';
import { reportWaiting } from '../../staff/decisions.js';
import { FormDialog } from '../../ui/forms/form-dialog.js';
import { monthName, thisMonth, utcDay, ageSince } from '../../staff/dates.js';
import { staffPaths } from '../../../../application/pages/staff-paths.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { EmptyState } from '../../ui/states.js';
import { Money } from '../../staff/list/column.js';
import { Awaited, PageHead } from '../../staff/page-parts.js';
import { Materiality } from './materiality-form.js';
import { ExplainedId } from './trace/explained-id.js';

type SuspenseItem = OpenItems['items'][number];

/** Possible explanations of an item, the most frequent first. */
const MEANINGS: Record<(typeof ADJUSTED_ACCOUNTS)[number], string> = {
  bank: 'Our own money, from our bank or to it',
  'owed-to-customers': 'A debt to a customer',
  refunds: 'Money given back to a customer',
  'stripe-fees': 'A fee of Stripe’s',
  'dispute-fees': 'The fee of a dispute',
  tax: 'Tax',
  'stripe:reserve': 'A reserve that Stripe holds',
  forfeited: 'Unclaimed income',
  'chargeback-loss': 'A loss',
  'creator-losses': 'A creator’s debt that we give up',
};

const OTHER_HALF = ['suspense', 'The other half of another item'] as const;

/** The balance, positive for a debit. `amountMicro` is positive for a debit only in reserves, which are assets. */
const balanceOf = ({ account, amountMicro }: SuspenseItem) =>
  account.startsWith('stripe:reserve') ? amountMicro : -amountMicro;

const said = ({ amountMicro, currency }: SuspenseItem) => inCurrency(Math.abs(amountMicro), currency);

/** Past months that are not closed, newest first. */
function useOpenMonths(): string[] {
  const { data: balances } = useQuery(query('GET /api/finance/balances-over-time'));
  const { data: periods } = useQuery(query('GET /api/finance/periods'));
  if (!balances || !periods) return [];
  const closed = new Set(periods.items.map(({ month }) => month));
  return balances.items
    .map(({ month }) => month)
    .filter((month) => month < thisMonth() && !closed.has(month))
    .reverse();
}

const NONE = { to: 'bank', toAbout: '', amountMicro: '', month: '', reason: '', evidence: '' };
type Values = typeof NONE;

function ClearDialog(props: { item: SuspenseItem; items: readonly SuspenseItem[]; onClose: () => void }) {
  const { item, items, onClose } = props;
  const { account, about, currency, since } = item;
  const months = useOpenMonths().filter((month) => month >= since.slice(0, 7));
  const counterparts = items.filter(
    (other) =>
      other.account.startsWith('suspense') &&
      other.currency === currency &&
      Math.sign(balanceOf(other)) === -Math.sign(balanceOf(item)),
  );
  const form = useBodyForm('POST /api/finance/adjusting-entries', {
    defaultValues: NONE,
    body: ({ to, toAbout, amountMicro, month, reason, evidence }: Values) => ({
      account,
      about,
      to,
      ...(to === 'suspense' && { toAbout }),
      ...(amountMicro.trim() && { amountMicro: centsOf(amountMicro) * MICRO_PER_CENT }),
      ...(month && { month }),
      reason,
      evidence,
    }),
    words: { toAbout: 'Choose the other item', amountMicro: 'An amount such as 4.50' },
  });
  const { field } = form;
  const to = useWatch({ control: form.control, name: 'to' });
  const accounts: readonly string[] = accountsFor({ account, balance: balanceOf(item) });
  const meanings = Object.entries(MEANINGS)
    .filter(([name]) => accounts.includes(name))
    .map(([name, meaning]) => [name, `${meaning} (${accountLabel(name)})`] as const);
  return (
    <FormDialog
      onClose={onClose}
      title={`Clear ${said(item)}`}
      description={`Open since ${utcDay(since)}: ${item.reason}.`}
      confirmLabel="Ask for approval"
      form={form}
      send={(body) => clearItem(body).then(() => reportWaiting('Nothing is posted before.'))}
      refusalAt="reason"
    >
      <Select
        label="What it was"
        data-autofocus
        options={counterparts.length > 0 ? [...meanings, OTHER_HALF] : meanings}
        {...field('to')}
      />
      {to === 'suspense' && (
        <Select
          label="The other item"
          options={counterparts.map((other) => [
            other.about,
            `${said(other)}, ${utcDay(other.since)}: ${other.reason}`,
          ])}
          {...field('toAbout')}
        >
          <option value="">Choose one</option>
        </Select>
      )}
      <Input
        label="Amount"
        inputMode="decimal"
        placeholder={said(item).split(' ')[0]}
        hint={`In ${currency.toUpperCase()}. Leave it empty for all of it.`}
        {...field('amountMicro')}
      />
      {months.length > 0 && (
        <Select
          label="Posted"
          options={months.map((month) => [month, `At the end of ${monthName(month)}`])}
          {...field('month')}
        >
          <option value="">When it is approved</option>
        </Select>
      )}
      <Textarea label="Reason" rows={3} maxLength={REASON_MAX_LENGTH} {...field('reason')} />
      <Input
        label="Proof"
        hint="Where a colleague can find it: a bank statement and its line, a case at Stripe."
        maxLength={EVIDENCE_MAX_LENGTH}
        {...field('evidence')}
      />
    </FormDialog>
  );
}

function NoteDialog({ item, onClose }: { item: SuspenseItem; onClose: () => void }) {
  const { account, about } = item;
  const form = useBodyForm('POST /api/finance/open-items/notes', {
    defaultValues: { note: item.note?.text ?? '' },
    body: ({ note }: { note: string }) => ({ account, about, note }),
  });
  return (
    <FormDialog
      onClose={onClose}
      title={`Explain ${said(item)}`}
      description="A month can be closed while the item stays, once it is explained."
      confirmLabel="Keep the note"
      form={form}
      send={explainItem}
      refusalAt="note"
    >
      <Textarea label="What it is" maxLength={REASON_MAX_LENGTH} data-autofocus {...form.field('note')} />
    </FormDialog>
  );
}

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
      <Materiality />
      {!items && (
        <Awaited query={answer} what="items" loading="Loading what is in suspense..." height={240} />
      )}
      {items?.length === 0 && (
        <EmptyState title="Nothing is in suspense">The books explain every movement at Stripe.</EmptyState>
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
