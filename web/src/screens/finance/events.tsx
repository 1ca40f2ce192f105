import { useInfiniteQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { Fragment, type FormEvent, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { eventsQuery } from '../../api/finance.js';
import { messageOf } from '../../api/http.js';
import { Button } from '../../ui/button.js';
import { Input } from '../../ui/field.js';
import { formatShortDay, formatTime } from '../../ui/format.js';
import { EmptyState, ErrorPanel, LoadingText } from '../../ui/states.js';
import { EventDetail } from './event-detail.js';

const FIELDS = [
  { name: 'stream', label: 'Stream', placeholder: 'credits-… or credits-' },
  { name: 'type', label: 'Type', placeholder: 'CreditsSpent' },
  { name: 'from', label: 'From position or day', placeholder: '1 or 2026-11-20' },
] as const;

/** The log, newest first, or from a position or a day on. */
export function EventsPage() {
  const [parameters, setParameters] = useSearchParams();
  const [open, setOpen] = useState<number>();
  const filter = {
    stream: parameters.get('stream') ?? '',
    type: parameters.get('type') ?? '',
    from: parameters.get('from') ?? '',
  };
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    eventsQuery(filter),
  );
  const events = data?.pages.flatMap((page) => page.items) ?? [];
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
      <h1 className="display text-[36px]">Events</h1>
      <form className="mt-5 flex flex-wrap items-end gap-3" onSubmit={search} key={parameters.toString()}>
        {FIELDS.map(({ name, ...field }) => (
          <Input
            key={name}
            name={name}
            {...field}
            defaultValue={filter[name]}
            autoComplete="off"
            spellCheck={false}
          />
        ))}
        <Button type="submit" icon={<Search size={16} strokeWidth={1.75} aria-hidden="true" />}>
          Find
        </Button>
      </form>
      {error && !data && <ErrorPanel title="The events could not be loaded">{messageOf(error)}</ErrorPanel>}
      {!data && !error && <LoadingText>Loading events...</LoadingText>}
      {data && events.length === 0 && <EmptyState title="No events">Nothing in the log fits.</EmptyState>}
      {events.length > 0 && (
        <section className="panel mt-5 overflow-x-auto" aria-label="Events">
          <table className="fin-table fin-events">
            <thead>
              <tr>
                <th scope="col">Position</th>
                <th scope="col">Type</th>
                <th scope="col">Stream</th>
                <th scope="col">Recorded</th>
              </tr>
            </thead>
            <tbody>
              {events.map((event) => (
                <Fragment key={event.position}>
                  <tr>
                    <td>{event.position.toLocaleString('en')}</td>
                    <td>
                      <button
                        type="button"
                        className="underlined"
                        aria-expanded={open === event.position}
                        onClick={() => setOpen(open === event.position ? undefined : event.position)}
                      >
                        {event.type}
                      </button>
                    </td>
                    <td className="mono break-all">
                      {event.stream} v{event.version}
                    </td>
                    <td className="whitespace-nowrap text-muted">
                      {formatShortDay(event.recordedAt)}, {formatTime(event.recordedAt)}
                    </td>
                  </tr>
                  {open === event.position && (
                    <tr>
                      <td colSpan={4} className="fin-detail">
                        <EventDetail event={event} />
                      </td>
                    </tr>
                  )}
                </Fragment>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {hasNextPage && (
        <Button className="mt-4" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          More events
        </Button>
      )}
    </>
  );
}
