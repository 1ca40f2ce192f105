import { Search } from 'lucide-react';
import type { FormEvent } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { EventPage } from '../../../../application/ledger/contract.js';
import { eventsQuery } from '../../api/finance.js';
import { usePages } from '../../staff/paged-list.js';
import { Button } from '../../ui/button.js';
import { Input } from '../../ui/forms/field.js';
import { EventDetail } from './event-detail.js';
import { AwaitedRows } from './parts/awaited-rows.js';
import { type Column, DataTable } from './parts/data-table.js';
import { utcTime } from './parts/dates.js';
import { By, Stream, actorOf } from './parts/named.js';
import { useOpenEvent } from './parts/event-opener.js';
import { ExplainedPosition } from './trace/explained-id.js';

const FIELDS = [
  { name: 'stream', label: 'Stream', placeholder: 'credits-… or credits-' },
  { name: 'type', label: 'Type', placeholder: 'CreditsSpent' },
  { name: 'from', label: 'From position or day', placeholder: '1 or 2026-11-20' },
] as const;

function columnsOf(opener: ReturnType<typeof useOpenEvent>['opener']): Column<EventPage['items'][number]>[] {
  return [
    {
      label: 'Position',
      value: ({ position }) => position,
      cell: ({ position }) => <ExplainedPosition position={position} />,
    },
    {
      label: 'Type',
      value: ({ type }) => type,
      cell: opener,
    },
    {
      label: 'Stream',
      value: ({ stream, version }) => `${stream} v${version}`,
      cell: ({ stream, version }) => (
        <span className="block min-w-50">
          <Stream stream={stream} /> <span className="mono text-faint">v{version}</span>
        </span>
      ),
    },
    { label: 'By', value: actorOf, cell: (event) => <By id={actorOf(event)} /> },
    {
      label: 'Recorded (UTC)',
      value: ({ recordedAt }) => recordedAt,
      cell: ({ recordedAt }) => <span className="whitespace-nowrap text-muted">{utcTime(recordedAt)}</span>,
    },
  ];
}

/** The log, newest first, or from a position or a day. */
export function EventsPage() {
  const [parameters, setParameters] = useSearchParams();
  const { open, opener } = useOpenEvent();
  const filter = {
    stream: parameters.get('stream') ?? '',
    type: parameters.get('type') ?? '',
    from: parameters.get('from') ?? '',
  };
  const list = usePages(eventsQuery(filter));
  const events = list.data?.items ?? [];
  const search = (submitted: FormEvent<HTMLFormElement>) => {
    submitted.preventDefault();
    const fields = [...new FormData(submitted.currentTarget)].map(([name, value]) => [
      name,
      String(value).trim(),
    ]);
    setParameters(Object.fromEntries(fields.filter(([, value]) => value)) as Record<string, string>);
  };
  return (
    <>
      <h1 className="display text-5xl">Events</h1>
      <form className="mt-5 flex flex-wrap items-end gap-3" onSubmit={search} key={parameters.toString()}>
        {FIELDS.map(({ name, ...field }) => (
          <Input
            key={name}
            name={name}
            {...field}
            defaultValue={filter[name]}
            autoComplete="off"
            spellCheck={false}
            className="max-md:w-full"
          />
        ))}
        <Button
          type="submit"
          className="min-h-11!"
          icon={<Search size={16} strokeWidth={1.75} aria-hidden="true" />}
        >
          Find
        </Button>
      </form>
      <div className="mt-5">
        <AwaitedRows
          query={list}
          what="events"
          rows={events}
          none={{ title: 'No events', text: 'No event in the log matches.' }}
        >
          <DataTable
            title="Events"
            note={filter.from ? 'Oldest first' : 'Newest first'}
            file={['events', filter.stream, filter.type, filter.from].filter(Boolean).join('-')}
            columns={columnsOf(opener)}
            rows={events}
            pages={list}
            more="More events"
            keyOf={({ position }) => String(position)}
            detail={(event) => open === event.position && <EventDetail event={event} />}
            empty=""
          />
        </AwaitedRows>
      </div>
    </>
  );
}
