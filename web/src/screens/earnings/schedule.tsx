import { useMutation, useQuery } from '@tanstack/react-query';
import { api, query } from '../../api/api.js';
import { queryClient } from '../../api/query-client.js';
import type { ScheduleChoice } from '../../../../application/payouts/contract.js';
import { messageOf } from '../../api/transport/http.js';
import { formatShortDay, formatUsdCents } from '../../ui/format.js';
import { Segmented } from '../../ui/tabs.js';
import { toast } from '../../ui/overlays/toast.js';

const CHOICES = [
  { value: 'on_demand', label: 'On demand' },
  { value: 'monthly', label: 'Monthly' },
] as const satisfies readonly { value: ScheduleChoice; label: string }[];

/** The payout schedule: only on request, or also on the first of each month. */
export function Schedule({ minimumUsdCents }: { minimumUsdCents: number }) {
  const { data } = useQuery(query('GET /api/creator/payout-schedule'));
  const change = useMutation({
    mutationFn: (schedule: ScheduleChoice) => api('PUT /api/creator/payout-schedule', { body: { schedule } }),
    onSuccess: (chosen) =>
      queryClient.setQueryData(query('GET /api/creator/payout-schedule').queryKey, chosen),
    onError: (error) =>
      toast({ title: 'The schedule was not changed', description: messageOf(error), tone: 'danger' }),
  });
  if (!data) return null;
  // Shows the choice at once; a refusal restores the former one.
  const chosen = change.isPending ? change.variables : data.schedule;
  const nextDay = data.nextAt && formatShortDay(`${data.nextAt.slice(0, 10)}T12:00`);
  return (
    <div className="grid min-h-10 content-center justify-items-start gap-2">
      <Segmented
        options={CHOICES}
        value={chosen}
        onChange={(schedule) => change.mutate(schedule)}
        label="Payout schedule"
      />
      {nextDay && chosen === 'monthly' && (
        <span className="text-sm text-faint">
          Next payout on {nextDay}, if at least {formatUsdCents(minimumUsdCents)} is available
        </span>
      )}
    </div>
  );
}
