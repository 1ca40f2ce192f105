import { useQuery, useMutation } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { query } from '../../api/api.js';
import { MAIL_LOG_DAYS, RECIPIENT_MAX_LENGTH } from '../../../../application/administration/values.js';
import {
  mailsQuery,
  reportsQuery,
  decideOnJob,
  type FailedJob,
  type KindOfJobs,
  type RunningJob,
} from '../../api/admin.js';
import { kinds, type Column } from '../../staff/list/column.js';
import { listPage } from '../../staff/list/list-page.js';
import { usePages } from '../../staff/list/paged-list.js';
import { askReason } from '../../staff/decisions.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { countOf, formatTime } from '../../ui/format.js';
import { defectOf, takedownOf } from './removals.js';
import { notifyOf, toast } from '../../ui/overlays/toast.js';
import { List } from '../../staff/list/list.js';
import { Fact } from '../../staff/page-parts.js';

const LATELY = `in the last ${MAIL_LOG_DAYS} days`;
const TONES = { sent: 'ok', failed: 'danger', sending: 'warn' } as const;

/** A link to the page of stored mails, which only servers outside production have. */
function MailboxLink() {
  const { data: hasMailbox } = useQuery(query('GET /dev/info'));
  return (
    hasMailbox && (
      <a
        href="/dev/mailbox"
        target="_blank"
        rel="noreferrer"
        className="flex min-h-11 items-center gap-2 text-muted hover:text-text"
      >
        Mailbox <ExternalLink size={15} />
      </a>
    )
  );
}

/** Lists the mails of the last `MAIL_LOG_DAYS` days with their status. The log does not contain their text. */
export const MailsPage = listPage({
  filters: {
    to: {
      label: 'Recipient',
      hideLabel: true,
      placeholder: 'Recipient',
      maxLength: RECIPIENT_MAX_LENGTH,
    },
  },
  aside: <MailboxLink />,
  useRows: ({ to }) => usePages(mailsQuery(to)),
  list: (_, { to }) => ({
    cards: true,
    title: 'Mail log',
    file: 'mails',
    empty: to ? `No mail to “${to}” ${LATELY}` : `No mail ${LATELY}`,
    more: 'More mails',
    keyOf: ({ id }) => id,
    columns: [
      { label: 'Recipient', value: ({ to: recipient }) => recipient, kind: kinds.strong },
      { label: 'Subject', value: ({ subject }) => subject },
      { label: 'Asked for', value: ({ askedAt }) => askedAt, kind: kinds.localTime },
      {
        label: 'Attempts',
        value: ({ attempts }) => attempts,
        cell: ({ attempts, lastError }) => (
          <>
            <span className="block">{countOf(attempts, 'attempt')}</span>
            {lastError && <span className="block text-sm text-danger">{lastError}</span>}
          </>
        ),
      },
      {
        label: 'Status',
        value: ({ status }) => status,
        cell: ({ status, settledAt }) => (
          <>
            <Badge tone={TONES[status]}>{status}</Badge>
            {settledAt && <span className="mt-1 block text-sm text-faint">{formatTime(settledAt)}</span>}
          </>
        ),
      },
    ],
  }),
});

export const ReportsPage = listPage({
  useRows: () => usePages(reportsQuery),
  list: {
    cards: true,
    title: 'Reports',
    file: 'reports',
    empty: 'Nothing was reported',
    more: 'More reports',
    keyOf: ({ id }) => id,
    columns: [
      {
        label: 'What',
        value: ({ kind, subjectId }) => `${kind} ${subjectId}`,
        cell: ({ kind, subjectId }) => (
          <>
            <span className="block font-semibold first-letter:uppercase">{kind}</span>
            <span className="mono block text-faint">{subjectId}</span>
          </>
        ),
      },
      {
        label: 'Why',
        value: ({ reason }) => reason,
        cell: ({ reason }) => <span className="inline-block first-letter:uppercase">{reason}</span>,
      },
      { label: 'In their words', value: ({ detail }) => detail || null },
      { label: 'Reported', value: ({ createdAt }) => createdAt, kind: kinds.localTime },
      {
        label: 'Decision',
        cell: ({ kind, subjectId }) => (
          <div className="flex lg:justify-end">
            {kind === 'pack' && (
              <Button size="small" onClick={() => askReason(takedownOf(subjectId))}>
                Take down
              </Button>
            )}
            {kind === 'sample' && (
              <Button size="small" onClick={() => askReason(defectOf(subjectId))}>
                Return credits
              </Button>
            )}
          </div>
        ),
      },
    ],
  },
});

