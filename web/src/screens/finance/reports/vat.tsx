import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useSearchParams } from 'react-router-dom';
import { useState } from 'react';
import type { VatReturn } from '../../../../../application/ledger/tax/tax-contract.js';
import { query } from '../../../api/api.js';
import { setVatRate } from '../../../api/finance.js';
import { businessNow } from '../../../clock.js';
import { FileLink } from '../../../downloads/file-link.js';
import { utcDay } from '../../../staff/dates.js';
import type { Column } from '../../../staff/list/column.js';
import { List, rowsOf } from '../../../staff/list/list.js';
import { PageHead } from '../../../staff/page-parts.js';
import { Button, buttonClass } from '../../../ui/button.js';
import { Input, Select } from '../../../ui/forms/field.js';
import { FormDialog } from '../../../ui/forms/form-dialog.js';
import { useBodyForm } from '../../../ui/forms/use-body-form.js';
import { MICRO_PER_CENT } from '../../../ui/format.js';

type Row = VatReturn['items'][number];

const QUARTERS_SHOWN = 12;
const RATES_PAGE = 'https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates/';

const countries = new Intl.DisplayNames('en', { type: 'region' });

/** Returns the newest quarters, the current one first. */
function quarters(): string[] {
  const now = new Date(businessNow());
  const newest = now.getUTCFullYear() * 4 + Math.floor(now.getUTCMonth() / 3);
  return Array.from({ length: QUARTERS_SHOWN }, (_, back) => {
    const at = newest - back;
    return `${Math.floor(at / 4)}-Q${(at % 4) + 1}`;
  });
}

/** The tax as a percentage of the taxable amount. For a state with several rates, this is their average. */
const rateOf = ({ taxableMicroUsd, taxMicroUsd }: Row): string =>
  taxableMicroUsd > 0 ? `${((100 * taxMicroUsd) / taxableMicroUsd).toFixed(1)} %` : '';

const COLUMNS: Column<Row>[] = [
  {
    label: 'Member state',
    value: ({ country }) => `${countries.of(country) ?? country} (${country})`,
    total: 'Total',
  },
  { label: 'Sales', value: ({ sales }) => sales, sum: true },
  { label: 'Taxable', value: ({ taxableMicroUsd }) => ({ microUsd: taxableMicroUsd }), sum: true },
  { label: 'Rate', value: rateOf, align: 'right' },
  { label: 'VAT', value: ({ taxMicroUsd }) => ({ microUsd: taxMicroUsd }), sum: true },
  {
    label: 'Reverse charge',
    value: ({ reverseChargeMicroUsd }) => ({ microUsd: reverseChargeMicroUsd }),
    sum: true,
  },
];

/** Amounts in euros are shown and saved like those in dollars. */
const IN_EUROS: Column<Row>[] = [
  {
    label: 'Taxable in EUR',
    value: ({ taxableEurCents }) => ({ microUsd: (taxableEurCents ?? 0) * MICRO_PER_CENT }),
    sum: true,
  },
  {
    label: 'VAT in EUR',
    value: ({ taxEurCents }) => ({ microUsd: (taxEurCents ?? 0) * MICRO_PER_CENT }),
    sum: true,
  },
];

function RateDialog({ data, onClose }: { data: VatReturn; onClose: () => void }) {
  const { quarter, lastDay, usdPerEur } = data;
  const form = useBodyForm('PUT /api/finance/vat/:quarter/rate', {
    defaultValues: { usdPerEur: usdPerEur ?? '' },
    words: { usdPerEur: 'Four places, such as 1.1741' },
  });
  return (
    <FormDialog
      onClose={onClose}
      title={`Euro rate of ${utcDay(lastDay)}`}
      description={`The return of ${quarter} uses the rate that the European Central Bank published for its last day, or for the next day with a rate.`}
      confirmLabel="Store the rate"
      form={form}
      send={(body) => setVatRate(quarter, body)}
      refusalAt="usdPerEur"
    >
      <Input label="Dollars for one euro" inputMode="decimal" data-autofocus {...form.field('usdPerEur')} />
      <a href={RATES_PAGE} target="_blank" rel="noreferrer" className="underlined">
        Rates of the European Central Bank
      </a>
    </FormDialog>
  );
}

/** The value-added tax of a quarter, as the One-Stop Shop asks for it. */
export function VatPage() {
  const [search, setSearch] = useSearchParams();
  const [isOpen, setOpen] = useState(false);
  const all = quarters();
  const quarter = search.get('quarter') ?? all[1] ?? '';
  const answer = useQuery(query('GET /api/finance/vat/:quarter', { params: { quarter } }));
  const { data } = answer;
  const isOver = data !== undefined && new Date(data.lastDay).getTime() + 86_400_000 <= businessNow();
  return (
    <>
      <PageHead
        title="VAT"
        note="The tax of a quarter by member state of the European Union, for the One-Stop Shop. Quarters are by UTC."
      >
        <Select
          label="Quarter"
          value={quarter}
          options={all.map((each) => [each, each.replace('-', ' ')])}
          onChange={({ target }) => setSearch({ quarter: target.value }, { preventScrollReset: true })}
        />
        <FileLink
          path={`/api/finance/vat/${quarter}/firms.csv`}
          name={`reverse-charge-${quarter}.csv`}
          className={buttonClass({}, 'min-h-11!')}
        >
          <Download size={16} /> Firms as CSV
        </FileLink>
        {isOver && (
          <Button className="min-h-11!" onClick={() => setOpen(true)}>
            {data.usdPerEur ? 'Correct the euro rate' : 'Enter the euro rate'}
          </Button>
        )}
      </PageHead>
      {isOpen && data && <RateDialog data={data} onClose={() => setOpen(false)} />}
      <List
        of={rowsOf(answer, ({ items }) => items)}
        what="return"
        title={quarter.replace('-', ' ')}
        note={
          data &&
          (data.usdPerEur
            ? `1 EUR = ${data.usdPerEur} USD on ${utcDay(data.lastDay)}`
            : isOver
              ? 'Without the euro rate, amounts are in dollars only.'
              : `The quarter ends on ${utcDay(data.lastDay)}.`)
        }
        file={`vat-${quarter}`}
        sideways
        columns={data?.usdPerEur ? [...COLUMNS, ...IN_EUROS] : COLUMNS}
        keyOf={({ country }) => country}
        empty="Nothing was sold in the European Union in this quarter, as far as the place is known."
      />
    </>
  );
}
