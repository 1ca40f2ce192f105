import { useMutation, useQuery } from '@tanstack/react-query';
import { decideOnJob, type FailedJob, jobsQuery, type KindOfJobs } from '../../api/admin.js';
import { messageOf } from '../../api/transport/http.js';
import { Button } from '../../ui/button.js';
import { countOf, formatDay, formatTime } from '../../ui/format.js';
import { toast } from '../../ui/overlays/toast.js';
import { Cell, List } from './list.js';

const DONE = { retry: 'will be done again', discard: 'will not be done' } as const;

function Decide({ job, decision }: { job: FailedJob; decision: keyof typeof DONE }) {
  const { mutate, isPending, isSuccess } = useMutation({
    mutationFn: () => decideOnJob(job.id, decision),
    onSuccess: () => toast({ title: `The job ${DONE[decision]}` }),
    onError: (error) =>
      toast({ title: 'Nothing was decided', description: messageOf(error), tone: 'danger' }),
  });
  return (
    <Button size="small" busy={isPending || isSuccess} onClick={() => mutate()}>
      {decision === 'retry' ? 'Do again' : 'Discard'}
      <span className="sr-only"> {job.name}</span>
    </Button>
  );
}

function Row({ job }: { job: FailedJob }) {
  return (
    <tr>
      <th scope="row">
        <span className="block font-semibold">{job.name}</span>
        <span className="block text-sm font-normal text-faint">{KINDS[job.kind] ?? job.kind}</span>
      </th>
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
  'old-sound': 'Older sounds compared',
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

/** Work that workers do by themselves: how much there is, and what failed for good. */
export function JobsPage() {
  const query = useQuery(jobsQuery);
  return (
    <>
      {query.data && <Counts kinds={query.data.kinds} />}
      <List
        query={query}
        label="Failed jobs"
        empty="No job has failed"
        columns={['Job', 'Why', 'Attempts', 'Failed', 'Decision']}
        row={(job) => <Row key={job.id} job={job} />}
      />
    </>
  );
}
