import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SalesGroup, SoldGroup } from '../../../../application/payouts/contract.js';
import { pages } from '../../api/api.js';
import { businessNow } from '../../clock.js';
import { Input } from '../../ui/forms/field.js';
import { formatShortDay } from '../../ui/format.js';
import { RoundedMoney } from '../../ui/money.js';
import { EmptyState, Skeleton } from '../../ui/states.js';
import { Segmented } from '../../ui/tabs.js';
import { CsvLink, ShowMore } from './sales-parts.js';
import { useLogged } from './use-logged.js';

const GROUPS = [
  { value: 'sample', label: 'Samples' },
  { value: 'pack', label: 'Packs' },
  { value: 'day', label: 'Days' },
] as const satisfies readonly { value: SalesGroup; label: string }[];
const DAY_MS = 86_400_000;
const DAYS = 30;

const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const daysBefore = (day: string, days: number): string => dayText(Date.parse(day) - days * DAY_MS);

function Before({ count }: { count: number | undefined }) {
  return <span className="text-faint">{count?.toLocaleString('en') ?? '–'}</span>;
}

/** @param largest the largest share of all rows; a bar shows each share in proportion to it */
function Row({ group, by, largest }: { group: SoldGroup; by: SalesGroup; largest: number }) {
  const { id, title, pack, downloads, shareMicroUsd, previous, heardBy, savedBy } = group;
  return (
    <tr>
      <th scope="row" className="font-semibold" title={title}>
        {by === 'day' ? formatShortDay(`${id}T00:00:00Z`) : title}
        {pack && <span className="font-normal text-faint"> · {pack}</span>}
        {shareMicroUsd > 0 && (
          <span
            aria-hidden="true"
            className="tape-part mt-1.5 block h-1.5 bg-sticker"
            style={{ width: `${(100 * shareMicroUsd) / largest}%` }}
          />
        )}
      </th>
      <td>{downloads.toLocaleString('en')}</td>
      <td className="max-md:hidden">
        <Before count={previous?.downloads} />
      </td>
      <td className="font-semibold">
        <RoundedMoney microUsd={shareMicroUsd} />
      </td>
      <td className="max-md:hidden">{previous && <RoundedMoney microUsd={previous.shareMicroUsd} />}</td>
      {by === 'sample' && (
        <>
          <td className="max-md:hidden">{heardBy?.toLocaleString('en')}</td>
          <td className="max-md:hidden">{savedBy?.toLocaleString('en')}</td>
        </>
      )}
    </tr>
  );
}

/**
 * Sales by sample, pack or day in a period, compared with an equally long period that starts on a chosen day, if
 * any.
 */
export function WhatSells() {
  const today = dayText(businessNow());
  const [by, setBy] = useState<SalesGroup>('sample');
  const [from, setFrom] = useState(daysBefore(today, DAYS - 1));
  const [to, setTo] = useState(today);
  const [before, setBefore] = useState(daysBefore(today, 2 * DAYS - 1));
  const asked = { by, from, to, ...(before && { before }) };
  const report = useInfiniteQuery(pages('GET /api/creator/sales/report', { query: { ...asked, limit: 50 } }));
  const { data, error } = report;
  useLogged('Your report', error);
  const groups = data?.pages.flatMap(({ items }) => items);
  const totals = data?.pages[0]?.totals;
  const largest = Math.max(...(groups ?? []).map(({ shareMicroUsd }) => shareMicroUsd));
  const day = (label: string, value: string, choose: (day: string) => void, max = today) => (
    <Input
      type="date"
      label={label}
      max={max}
      value={value}
      className="sm:w-40"
      onChange={({ target }) => (target.value || label === 'Compared from') && choose(target.value)}
    />
  );
  return (
    <section aria-labelledby="what-sells-title" className="panel min-w-0">
      <div className="flex flex-wrap items-end justify-between gap-3 p-5 pb-3 max-md:px-4">
        <h2 id="what-sells-title" className="mr-auto self-center text-lg font-semibold">
          What sells
        </h2>
        <Segmented options={GROUPS} value={by} onChange={setBy} label="Group by" />
        {groups && groups.length > 0 && (
          <CsvLink address={`/api/creator/sales/report.csv?${new URLSearchParams(asked)}`} />
        )}
      </div>
      <div className="grid grid-cols-2 gap-3 px-5 pb-4 sm:flex max-md:px-4">
        {day('From', from, setFrom, to)}
        {day('To', to, setTo)}
        {day('Compared from', before, setBefore, from)}
      </div>
      {!data && !error && (
        <div className="p-5 pt-2">
          <Skeleton className="h-50" text="Adding up your sales..." />
        </div>
      )}
      {groups?.length === 0 && <EmptyState title="No sales in this period">Choose other days.</EmptyState>}
      {groups && groups.length > 0 && totals && (
        <div
          className="overflow-x-auto px-5 pb-3 max-md:px-4"
          role="region"
          aria-label="Sales in this period"
          tabIndex={0}
        >
          <table className="figures">
            <thead>
              <tr>
                <th scope="col">{by === 'sample' ? 'Sample' : by === 'pack' ? 'Pack' : 'Day'}</th>
                <th scope="col">Sold</th>
                <th scope="col" className="max-md:hidden">
                  Before
                </th>
                <th scope="col">Your share</th>
                <th scope="col" className="max-md:hidden">
                  Before
                </th>
                {by === 'sample' && (
                  <>
                    <th scope="col" className="max-md:hidden" title="Listeners who heard it lately">
                      Heard
                    </th>
                    <th scope="col" className="max-md:hidden" title="Listeners who keep it saved">
                      Saved
                    </th>
                  </>
                )}
              </tr>
            </thead>
            <tbody>
              {groups.map((group) => (
                <Row key={group.id} {...{ group, by, largest }} />
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row">All</th>
                <td className="font-semibold">{totals.downloads.toLocaleString('en')}</td>
                <td className="max-md:hidden">
                  <Before count={totals.previous?.downloads} />
                </td>
                <td className="font-semibold">
                  <RoundedMoney microUsd={totals.shareMicroUsd} />
                </td>
                <td className="max-md:hidden">
                  {totals.previous && <RoundedMoney microUsd={totals.previous.shareMicroUsd} />}
                </td>
                {by === 'sample' && (
                  <td colSpan={2} className="max-md:hidden">
                    &nbsp;
                  </td>
                )}
              </tr>
            </tfoot>
          </table>
        </div>
      )}
      <ShowMore of={report} />
    </section>
  );
}
