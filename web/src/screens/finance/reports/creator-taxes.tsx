import { useMutation, useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useSearchParams } from 'react-router-dom';
import type { CreatorTaxes, IncompleteCreator } from '../../../../../application/ledger/tax/tax-contract.js';
import { staffPaths } from '../../../../../application/pages/staff-paths.js';
import { api, pages, query } from '../../../api/api.js';
import { businessNow } from '../../../clock.js';
import { FileLink } from '../../../downloads/file-link.js';
import type { Column } from '../../../staff/list/column.js';
import { List, rowsOf } from '../../../staff/list/list.js';
import { usePages } from '../../../staff/list/paged-list.js';
import { PageHead } from '../../../staff/page-parts.js';
import { Button, buttonClass } from '../../../ui/button.js';
import { Select } from '../../../ui/forms/field.js';
import { countOf } from '../../../ui/format.js';
import { notifyError, toast } from '../../../ui/overlays/toast.js';
import { actor } from '../parts/named.js';

type Row = CreatorTaxes['items'][number];

const YEARS_SHOWN = 5;
const names = new Intl.DisplayNames('en', { type: 'region' });

/** Names a country, such as "Germany (DE)". */
const countryName = (country: string | null): string =>
  country === null ? 'Unknown country' : `${names.of(country) ?? country} (${country})`;

const REPORTS: Record<Row['report'], string> = {
  DAC7: 'DAC7',
  '1099': 'Form 1099',
  none: 'None',
  unknown: 'Not known yet',
};

const COLUMNS: Column<Row>[] = [
  { label: 'Tax residence', value: ({ country }) => countryName(country), total: 'Total' },
  { label: 'Report', value: ({ report }) => REPORTS[report] },
  { label: 'Creators', value: ({ creators }) => creators, sum: true },
  { label: 'Reportable', value: ({ reportable }) => reportable, sum: true },
  {
    label: 'Below threshold',
    value: ({ report, creators, reportable }) => (report === '1099' ? creators - reportable : 0),
    sum: true,
  },
  { label: 'Data missing', value: ({ incomplete }) => incomplete, sum: true },
  { label: 'Gross sales', value: ({ grossMicroUsd }) => ({ microUsd: grossMicroUsd }), sum: true },
  { label: 'Shares', value: ({ royaltiesMicroUsd }) => ({ microUsd: royaltiesMicroUsd }), sum: true },
];

const INCOMPLETE: Column<IncompleteCreator>[] = [
  {
    label: 'Creator',
    value: ({ creatorId }) => creatorId,
    kind: (id) => actor(String(id)),
    to: ({ creatorId }) => staffPaths.financeCreator(creatorId),
  },
  { label: 'Tax residence', value: ({ country }) => countryName(country) },
  { label: 'Report', value: ({ report }) => REPORTS[report] },
  { label: 'Missing', value: ({ missing }) => missing.join(', ') },
  { label: 'Share', value: ({ royaltiesMicroUsd }) => ({ microUsd: royaltiesMicroUsd }) },
];

function AskButton({ year }: { year: string }) {
  const { mutate, isPending } = useMutation({
    mutationFn: () => api('POST /api/finance/reports/creator-taxes/:year/ask', { params: { year } }),
    onSuccess: ({ asked }) => toast({ title: `${countOf(asked, 'creator')} asked` }),
    onError: notifyError,
  });
  return (
    <Button size="small" busy={isPending} onClick={() => mutate()}>
      Ask for it
    </Button>
  );
}

/**
 * Counts by country the creators that the DAC7 report and Forms 1099 of a year must name, and lists creators whose
 * tax details are incomplete.
 */
export function CreatorTaxesPage() {
  const [search, setSearch] = useSearchParams();
  const newest = new Date(businessNow()).getUTCFullYear();
  const years = Array.from({ length: YEARS_SHOWN }, (_, back) => String(newest - back));
  const year = search.get('year') ?? years[0] ?? '';
  const answer = useQuery(query('GET /api/finance/reports/creator-taxes/:year', { params: { year } }));
  const incomplete = usePages(
    pages('GET /api/finance/reports/creator-taxes/:year/incomplete', {
      params: { year },
      query: { limit: 50 },
    }),
  );
  const without = answer.data?.quartersWithoutRate ?? [];
  return (
    <>
      <PageHead
        title="Creator taxes"
        note="What DAC7 and Forms 1099 ask about creators. Years are by UTC. The file has tax numbers in full: taking it is recorded."
      >
        <Select
          label="Year"
          value={year}
          options={years.map((each) => [each, each])}
          onChange={({ target }) => setSearch({ year: target.value }, { preventScrollReset: true })}
        />
        <FileLink
          path={`/api/finance/reports/creator-taxes/${year}.csv`}
          name={`creator-taxes-${year}.csv`}
          className={buttonClass({}, 'min-h-11!')}
        >
          <Download size={16} /> Creators as CSV
        </FileLink>
      </PageHead>
      <div className="grid gap-4">
        <List
          of={rowsOf(answer, ({ items }) => items)}
          what="countries"
          title="By country"
          note={without.length > 0 && `Without euro rate: ${without.map((each) => each.slice(5)).join(', ')}`}
          file={`creator-taxes-by-country-${year}`}
          sideways
          columns={COLUMNS}
          keyOf={({ country }) => country ?? ''}
          empty="No creator earned anything in this year."
        />
        <List
          of={incomplete}
          what="creators"
          title="Data missing"
          note={countOf(incomplete.first?.total ?? 0, 'creator')}
          actions={(incomplete.first?.total ?? 0) > 0 && <AskButton year={year} />}
          file={`creators-with-missing-tax-data-${year}`}
          columns={INCOMPLETE}
          keyOf={({ creatorId }) => creatorId}
          more="More creators"
          empty="Nothing is missing."
        />
      </div>
    </>
  );
}
