import './trace.css';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, ArrowRight, ChevronRight, Download, Link as LinkIcon } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import { Link, useLocation, useParams, useSearchParams } from 'react-router-dom';
import { type Trace, traceQuery } from '../../../api/finance.js';
import { ApiProblem } from '../../../api/transport/http.js';
import { saveAs } from '../../../downloads/deliver.js';
import { type Column, kinds } from '../../../staff/list/column.js';
import { List } from '../../../staff/list/list.js';
import { Button } from '../../../ui/button.js';
import { countOf } from '../../../ui/format.js';
import { useCopy } from '../../../ui/hooks/use-copy.js';
import { EmptyState } from '../../../ui/states.js';
import { csvOf, type Sheet } from '../../../staff/list/sheet.js';
import { Awaited } from '../../../staff/page-parts.js';
import { staffPaths } from '../../../../../application/pages/staff-paths.js';
import { Postings, ProofBar } from './postings.js';
import { Card, placed } from './trace-card.js';

function sheetOf({ cards }: Trace): Sheet {
  return {
    columns: 'card id at amount_usd sum position event account commodity debit credit'.split(' '),
    rows: cards.flatMap(({ title, id, at, amountMicroUsd, sum, postings }) => [
      [title, id, at, { microUsd: amountMicroUsd }, sum.text, '', '', '', '', '', ''],
      ...postings.map(({ position, type, account, commodity, delta }) => {
        const amount = commodity === 'credits' ? Math.abs(delta) : { microUsd: Math.abs(delta) };
        const sides = delta > 0 ? [amount, ''] : ['', amount];
        return [title, id, at, '', '', position, type, account, commodity, ...sides];
      }),
    ]),
  };
}

