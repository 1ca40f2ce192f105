import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { query } from '../api/api.js';
import { businessNow } from '../clock.js';
import { Badge } from '../ui/badge.js';
import { formatDay } from '../ui/format.js';
import { Section } from '../ui/section.js';
import { CounterNotice } from './counter-notice.js';
import { complaintPaths, KINDS, mayObject, STATUSES, titleOf } from './complaint-words.js';

const RECENT_MS = 30 * 86_400_000;

/** Complaints about the visitor's work. Each links to its own page. */
export default function OwnComplaints(props: {
  className?: string;
  /** True: also lists old complaints, quotes each, and has a form to object. Default: only open and recent ones. */
  all?: boolean;
  /** The text if there are no complaints to list. Without it, the section is hidden then. */
  empty?: string;
}) {
  const { className, all = false, empty } = props;
  const { data } = useQuery(query('GET /api/complaints'));
  const [now] = useState(businessNow);
  const shown = data?.items.filter(
    (each) =>
      each.side === 'about' &&
      (all ||
        each.answerBy !== null ||
        mayObject(each, now) ||
        Date.parse(each.decidedAt ?? '') > now - RECENT_MS),
  );
  if (!shown || (shown.length === 0 && empty === undefined)) return null;
  return (
    <Section title="Complaints about your work" heading="mb-3 text-xl font-semibold" className={className}>
      {shown.length === 0 && <p className="text-muted">{empty}</p>}
      <ul className="grid gap-3">
        {shown.map((complaint) => {
          const { id, kind, status, counter, answerBy } = complaint;
          const { label, tone } = STATUSES[status];
          return (
            <li key={id} className="panel p-5">
              <p className="flex flex-wrap items-center gap-3">
                <b className="min-w-0 text-lg wrap-anywhere">{titleOf(complaint)}</b>{' '}
                <Badge tone={status === 'upheld' || status === 'partly' ? 'danger' : tone}>{label}</Badge>
                <span className="text-sm text-muted">{KINDS[kind].label}</span>
              </p>
              <p className="mt-2 flex flex-wrap gap-x-4 gap-y-1">
                {mayObject(complaint, now) && counter && (
                  <span>You can object until {formatDay(counter.until)}.</span>
                )}
                {answerBy && <span>We answer by {formatDay(answerBy)}.</span>}
                <Link to={complaintPaths.one(id)}>What was said, and what became of it</Link>
              </p>
              {all && complaint.said && (
                <blockquote className="mt-2 border-l-3 border-strong pl-3 whitespace-pre-wrap wrap-anywhere">
                  {complaint.said}
                </blockquote>
              )}
              {all && mayObject(complaint, now) && counter && <CounterNotice id={id} until={counter.until} />}
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
