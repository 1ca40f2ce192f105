import { clsx } from 'clsx';
import {
  Gift,
  Landmark,
  Layers,
  Link2,
  ReceiptText,
  Scissors,
  Send,
  ShoppingBag,
  TriangleAlert,
  Undo2,
  type LucideIcon,
} from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import type { TraceCard } from '../../../api/finance.js';
import { Badge } from '../../../ui/badge.js';
import { partsOf } from '../../../ui/format.js';
import { utcTime } from '../../../staff/dates.js';

/** A card with its column, counted from the left, and its level in the column, counted from the top. */
interface Placed {
  card: TraceCard;
  column: number;
  level: number;
}

/** Places each card to the right of the cards that it leads to. Cards that lead nowhere are in the first column. */
export function placed(cards: readonly TraceCard[]): Placed[] {
  const columns = new Map<string, number>();
  const put = (key: string, column: number): void => {
    if ((columns.get(key) ?? -1) >= column) return;
    columns.set(key, column);
    for (const from of cards.find((card) => card.key === key)?.from ?? []) put(from, column + 1);
  };
  const used = new Set(cards.flatMap(({ from }) => from));
  for (const { key } of cards) if (!used.has(key)) put(key, 0);
  const levels: number[] = [];
  return cards
    .map((card) => ({ card, column: columns.get(card.key) ?? 0 }))
    .toSorted((a, b) => a.column - b.column)
    .map(({ card, column }) => {
      const level = levels[column] ?? 0;
      levels[column] = level + 1;
      return { card, column, level };
    });
}

/** Shows an amount, such as "$0.23", in large type, followed by the fractions of a cent in small type. */
function Dollars({ microUsd }: { microUsd: number }) {
  const { sign, whole, cents, rest } = partsOf(microUsd);
  return (
    <span className={clsx('display mt-3.5 block text-4xl whitespace-nowrap', microUsd === 0 && 'text-faint')}>
      {sign}${whole}.{cents}
      {rest > 0 && <small className="ml-px text-[0.56em] text-faint">{String(rest).padStart(4, '0')}</small>}
    </span>
  );
}

/** Formats an amount with two decimal places, or with six if it contains fractions of a cent. */
function plainDollars(microUsd: number): string {
  const { sign, whole, cents, rest } = partsOf(microUsd);
  return `${sign}${whole}.${cents}${rest > 0 ? String(rest).padStart(4, '0') : ''}`;
}

/** A bar for the whole amount, drawn as tape. The part that belongs to this trace is yellow. */
function TraceTape({ part, joined }: { part: TraceCard['part']; joined: boolean }) {
  const { fromMicroUsd, toMicroUsd, ofMicroUsd, text } = part;
  const at = (amount: number): number => (ofMicroUsd === 0 ? 0 : (amount / ofMicroUsd) * 100);
  return (
    <div className="trace-tape" role="img" aria-label={`Tape: ${text}`} data-joined={joined || undefined}>
      <span
        style={{
          ['--from' as string]: `${at(fromMicroUsd)}%`,
          ['--long' as string]: `${at(toMicroUsd) - at(fromMicroUsd)}%`,
        }}
      />
    </div>
  );
}

const ICONS: Record<TraceCard['kind'], LucideIcon> = {
  payout: Send,
  sale: ShoppingBag,
  segment: Scissors,
  lot: Layers,
  unpaid: Gift,
  invoice: ReceiptText,
  movement: Landmark,
  refund: Undo2,
  reversal: Undo2,
  dispute: TriangleAlert,
  'bank-payout': Landmark,
  'write-off': Undo2,
  'adjusting-entry': Scissors,
  event: ReceiptText,
};

const GOOD = /^(paid|sent|won|arrived)\b/;
const BAD = /^(failed|refused|lost|open)\b/;

function Fact({ fact }: { fact: TraceCard['facts'][number] }) {
  const { label, text, microUsd, at, href } = fact;
  const value = text ?? (at ? utcTime(at) : plainDollars(microUsd ?? 0));
  const state = label === 'State';
  return (
    <div className="flex justify-between gap-2.5 border-t border-line py-1.5 last:border-b">
      <dt className="whitespace-nowrap text-muted">{label}</dt>
      <dd
        className={clsx(
          'min-w-0 overflow-hidden text-right font-semibold text-ellipsis',
          state && GOOD.test(value) && 'text-ok',
          state && BAD.test(value) && 'text-danger',
        )}
        title={value}
      >
        {href ? (
          <Link to={href} className="underlined relative">
            {value}
          </Link>
        ) : (
          value
        )}
      </dd>
    </div>
  );
}

export function Card(props: { placed: Placed; selected: boolean; onSelect: () => void }) {
  const { placed, selected, onSelect } = props;
  const { card, column, level } = placed;
  const { kind, title, id, at, amountMicroUsd, sum, part, facts, rounding, href, from } = card;
  const navigate = useNavigate();
  const Icon = ICONS[kind];
  const ties = sum.microUsd === amountMicroUsd;
  // Once the card is selected, Enter opens its own page.
  const follow = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !selected || !href) return;
    event.preventDefault();
    void navigate(href);
  };
  return (
    <li
      className="trace-card panel"
      data-selected={selected || undefined}
      style={{ ['--column' as string]: column + 1, ['--row' as string]: level * 8 + 1 }}
    >
      <h2 className="flex items-center gap-2 font-semibold whitespace-nowrap">
        <Icon size={16} className="text-muted" />
        <button
          type="button"
          className="min-h-6 min-w-0 flex-1 truncate text-left before:absolute before:inset-0"
          data-card={card.key}
          aria-pressed={selected}
          onClick={onSelect}
          onKeyDown={follow}
        >
          {title}
        </button>
        {href && (
          <Link
            to={href}
            className="grid size-6 place-items-center text-muted hover:text-text relative"
            aria-label={`${title} ${id}`}
            title={`Start from ${id}`}
          >
            <Link2 size={16} />
          </Link>
        )}
      </h2>
      <p>
        <Dollars microUsd={amountMicroUsd} />
      </p>
      <p className="mt-1.75 text-sm text-muted">
        {sum.text}
        {!ties && (
          <>
            {' '}
            <Badge tone="danger">sums to {plainDollars(sum.microUsd)}</Badge>
          </>
        )}
      </p>
      <TraceTape part={part} joined={from.length > 0} />
      <p className="text-sm">{part.text}</p>
      <dl className="mt-2.5 text-sm">
        {facts.map((fact) => (
          <Fact key={`${fact.label} ${fact.href ?? ''} ${fact.microUsd ?? ''}`} fact={fact} />
        ))}
      </dl>
      <p className="mt-2.25 mb-4 text-sm">
        <span className="text-faint">Rounding</span> {rounding}
      </p>
      <p className="grid content-end gap-0.75 border-t border-line pt-3 pb-4 text-sm text-faint">
        <span className="mono truncate text-text" title={id}>
          {id}
        </span>
        <time dateTime={at}>{utcTime(at)}</time>
      </p>
    </li>
  );
}
