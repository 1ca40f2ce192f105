import { eventsQuery } from '../../api/finance.js';
import { kinds } from '../../staff/list/column.js';
import { listPage } from '../../staff/list/list-page.js';
import { usePages } from '../../staff/list/paged-list.js';
import { EventDetail } from './event-detail.js';
import { actor, actorOf, Stream } from './parts/named.js';
import { tracedEvent } from './trace/explained-id.js';

const className = 'max-md:w-full';

/** The log, newest first, or from a position or a day. */
export const EventsPage = listPage({
  heading: 'Events',
  filters: {
    stream: { label: 'Stream', placeholder: 'credits-… or credits-', className },
    type: { label: 'Type', placeholder: 'CreditsSpent', className },
    from: { label: 'From position or day', placeholder: '1 or 2026-11-20', className },
  },
  useRows: (chosen) => usePages(eventsQuery(chosen)),
  list: (_, { stream, type, from }) => ({
    what: 'events',
    title: 'Events',
    note: from ? 'Oldest first' : 'Newest first',
    file: ['events', stream, type, from].filter(Boolean).join('-'),
    more: 'More events',
    keyOf: ({ position }) => String(position),
    detail: (event) => <EventDetail event={event} />,
    empty: { title: 'No events', text: 'No event in the log matches.' },
    columns: [
      { label: 'Position', value: ({ position }) => position, kind: tracedEvent },
      { label: 'Type', value: (event) => event.type, opens: () => true },
      {
        label: 'Stream',
        value: (event) => `${event.stream} v${event.version}`,
        cell: (event) => (
          <span className="block min-w-50">
            <Stream stream={event.stream} /> <span className="mono text-faint">v{event.version}</span>
          </span>
        ),
      },
      { label: 'By', value: actorOf, kind: actor },
      { label: 'Recorded (UTC)', value: ({ recordedAt }) => recordedAt, kind: kinds.quietTime },
    ],
  }),
});