function Crumbs({ crumbs }: Pick<Trace, 'crumbs'>) {
  return (
    <nav aria-label="Where this is" className="mb-3 text-sm text-muted">
      <ol className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        {crumbs.map(({ label, href }, at) => (
          <li key={label} className="flex min-w-0 items-center gap-2.5">
            {at > 0 && <ChevronRight size={14} className="text-faint" />}
            {href ? (
              <Link to={href} className="hover:text-text hover:underline">
                {label}
              </Link>
            ) : (
              <span aria-current="page" className="break-all text-text">
                {label}
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Neighbours({ line: { withdrawalId, number, of } }: { line: NonNullable<Trace['line']> }) {
  return (
    <nav aria-label="Lines of the statement" className="flex gap-8 px-4 font-semibold text-muted">
      {number > 1 && (
        <Link
          className="inline-flex min-h-6 items-center gap-2 hover:text-text"
          to={staffPaths.financeTrace(withdrawalId, number - 1)}
        >
          <ArrowLeft size={16} /> Line {number - 1}
        </Link>
      )}
      {number < of && (
        <Link
          className="inline-flex min-h-6 items-center gap-2 hover:text-text"
          to={staffPaths.financeTrace(withdrawalId, number + 1)}
        >
          Line {number + 1} <ArrowRight size={16} />
        </Link>
      )}
    </nav>
  );
}

function Head({ trace }: { trace: Trace }) {
  const { copied, copy } = useCopy();
  const { note, line, id } = trace;
  return (
    <div className="flex flex-wrap items-end justify-between gap-4">
      <div className="min-w-0">
        <h1 className="display text-5xl">Explain this cent</h1>
        <p className="mt-2 max-w-[92ch] text-muted">{note}</p>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {line && <Neighbours line={line} />}
        <Button icon={<LinkIcon size={16} />} onClick={() => copy(window.location.href)}>
          {copied ? 'Copied' : 'Copy link'}
        </Button>
        <Button
          icon={<Download size={16} />}
          onClick={() => saveAs(`trace-${id}.csv`, csvOf(sheetOf(trace)), 'text/csv;charset=utf-8')}
        >
          Export
        </Button>
      </div>
    </div>
  );
}

function Way({ trace, chosen, choose }: { trace: Trace; chosen: string; choose: (key: string) => void }) {
  const list = useRef<HTMLOListElement>(null);
  const cards = placed(trace.cards);
  const steer = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    // Starts from the focused card, because the address still names an earlier card when keys are pressed quickly.
    const from = (event.target as HTMLElement).dataset['card'] ?? chosen;
    const at = cards.findIndex(({ card }) => card.key === from);
    const next = cards[at + step];
    if (step === 0 || !next) return;
    event.preventDefault();
    event.stopPropagation();
    choose(next.card.key);
    const button = list.current?.querySelector<HTMLElement>(`[data-card="${CSS.escape(next.card.key)}"]`);
    button?.focus();
    button?.closest('li')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Handles keys of its buttons.
    <ol ref={list} className="trace-cards" aria-label="The way of the money" onKeyDown={steer}>
      {cards.map((one) => (
        <Card
          key={one.card.key}
          placed={one}
          selected={one.card.key === chosen}
          onSelect={() => choose(one.card.key)}
        />
      ))}
    </ol>
  );
}

const OUTCOMES: Column<Trace['outcomes'][number]>[] = [
  { label: 'Sold (UTC)', value: ({ at }) => at, kind: kinds.time, to: ({ href }) => href },
  { label: 'Sound', value: ({ title }) => title },
  { label: 'Credits', value: ({ credits }) => credits },
  { label: 'Worth', value: ({ valueMicroUsd }) => ({ microUsd: valueMicroUsd }) },
];

/**
 * Purchases that spent credits of a lot, or credits that an invoice paid
 * for. @param next the address of the next page
 */
function Outcomes({ trace, next }: { trace: Trace; next: string | undefined }) {
  const { outcomes, outcomeCount, id } = trace;
  return (
    <div className="mt-4 grid gap-4" data-exact="">
      <List
        title="What came of it"
        note={
          outcomes.length < outcomeCount
            ? `${outcomes.length} of ${countOf(outcomeCount, 'sale')}, oldest first`
            : countOf(outcomeCount, 'sale')
        }
        file={`sales-of-${id}`}
        columns={OUTCOMES}
        of={outcomes}
        keyOf={({ id: purchaseId }) => purchaseId}
      />
      {next && (
        <Link className="underlined justify-self-start" to={next}>
          Later sales
        </Link>
      )}
    </div>
  );
}

function Explanation({ trace }: { trace: Trace }) {
  const [parameters, setParameters] = useSearchParams();
  const { pathname } = useLocation();
  const asked = parameters.get('card');
  const card =
    trace.cards.find(({ key }) => key === asked) ?? trace.cards.find(({ key }) => key === trace.selected);
  const choose = (key: string): void =>
    setParameters(
      (before) => {
        before.set('card', key);
        return before;
      },
      { replace: true, preventScrollReset: true },
    );
  if (!card) return null;
  return (
    <>
      <Crumbs crumbs={trace.crumbs} />
      <Head trace={trace} />
      <Way trace={trace} chosen={card.key} choose={choose} />
      <Postings card={card} />
      {trace.outcomes.length > 0 && (
        <Outcomes
          trace={trace}
          next={trace.nextAfter === null ? undefined : `${pathname}?after=${trace.nextAfter}`}
        />
      )}
      <ProofBar id={trace.id} card={card} proof={trace.proof} />
    </>
  );
}

export function TracePage() {
  const { id = '' } = useParams();
  const [parameters] = useSearchParams();
  const query = useQuery(traceQuery(id, parameters.get('line') ?? '', parameters.get('after') ?? ''));
  const { data, error } = query;
  if (data) return <Explanation key={id} trace={data} />;
  return (
    <>
      <h1 className="display mb-5 text-5xl">Explain this cent</h1>
      {error instanceof ApiProblem && error.status === 404 ? (
        <EmptyState title="Not in the books">Nothing in the books has the id {id}.</EmptyState>
      ) : (
        <Awaited
          query={query}
          failure="It could not be explained"
          loading="Following the money..."
          height={560}
        />
      )}
    </>
  );
}
