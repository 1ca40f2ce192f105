import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { ALONE_WINDOW_HOURS, HIGHEST_LIMITS } from '../../../../application/administration/values.js';
import { REASON_MAX_LENGTH } from '../../../../application/shared/values.js';
import { query } from '../../api/api.js';
import { askForLimits, type Limits } from '../../api/approvals.js';
import { staffPaths } from '../../../../application/pages/staff-paths.js';
import { Requests } from '../../staff/approvals/requests.js';
import { reportWaiting } from '../../staff/failure.js';
import { FormDialog } from '../../staff/form-dialog.js';
import { Fact } from '../../staff/page-parts.js';
import { Button } from '../../ui/button.js';
import { Input, Textarea } from '../../ui/forms/field.js';
import { useBodyForm } from '../../ui/forms/use-body-form.js';
import { countOf, formatDay, formatMicroUsd } from '../../ui/format.js';
import { ActLog } from './act-log.js';

const DOLLARS = /^\d+(\.\d{1,2})?$/;
const microOf = (dollars: string) =>
  DOLLARS.test(dollars.trim()) ? Math.round(Number(dollars) * 100) * 10_000 : Number.NaN;
const dollarsOf = (microUsd: number) => (microUsd / 1_000_000).toFixed(2);

const MONEY = [
  ['adjustmentMicroUsd', 'Worth of credits'],
  ['refundsMicroUsd', 'Refunds'],
  ['writeOffMicroUsd', 'One written-off debt'],
] as const;

function ChangeDialog({ limits, onClose }: { limits: Limits; onClose: () => void }) {
  const form = useBodyForm('POST /api/admin/limits', {
    defaultValues: {
      adjustmentCredits: String(limits.adjustmentCredits),
      adjustmentMicroUsd: dollarsOf(limits.adjustmentMicroUsd),
      refundsMicroUsd: dollarsOf(limits.refundsMicroUsd),
      writeOffMicroUsd: dollarsOf(limits.writeOffMicroUsd),
      reason: '',
    },
    body: ({ adjustmentCredits, adjustmentMicroUsd, refundsMicroUsd, writeOffMicroUsd, reason }) => ({
      adjustmentCredits: Number(adjustmentCredits),
      adjustmentMicroUsd: microOf(adjustmentMicroUsd),
      refundsMicroUsd: microOf(refundsMicroUsd),
      writeOffMicroUsd: microOf(writeOffMicroUsd),
      reason,
    }),
    words: {
      adjustmentCredits: `A number from 0 to ${HIGHEST_LIMITS.adjustmentCredits.toLocaleString('en')}`,
      ...Object.fromEntries(
        MONEY.map(([name]) => [
          name,
          `An amount such as 50.00, at most ${formatMicroUsd(HIGHEST_LIMITS[name])}`,
        ]),
      ),
    },
  });
  const { register } = form;
  const { errors } = form.formState;
  return (
    <FormDialog
      onClose={onClose}
      title="Limits of one person"
      description={`Above it a second person agrees. Credits and refunds count together for ${ALONE_WINDOW_HOURS} hours.`}
      confirmLabel="Ask for approval"
      form={form}
      send={(body) => askForLimits(body).then(() => reportWaiting('Until then the limits stay as they are.'))}
      refusalAt="reason"
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Input
          label="Credits"
          inputMode="numeric"
          error={errors.adjustmentCredits?.message}
          data-autofocus
          {...register('adjustmentCredits')}
        />
        {MONEY.map(([name, label]) => (
          <Input
            key={name}
            label={`${label}, USD`}
            inputMode="decimal"
            error={errors[name]?.message}
            {...register(name)}
          />
        ))}
      </div>
      <Textarea
        label="Reason"
        rows={3}
        maxLength={REASON_MAX_LENGTH}
        error={errors.reason?.message}
        {...register('reason')}
      />
    </FormDialog>
  );
}

function LimitsPanel() {
  const { data } = useQuery(query('GET /api/admin/limits'));
  const [changing, setChanging] = useState(false);
  if (!data) return null;
  const { changedAt, changedByName, approvedByName, requestId } = data;
  return (
    <section aria-labelledby="limits-title" className="panel mt-6 p-5 sm:p-6">
      <div className="flex flex-wrap items-baseline justify-between gap-3">
        <h3 id="limits-title" className="text-lg font-semibold">
          Limits of one person
        </h3>
        {requestId ? (
          <Link className="underlined text-sm" to={staffPaths.approvals('admin', requestId)}>
            A change waits for a second person
          </Link>
        ) : (
          <Button size="small" onClick={() => setChanging(true)}>
            Change the limits
          </Button>
        )}
      </div>
      <dl className="mt-4 flex flex-wrap gap-x-9 gap-y-4">
        <Fact name={`Credits in ${ALONE_WINDOW_HOURS} hours`} className="mt-1 text-md font-semibold">
          {countOf(data.adjustmentCredits, 'credit')}
        </Fact>
        {MONEY.map(([name, label]) => (
          <Fact
            key={name}
            name={name === 'writeOffMicroUsd' ? label : `${label} in ${ALONE_WINDOW_HOURS} hours`}
            className="mt-1 text-md font-semibold"
          >
            {formatMicroUsd(data[name])}
          </Fact>
        ))}
      </dl>
      {changedAt && (
        <p className="mt-4 text-sm text-muted">
          Set by {changedByName} and {approvedByName} on {formatDay(changedAt)}.
        </p>
      )}
      {changing && <ChangeDialog limits={data} onClose={() => setChanging(false)} />}
    </section>
  );
}

export function ApprovalsPage() {
  return (
    <>
      <Requests area="admin" />
      <LimitsPanel />
      <ActLog className="mt-6" />
    </>
  );
}
