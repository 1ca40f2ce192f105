import { useMutation, useQuery } from '@tanstack/react-query';
import { decideOnJob, type FailedJob, jobsQuery, type KindOfJobs, type RunningJob } from '../../api/admin.js';
import { messageOf } from '../../api/transport/http.js';
import { Button } from '../../ui/button.js';
import { countOf, formatDay, formatTime } from '../../ui/format.js';
import { toast } from '../../ui/overlays/toast.js';
import { Cell, List } from './list.js';

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
    onError: (error) =>
      toast({ title: 'Nothing was decided', description: messageOf(error), tone: 'danger' }),
  });
  return (
    <Button size="small" busy={isPending || isSuccess} onClick={() => mutate()}>
      {label}
      <span className="sr-only"> {job.name}</span>
    </Button>
  );
}

function Name({ job }: { job: RunningJob | FailedJob }) {
  return (
    <th scope="row">
      <span className="block font-semibold">{job.name}</span>
      <span className="block text-sm font-normal text-faint">{KINDS[job.kind] ?? job.kind}</span>
    </th>
  );
}

function RunningRow({ job }: { job: RunningJob }) {
  return (
    <tr>
      <Name job={job} />
      <Cell label="Attempt">{job.attempt}</Cell>
      <Cell label="Since">
        {formatDay(job.startedAt)}, {formatTime(job.startedAt)}
      </Cell>
      <td>
        <div className="flex lg:justify-end">
          <Decide job={job} decision="cancel" />
        </div>
      </td>
    </tr>
  );
}

function FailedRow({ job }: { job: FailedJob }) {
  return (
    <tr>
      <Name job={job} />
      <Cell label="Why">
        <span className="wrap-anywhere text-danger">{job.error}</span>
      </Cell>
      <Cell label="Attempts">{countOf(job.attempts, 'attempt')}</Cell>
      <Cell label="Failed">
        {formatDay(job.failedAt)}, {formatTime(job.failedAt)}
      </Cell>
      <td>
        <div className="flex gap-2 lg:justify-end">
          <Decide job={job} decision="retry" />
          <Decide job={job} decision="discard" />
        </div>
      </td>
    </tr>
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
        <div key={kind}>
          <dt className="text-sm text-muted">{KINDS[kind] ?? kind}</dt>
          <dd className="font-semibold">{`${waiting} waiting, ${running} running`}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Jobs: counts by kind, running jobs, and jobs that failed for good. */
export function JobsPage() {
  const query = useQuery(jobsQuery);
  return (
    <>
      {query.data && <Counts kinds={query.data.kinds} />}
      {query.data && query.data.running.length > 0 && (
        <div className="mb-4">
          <List
            query={{ ...query, data: { items: query.data.running } }}
            label="Running jobs"
            empty="No job runs"
            columns={['Job', 'Attempt', 'Since', 'Decision']}
            row={(job) => <RunningRow key={job.id} job={job} />}
          />
        </div>
      )}
      <List
        query={query}
        label="Failed jobs"
        empty="No job has failed"
        columns={['Job', 'Why', 'Attempts', 'Failed', 'Decision']}
        row={(job) => <FailedRow key={job.id} job={job} />}
      />
    </>
  );
}
