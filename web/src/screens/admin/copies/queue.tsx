import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useRef } from 'react';
import { Link } from 'react-router-dom';
import { query } from '../../../api/api.js';
import type { CopyItem } from '../../../api/copies.js';
import { staffPaths } from '../../../../../application/pages/staff-paths.js';
import { ageSince } from '../../../staff/dates.js';
import { More, type PagedList } from '../../../staff/list/paged-list.js';
import { Badge } from '../../../ui/badge.js';
import { Cover } from '../../../ui/sound/cover.js';
import { formatShortDay } from '../../../ui/format.js';

export type CopiesState = 'open' | 'decided';

const monthOf = (month: string) =>
  new Intl.DateTimeFormat('en-GB', { month: 'long', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  );

const COUNTED = [
  { key: 'allowed', word: 'allowed', color: 'var(--ok)' },
  { key: 'refused', word: 'refused', color: 'var(--warn)' },
  { key: 'takenDown', word: 'taken down', color: 'var(--danger)' },
] as const;

function Decided() {
  const { data } = useQuery(query('GET /api/admin/copies/counts'));
  if (!data) return null;
  const total = data.allowed + data.refused + data.takenDown;
  return (
    <div className="border-t border-line px-5 py-4">
      <p className="flex justify-between gap-3">
        <span>Decided in {monthOf(data.month)}</span> <b>{total}</b>
      </p>
      {total > 0 && (
        <div className="mt-2.5 flex h-3.5 gap-px cut-end-14" aria-hidden="true">
          {COUNTED.map(
            ({ key, color }) =>
              data[key] > 0 && <span key={key} style={{ flexGrow: data[key], background: color }} />,
          )}
        </div>
      )}
      <p className="mt-2 flex flex-wrap justify-between gap-x-3 text-sm">
        {COUNTED.map(({ key, word, color }) => (
          <span key={key} style={{ color }}>
            {data[key]} {word}
          </span>
        ))}
      </p>
    </div>
  );
}

const toneOf = ({ score }: { score: number }): 'danger' | 'warn' | 'neutral' =>
  score >= 92 ? 'danger' : score >= 80 ? 'warn' : 'neutral';

const OUTCOMES = {
  allowed: { label: 'Allowed', tone: 'ok' },
  refused: { label: 'Refused', tone: 'warn' },
  'taken down': { label: 'Taken down', tone: 'danger' },
  swapped: { label: 'Swapped', tone: 'neutral' },
  lapsed: { label: 'Lapsed', tone: 'neutral' },
} as const;

function CopyStatus({ item }: { item: CopyItem }) {
  const { status, decidedAt, suspectedAt, hasStatement, score } = item;
  const isOpen = status === 'open';
  const { tone, label } = isOpen ? { tone: toneOf(item), label: `${score} %` } : OUTCOMES[status];
  return (
    <span className="text-right">
      <Badge tone={tone}>{label}</Badge>
      <span className="mt-0.5 block text-sm text-muted">
        {isOpen && hasStatement && <span className="sr-only">Its creator said something, </span>}
        {isOpen ? ageSince(suspectedAt) : decidedAt && formatShortDay(decidedAt)}
      </span>
    </span>
  );
}

/**
 * Lists open pairs, the most similar first, or decided pairs, the newest decision
 * first. The up and down keys open the pair above or below the focused one.
 */
export function Queue(props: { list: PagedList<CopyItem>; chosen: string | undefined; state: CopiesState }) {
  const { list: pairs, chosen, state } = props;
  const list = useRef<HTMLUListElement>(null);
  const steer = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    const links = [...(list.current?.querySelectorAll('a') ?? [])];
    const next = links[links.indexOf(document.activeElement as HTMLAnchorElement) + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
    next.click();
  };
  return (
    <section aria-labelledby="queue-title" className="flex min-w-0 flex-col panel">
      <div className="flex items-baseline justify-between gap-3 px-5 py-4">
        <h2 id="queue-title" className="text-lg font-semibold">
          {state === 'open' ? 'Queue' : 'Decided'}
        </h2>
        <p className="text-sm text-muted">{state === 'open' ? 'closest first' : 'newest first'}</p>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- The keys move between links. */}
      <ul ref={list} onKeyDown={steer} className="flex-1 max-xl:max-h-80 max-xl:overflow-y-auto">
        {pairs.data?.items.map((item) => (
          <li key={item.id} className="border-t border-line">
            <Link
              to={staffPaths.adminCopies(item.id, state)}
              aria-current={item.id === chosen || undefined}
              preventScrollReset
              className="queue-entry grid min-h-19 grid-cols-[44px_minmax(0,1fr)_auto] items-center gap-3"
            >
              <Cover title={item.title} genre={item.genre} artworkUrl={item.artworkUrl} size="small" />
              <span className="min-w-0">
                <span className="block truncate font-semibold text-text">{item.title}</span>
                <span className="block truncate text-sm text-muted">like {item.likeTitle}</span>
              </span>
              <CopyStatus item={item} />
              {item.status !== 'open' && (
                <span className="col-span-full text-sm wrap-anywhere text-muted">
                  {item.decidedBy ?? 'No decision needed'}
                  {item.reason && `: ${item.reason}`}
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
      <div className="px-5 not-empty:pb-4">
        <More of={pairs}>More pairs</More>
      </div>
      <Decided />
    </section>
  );
}
