import { useMutation, useQuery } from '@tanstack/react-query';
import { query } from '../../api/api.js';
import { decideOnJob, type FailedJob, type KindOfJobs, type RunningJob } from '../../api/admin.js';
import { Button } from '../../ui/button.js';
import { countOf } from '../../ui/format.js';
import { notifyOf, toast } from '../../ui/overlays/toast.js';
import { type Column, kinds } from '../../staff/list/column.js';
import { List } from '../../staff/list/list.js';
import { Fact } from '../../staff/page-parts.js';

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

const NAME: Column<RunningJob | FailedJob> = {
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
  NAME,
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
  NAME,
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
