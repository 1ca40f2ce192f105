import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { MATERIALITY_MAX_MICRO_USD } from '../../../../application/ledger/values.js';
import { query } from '../../api/api.js';
import { setMateriality } from '../../api/finance.js';
import { Input } from '../../ui/forms/field.js';
import { FormDialog } from '../../ui/forms/form-dialog.js';
import { useBodyForm } from '../../ui/forms/use-body-form.js';
import { centsOf, MICRO_PER_CENT } from '../../ui/format.js';
import { MaterialityNote } from './parts/materiality.js';

const MAX = `${MATERIALITY_MAX_MICRO_USD / 1_000_000}.00`;

function AmountDialog({ microUsd, onClose }: { microUsd: number; onClose: () => void }) {
  const form = useBodyForm('PUT /api/finance/materiality', {
    defaultValues: { amountMicroUsd: (microUsd / 1_000_000).toFixed(2) },
    body: ({ amountMicroUsd }: { amountMicroUsd: string }) => ({
      amountMicroUsd: centsOf(amountMicroUsd) * MICRO_PER_CENT,
    }),
    words: { amountMicroUsd: `An amount from 0.00 to ${MAX}` },
  });
  return (
    <FormDialog
      onClose={onClose}
      title="Amount for alerts"
      description="Findings below this amount stay in their lists and raise no alert. A month still closes only when each is explained."
      confirmLabel="Set the amount"
      form={form}
      send={setMateriality}
      refusalAt="amountMicroUsd"
    >
      <Input
        label="Amount in USD"
        hint="0 alerts about every finding."
        inputMode="decimal"
        data-autofocus
        {...form.field('amountMicroUsd')}
      />
    </FormDialog>
  );
}

/** Says below which amount findings raise no alert, with a dialog that changes this amount. */
export function Materiality() {
  const { data } = useQuery(query('GET /api/finance/materiality'));
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <MaterialityNote
        change={
          <button
            type="button"
            className="underlined"
            aria-label="Change the amount for alerts"
            onClick={() => setOpen(true)}
          >
            Change
          </button>
        }
      />
      {isOpen && data && <AmountDialog microUsd={data.amountMicroUsd} onClose={() => setOpen(false)} />}
    </>
  );
}
