import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { pages, query } from '../../api/api.js';
import { businessNow } from '../../clock.js';
import { EmptyState, QueryFailure, Skeleton } from '../../ui/states.js';
import { CsvLink, ShowMore } from './sales-parts.js';

const DAY_MS = 86_400_000;
const DAYS = 30;
const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const count = (figure: number) => figure.toLocaleString('en');

function Searches({ days }: { days: { from: string; to: string } }) {
  const { data } = useQuery(query('GET /api/creator/sales/searches', { query: days }));
  if (!data) return null;
  return (
    <div className="border-t border-line p-5 max-md:px-4">
      <h3 className="font-semibold">Searches that found you</h3>
      {data.items.length === 0 ? (
        <p className="mt-1 text-muted">A search is listed once it found you three times.</p>
      ) : (
        <ul className="mt-2 flex flex-wrap gap-x-6 gap-y-1">
          {data.items.map(({ term, finds }) => (
            <li key={term} className="wrap-anywhere">
              {term} <span className="text-faint">{count(finds)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** How often each sample was shown, played, saved and bought in the last 30 days, and the searches that found them. */
export function WayToSale() {
  const now = businessNow();
  const days = { from: dayText(now - (DAYS - 1) * DAY_MS), to: dayText(now) };
  const answer = useInfiniteQuery(pages('GET /api/creator/sales/reach', { query: { ...days, limit: 50 } }));
  const { data, error } = answer;
  const samples = data?.pages.flatMap(({ items }) => items);
  return (
    <section aria-labelledby="way-title" className="panel min-w-0">
      <div className="flex flex-wrap items-center justify-between gap-3 p-5 pb-3 max-md:px-4">
        <h2 id="way-title" className="text-lg font-semibold">
          From view to sale
          <span className="ml-3 text-base font-normal text-muted">Last {DAYS} days</span>
        </h2>
        {samples && samples.length > 0 && (
          <CsvLink address={`/api/creator/sales/reach.csv?${new URLSearchParams(days)}`} />
        )}
      </div>
      {error && !data && <QueryFailure of={answer} title="The way to your sales could not be loaded" />}
      {!data && !error && (
        <div className="p-5 pt-2">
          <Skeleton className="h-50" text="Counting views and plays..." />
        </div>
      )}
      {samples?.length === 0 && (
        <EmptyState title="Nothing was shown yet">
          Published samples are counted here, without the names of listeners.
        </EmptyState>
      )}
      {samples && samples.length > 0 && (
        <div
          className="overflow-x-auto px-5 pb-3 max-md:px-4"
          role="region"
          aria-label="Views, plays, saves and sales"
          tabIndex={0}
        >
          <table className="figures">
            <thead>
              <tr>
                <th scope="col">Sample</th>
                <th scope="col">Views</th>
                <th scope="col" title="By signed-in listeners">
                  Plays
                </th>
                <th scope="col">Saves</th>
                <th scope="col">Sold</th>
              </tr>
            </thead>
            <tbody>
              {samples.map(({ id, title, pack, views, plays, saves, downloads }) => (
                <tr key={id}>
                  <th scope="row" className="font-semibold" title={`${title} · ${pack}`}>
                    {title}
                    <span className="font-normal text-faint"> · {pack}</span>
                  </th>
                  <td>{count(views)}</td>
                  <td>{count(plays)}</td>
                  <td>{count(saves)}</td>
                  <td className="font-semibold">{count(downloads)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <ShowMore of={answer} />
      <Searches days={days} />
    </section>
  );
}
