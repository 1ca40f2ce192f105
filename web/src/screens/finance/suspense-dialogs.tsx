import { useQuery } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import { query } from '../../api/api.js';
import { REASON_MAX_LENGTH } from '../../../../application/shared/values.js';
import type { OpenItems } from '../../../../application/ledger/contract.js';
import {
  accountsFor,
  type ADJUSTED_ACCOUNTS,
  EVIDENCE_MAX_LENGTH,
  inCurrency,
} from '../../../../application/ledger/values.js';
import { clearItem, explainItem } from '../../api/finance.js';
import { Input, Select, Textarea } from '../../ui/forms/field.js';
import { useBodyForm } from '../../ui/forms/use-body-form.js';
import { reportWaiting } from '../../staff/failure.js';
import { FormDialog } from '../../staff/form-dialog.js';
import { monthName, thisMonth, utcDay } from '../../staff/dates.js';

export type SuspenseItem = OpenItems['items'][number];

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

/** In millionths; a debit is positive. A reserve is an asset, the others are liabilities. */
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
const AMOUNT = /^\d+(\.\d{1,2})?$/;

export function ClearDialog(props: {
  item: SuspenseItem;
  items: readonly SuspenseItem[];
  onClose: () => void;
}) {
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
      ...(amountMicro.trim() && {
        amountMicro: AMOUNT.test(amountMicro.trim())
          ? Math.round(Number(amountMicro) * 100) * 10_000
          : Number.NaN,
      }),
      ...(month && { month }),
      reason,
      evidence,
    }),
    words: { toAbout: 'Choose the other item', amountMicro: 'An amount such as 4.50' },
  });
  const {
    register,
    control,
    formState: { errors },
  } = form;
  const to = useWatch({ control, name: 'to' });
  const accounts: readonly string[] = accountsFor({ account, balance: balanceOf(item) });
  const meanings = Object.keys(MEANINGS).filter((name) => accounts.includes(name));
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
      <Select label="What it was" error={errors.to?.message} data-autofocus {...register('to')}>
        {meanings.map((name) => (
          <option key={name} value={name}>
            {MEANINGS[name as keyof typeof MEANINGS]} ({name})
          </option>
        ))}
        {counterparts.length > 0 && <option value="suspense">The other half of another item</option>}
      </Select>
      {to === 'suspense' && (
        <Select label="The other item" error={errors.toAbout?.message} {...register('toAbout')}>
          <option value="">Choose one</option>
          {counterparts.map((other) => (
            <option key={other.about} value={other.about}>
              {said(other)}, {utcDay(other.since)}: {other.reason}
            </option>
          ))}
        </Select>
      )}
      <Input
        label="Amount"
        inputMode="decimal"
        placeholder={said(item).split(' ')[0]}
        hint={`In ${currency.toUpperCase()}. Leave it empty for all of it.`}
        error={errors.amountMicro?.message}
        {...register('amountMicro')}
      />
      {months.length > 0 && (
        <Select label="Posted" {...register('month')}>
          <option value="">When it is approved</option>
          {months.map((month) => (
            <option key={month} value={month}>
              At the end of {monthName(month)}
            </option>
          ))}
        </Select>
      )}
      <Textarea
        label="Reason"
        rows={3}
        maxLength={REASON_MAX_LENGTH}
        error={errors.reason?.message}
        {...register('reason')}
      />
      <Input
        label="Proof"
        hint="Where a colleague can find it: a bank statement and its line, a case at Stripe."
        maxLength={EVIDENCE_MAX_LENGTH}
        error={errors.evidence?.message}
        {...register('evidence')}
      />
    </FormDialog>
  );
}

export function NoteDialog({ item, onClose }: { item: SuspenseItem; onClose: () => void }) {
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
      <Textarea
        label="What it is"
        maxLength={REASON_MAX_LENGTH}
        error={form.formState.errors.note?.message}
        data-autofocus
        {...form.register('note')}
      />
    </FormDialog>
  );
}
