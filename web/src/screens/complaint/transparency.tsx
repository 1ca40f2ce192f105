import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { query } from '../../api/api.js';
import { complaintPaths, KINDS } from '../../creators/complaint-words.js';
import { PageTitle } from '../../shell/page-frame.js';
import { countOf } from '../../ui/format.js';
import { Section } from '../../ui/section.js';
import { EmptyState, LoadingText, QueryFailure } from '../../ui/states.js';

const COLUMNS = ['filed', 'upheld', 'partly', 'rejected', 'withdrawn', 'waiting'] as const;
const HEADS = ['Filed', 'Upheld', 'In part', 'Rejected', 'Withdrawn', 'Waiting'];

export default function Transparency() {
  const answer = useQuery(query('GET /api/transparency'));
  const { data, error } = answer;
  return (
    <>
      <PageTitle>Transparency</PageTitle>
      <h1 className="display mb-3 text-6xl max-md:text-5xl">Transparency</h1>
      <p className="mb-8 max-w-[64ch] text-muted">
        What people complained of, and what we answered. A person decides about each complaint.{' '}
        <Link to={complaintPaths.file()} className="underlined">
          Complain about something
        </Link>
        .
      </p>
      <QueryFailure of={answer} title="The figures could not be loaded" />
      {!data && !error && <LoadingText>Loading the figures…</LoadingText>}
      {data?.years.length === 0 && (
        <EmptyState title="No complaints">There have been no complaints yet.</EmptyState>
      )}
      {data?.years.map(({ year, rows, takenDown, counterNotices, restored, medianDays }) => (
        <Section key={year} title={year} heading="mb-3 text-3xl font-semibold" className="mb-10">
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A wide table is scrolled by keys, too. */}
          <div
            className="panel overflow-x-auto"
            tabIndex={0}
            role="region"
            aria-label={`Complaints of ${year}`}
          >
            <table className="w-full min-w-150">
              <thead>
                <tr className="border-b border-line text-left text-sm text-muted">
                  <th scope="col" className="px-5 py-3 font-normal">
                    About
                  </th>
                  {HEADS.map((head) => (
                    <th key={head} scope="col" className="px-3 py-3 text-right font-normal last:pr-5">
                      {head}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <tr key={row.kind} className="border-b border-line last:border-0">
                    <th scope="row" className="px-5 py-3 text-left font-semibold">
                      {KINDS[row.kind].label}
                    </th>
                    {COLUMNS.map((column) => (
                      <td key={column} className="px-3 py-3 text-right tabular-nums last:pr-5">
                        {row[column] || <span className="text-faint">0</span>}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <p className="mt-3 text-muted">
            {countOf(takenDown, 'time')} something left the shop, {countOf(counterNotices, 'creator')}{' '}
            objected, {restored} with success.
            {medianDays !== null && ` Half of the answers took ${countOf(medianDays, 'day')} or less.`}
          </p>
        </Section>
      ))}
    </>
  );
}
