import type { Sale } from '../../../../application/payouts/contract.js';
import { Avatar } from '../../ui/avatar.js';
import { formatAgo, formatDay, formatTime } from '../../ui/format.js';

const LATEST = 10;

export function RecentActivity({ activity }: { activity: readonly Sale[] }) {
  return (
    <section
      aria-labelledby="activity-title" // The chart beside it sets the height of the row.
      className="panel flex min-h-full min-w-0 flex-col px-5 pt-4.5 pb-3 xl:h-0"
    >
      <h2 id="activity-title" className="mb-2 text-lg font-semibold">
        Recent Activity
      </h2>
      {activity.length === 0 && (
        <p className="grid min-h-40 place-items-center text-muted">No activity yet</p>
      )}
      {activity.length > 0 && (
        // Beside the chart, it shows as many whole rows as fit its height. The rest scrolls, by keyboard too.
        <div className="relative -mx-5 min-h-0 flex-1">
          <div
            role="group"
            aria-label="Latest downloads"
            tabIndex={0}
            className="overflow-y-auto px-5 [scrollbar-width:thin] xl:absolute xl:inset-x-0 xl:top-0 xl:max-h-[round(down,100%,38px)]"
          >
            <ul>
              {activity.slice(0, LATEST).map(({ id, buyerName, createdAt, sampleTitle, packTitle }) => (
                <li key={id} className="flex min-h-9.5 items-center gap-3" title={packTitle ?? undefined}>
                  <Avatar name={buyerName} size={28} />
                  <p className="min-w-0 flex-1 truncate">
                    <b>{buyerName}</b> downloaded {sampleTitle ?? 'a sample'}
                  </p>
                  <time
                    dateTime={createdAt}
                    title={`${formatDay(createdAt)}, ${formatTime(createdAt)}`}
                    className="text-sm text-faint"
                  >
                    {formatAgo(createdAt)}
                  </time>
                </li>
              ))}
            </ul>
          </div>
        </div>
      )}
    </section>
  );
}