const DECISIONS = {
  retry: { label: 'Do again', said: 'will be done again' },
  discard: { label: 'Discard', said: 'will not be done' },
  cancel: { label: 'Cancel', said: 'is being cancelled' },
} as const;

function Decide({ job, decision }: { job: RunningJob | FailedJob; decision: keyof typeof DECISIONS }) {
  const { label, said } = DECISIONS[decision];
  const { mutate, isPending, isSuccess } = useMutation({
    mutationFn: () => decideOnJob(job.id, decision),
    onSuccess: () => toast({ title: `The job ${said}` }),
    onError: notifyOf('Nothing was decided'),
  });
  return (
    <Button size="small" busy={isPending || isSuccess} onClick={() => mutate()}>
      {label}
      <span className="sr-only"> {job.name}</span>
    </Button>
  );
}

const KINDS: Readonly<Record<string, string>> = {
  mail: 'Mails',
  sweep: 'Sweeps',
  nightly: 'Nightly checks',
  sound: 'Uploads compared',
  encode: 'Uploads made into samples',
  'old-sound': 'Older sounds compared',
  export: 'Copies of people’s data',
  'books-export': 'Files of the journal',
};

function Counts({ kinds }: { kinds: readonly KindOfJobs[] }) {
  return (
    <dl className="panel mb-4 flex flex-wrap gap-x-12 gap-y-4 px-5 py-4">
      {kinds.map(({ kind, waiting, running }) => (
        <Fact key={kind} name={KINDS[kind] ?? kind}>{`${waiting} waiting, ${running} running`}</Fact>
      ))}
    </dl>
  );
}

const JOB: Column<RunningJob | FailedJob> = {
  label: 'Job',
  value: ({ name, kind }) => `${name} ${KINDS[kind] ?? kind}`,
  cell: ({ name, kind }) => (
    <>
      <span className="block font-semibold">{name}</span>
      <span className="block text-sm font-normal text-faint">{KINDS[kind] ?? kind}</span>
    </>
  ),
};

const RUNNING: Column<RunningJob>[] = [
  JOB,
  { label: 'Attempt', value: ({ attempt }) => attempt },
  { label: 'Since', value: ({ startedAt }) => startedAt, kind: kinds.localTime },
  {
    label: 'Decision',
    cell: (job) => (
      <div className="flex lg:justify-end">
        <Decide job={job} decision="cancel" />
      </div>
    ),
  },
];

const FAILED: Column<FailedJob>[] = [
  JOB,
  {
    label: 'Why',
    value: ({ error }) => error,
    cell: ({ error }) => <span className="wrap-anywhere text-danger">{error}</span>,
  },
  {
    label: 'Attempts',
    value: ({ attempts }) => attempts,
    kind: (count: number) => countOf(count, 'attempt'),
  },
  { label: 'Failed', value: ({ failedAt }) => failedAt, kind: kinds.localTime },
  {
    label: 'Decision',
    cell: (job) => (
      <div className="flex gap-2 lg:justify-end">
        <Decide job={job} decision="retry" />
        <Decide job={job} decision="discard" />
      </div>
    ),
  },
];

export function JobsPage() {
  const answer = useQuery(query('GET /api/admin/jobs'));
  const keyOf = ({ id }: { id: string }) => id;
  return (
    <>
      {answer.data && <Counts kinds={answer.data.kinds} />}
      {answer.data && answer.data.running.length > 0 && (
        <div className="mb-4">
          <List cards of={answer.data.running} title="Running jobs" keyOf={keyOf} columns={RUNNING} />
        </div>
      )}
      <List
        cards
        of={answer}
        title="Failed jobs"
        file="failed-jobs"
        empty="No job has failed"
        keyOf={keyOf}
        columns={FAILED}
      />
    </>
  );
}
