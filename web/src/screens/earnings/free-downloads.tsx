import { useInfiniteQuery } from '@tanstack/react-query';
import { promotionsQuery } from '../../api/creator.js';
import { countOf, formatDay } from '../../ui/format.js';

/**
 * Lists the free downloads of the creator's promotion codes. They add nothing to the amounts of a statement, because
 * they earn no share.
 */
export function FreeDownloads() {
  const { data } = useInfiniteQuery(promotionsQuery());
  const used = data?.pages.flatMap(({ items }) => items).filter((code) => code.used > 0) ?? [];
  if (used.length === 0) return null;
  return (
    <section aria-labelledby="free-downloads" className="panel p-5">
      <h2 id="free-downloads" className="display text-3xl">
        Free downloads
      </h2>
      <p className="mt-1 text-muted">
        People who redeemed your promotion codes paid nothing. Statements count these downloads, in no amount.
      </p>
      <ul className="mt-3">
        {used.map(({ code, packTitle, samplesGiven, used: people, lastUsedAt }) => (
          <li
            key={code}
            className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 border-t border-line py-2.5"
          >
            <span className="min-w-0 wrap-anywhere">
              <b className="font-semibold">{code}</b> <span className="text-muted">for {packTitle}</span>
            </span>
            <span className="text-muted">
              {countOf(samplesGiven, 'download')} by {countOf(people, 'person', 'people')}
              {lastUsedAt && `, last on ${formatDay(lastUsedAt)}`} ·{' '}
              <b className="font-semibold text-text">no share</b>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
