import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { query } from '../../api/api.js';
import type { AdjustmentBody } from '../../../../application/administration/contract.js';
import { ALONE_WINDOW_HOURS } from '../../../../application/administration/values.js';
import { adjustCredits } from '../../api/admin.js';
import { ApiProblem } from '../../api/transport/http.js';
import { staffPaths } from '../../../../application/pages/staff-paths.js';
import { reportFailure, reportWaiting } from '../../staff/decisions.js';
import { Button } from '../../ui/button.js';
import { Input, Textarea } from '../../ui/forms/field.js';
import { useBodyForm } from '../../ui/forms/use-body-form.js';
import { centsOf, countOf, formatMicroUsd } from '../../ui/format.js';
import { toast } from '../../ui/overlays/toast.js';
import { ActsOfKind } from './approvals.js';
import { PersonPicker, useChosenPerson } from '../../staff/person-picker.js';

/** The empty form. Staff type `valueUsdCents` in dollars; the request has it in cents. */
const NONE = { credits: '', reason: '', valueUsdCents: '', makesGood: '' };

const numberOf = (text: string) => Number(text.trim().replace('\u2212', '-'));
const valueOf = (dollars: string) => (dollars === '' ? 0 : centsOf(dollars));

const above = (limit: string) =>
  ` Above ${limit} in ${ALONE_WINDOW_HOURS} hours, a second person must approve.`;

function AdjustForm() {
  const [person, setPerson] = useChosenPerson();
  const { data: limits } = useQuery(query('GET /api/admin/limits'));
  const { field, formProps, formState, reset } = useBodyForm('POST /api/admin/adjustments', {
    defaultValues: NONE,
    body: ({ credits, reason, valueUsdCents, makesGood }: typeof NONE) => ({
      userId: person?.id,
      credits: numberOf(credits),
      reason,
      valueUsdCents: valueOf(valueUsdCents),
      ...(makesGood.trim() && { makesGood: makesGood.trim() }),
    }),
    words: { credits: 'A whole number, not 0', valueUsdCents: 'An amount such as 4.50' },
    check: ({ valueUsdCents, makesGood }) =>
      makesGood.trim() === '' && valueOf(valueUsdCents) > 0
        ? { makesGood: 'Enter the lot or purchase that it compensates' }
        : {},
  });
  const { isSubmitting, isSubmitted } = formState;
  const adjust = async (body: AdjustmentBody) => {
    try {
      const { status, balance } = await adjustCredits(body);
      const now = balance === undefined ? undefined : `${countOf(balance, 'credit')} now`;
      if (status === 'waiting') reportWaiting('Nothing was booked yet.');
      else toast({ title: 'The credits are adjusted', description: now });
      reset(NONE);
      setPerson(undefined);
    } catch (error) {
      const missing = error instanceof ApiProblem && error.code === 'NotFound';
      reportFailure(error, 'adjusted', missing ? 'The account is gone.' : undefined);
    }
  };
  return (
    <form
      {...formProps(adjust)}
      aria-label="Adjust credits"
      className="panel grid grid-cols-[minmax(0,1fr)] content-start gap-4 p-5"
    >
      <h2 className="text-lg font-semibold">Adjust credits</h2>
      <PersonPicker
        value={person}
        onChange={setPerson}
        error={isSubmitted && !person ? 'Choose a person' : undefined}
      />
      <Input
        label="Credits"
        inputMode="text"
        hint={`A number above 0 gives credits, one below 0 takes them.${limits ? above(limits.adjustmentCredits.toLocaleString('en')) : ''}`}
        {...field('credits')}
      />
      <Textarea label="Reason" {...field('reason')} />
      <Input
        label="Worth in dollars"
        inputMode="decimal"
        placeholder="0.00"
        hint={`What the shop pays for the credits; creators earn from it.${limits ? above(formatMicroUsd(limits.adjustmentMicroUsd)) : ''}`}
        {...field('valueUsdCents')}
      />
      <Input
        label="Compensates"
        hint="The id of their lot or purchase. Only credits that compensate something have a value."
        {...field('makesGood')}
      />
      <Button type="submit" tone="primary" busy={isSubmitting}>
        Adjust
      </Button>
    </form>
  );
}

export function CreditsPage() {
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:split-340">
      <AdjustForm />
      <section aria-labelledby="adjustments-title" className="min-w-0">
        <div className="mb-4 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
          <h2 id="adjustments-title" className="text-lg font-semibold">
            Adjustments
          </h2>
          <p className="flex flex-wrap gap-x-6 text-muted">
            <Link to={`${staffPaths.approvals('admin')}?waiting=adjustment`} className="underlined">
              Waiting for a second person
            </Link>
            <Link to={`${staffPaths.adminAudit()}?kind=adjustment`} className="underlined">
              Filter and export
            </Link>
          </p>
        </div>
        <ActsOfKind kind="adjustment" title="Adjustments, newest first" />
      </section>
    </div>
  );
}
