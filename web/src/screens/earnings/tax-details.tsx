import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { query } from '../../api/api.js';
import { lazyWithPreload } from '../../shell/lazy-with-preload.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { useLogged } from './use-logged.js';

const TaxDialog = lazyWithPreload(() => import('./tax-dialog.js'));

const WHY = {
  DAC7: 'The law of the European Union (DAC7) asks us to report to its tax authorities who you are and what you earned here.',
  '1099':
    'The law of the United States asks us to report to the IRS who you are and what you earned here (Form 1099).',
  none: 'We report nothing about creators of your country.',
  unknown:
    'Many countries ask us to report to their tax authorities who you are and what you earned here. Please add your country.',
};

/**
 * The details that tax reports need about the creator. Renders nothing for a creator without sales, without stated
 * details and without details from Stripe.
 */
export function TaxDetailsPanel() {
  const { data, error } = useQuery(query('GET /api/creator/tax-details'));
  const months = useQuery(query('GET /api/creator/monthly-statements'));
  const [isOpen, setOpen] = useState(false);
  useLogged('Your tax details', error);
  if (!data || (!data.stated && !data.fromProvider && !months.data?.items.length)) return null;
  const { stated, missing, report } = data;
  return (
    <section aria-labelledby="tax-title" className="panel min-w-0 p-5 max-md:p-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="tax-title" className="text-lg font-semibold">
          Tax details
        </h2>
        <Button size="small" tone={missing.length > 0 ? 'primary' : undefined} onClick={() => setOpen(true)}>
          {stated ? 'Change' : 'Add'}
        </Button>
      </div>
      <p className="mt-1 max-w-prose text-sm text-muted">
        {WHY[report]} Tax numbers are stored encrypted. Only the authority and our accountants see them.
      </p>
      <p className="mt-3 flex flex-wrap items-center gap-2">
        {missing.length > 0 ? (
          <>
            <Badge tone="warn">Missing</Badge> {missing.join(', ')}
          </>
        ) : (
          <Badge tone="ok">Complete</Badge>
        )}
      </p>
      {isOpen && (
        <Suspense fallback={null}>
          <TaxDialog details={data} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </section>
  );
}
