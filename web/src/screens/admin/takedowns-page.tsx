import { api } from '../../api/api.js';
import { deferredReturnsQuery } from '../../api/admin.js';
import { List } from '../../staff/list/list.js';
import { usePages } from '../../staff/list/paged-list.js';
import { Badge } from '../../ui/badge.js';
import { countOf, formatDay } from '../../ui/format.js';
import { Section } from '../../ui/section.js';
import { defectOf, takedownOf, Start } from './removals.js';

const PACK_ADDRESS = /\/pack\/([^/?#]+)\/([^/?#]+)/;

/** The pack of a page address, or of a bare id. */
async function packOf(text: string): Promise<{ id: string; title?: string }> {
  const [, slug, handle] = PACK_ADDRESS.exec(text) ?? [];
  if (!slug || !handle) return { id: text };
  const params = { handle: decodeURIComponent(handle), slug: decodeURIComponent(slug) };
  return api('GET /api/packs/:handle/:slug', { params });
}

const STATUSES = {
  waiting: { tone: 'warn', says: 'Waits for the bank' },
  returned: { tone: 'ok', says: 'Returned' },
  withheld: { tone: 'danger', says: 'The buyer got the money back instead' },
} as const;

/** Returned purchases whose credits wait until a bank has decided a dispute about the payment. */
function DeferredReturns() {
  return (
    <List
      cards
      of={usePages(deferredReturnsQuery)}
      title="Returns that waited for a bank"
      file="returns-waiting-for-a-bank"
      empty="No return had to wait for a bank"
      more="More returns"
      keyOf={({ id }) => id}
      columns={[
        {
          label: 'Buyer and sample',
          value: ({ buyerName, sampleTitle, sampleId }) => `${buyerName}, ${sampleTitle ?? sampleId}`,
          cell: ({ buyerName, sampleTitle, sampleId }) => (
            <>
              <span className="block font-semibold">{buyerName}</span>
              <span className="block text-sm font-normal text-faint">{sampleTitle ?? sampleId}</span>
            </>
          ),
        },
        {
          label: 'Why',
          value: ({ reason, explanation }) => `${reason}: ${explanation}`,
          cell: ({ reason, explanation }) => (
            <>
              <span className="block">{reason === 'defect' ? 'Defective' : 'Taken down'}</span>
              <span className="block text-sm text-faint">{explanation}</span>
            </>
          ),
        },
        { label: 'Asked for', value: ({ askedAt }) => askedAt, kind: formatDay },
        {
          label: 'Status',
          value: ({ status }) => status,
          cell: ({ status, settledAt, returnedCredits }) => (
            <>
              <Badge tone={STATUSES[status].tone}>{STATUSES[status].says}</Badge>
              {settledAt && (
                <span className="mt-1 block text-sm text-faint">
                  {countOf(returnedCredits ?? 0, 'credit')}, {formatDay(settledAt)}
                </span>
              )}
            </>
          ),
        },
      ]}
    />
  );
}

export function TakedownsPage() {
  return (
    <>
      <div className="grid gap-4 lg:grid-cols-2">
        <Start
          title="Take down a pack"
          label="Pack"
          hint="The address of its page, or its id."
          button="Take down..."
          decisionOn={async (text, done) => {
            const { id, title } = await packOf(text);
            return takedownOf(id, title && `“${title}”`, done);
          }}
        />
        <Start
          title="A defective sample"
          label="Sample id"
          hint="The id in a report, or in the file of a certificate."
          button="Return credits..."
          decisionOn={defectOf}
        />
      </div>
      <Section title="Waiting for a bank" heading="text-lg font-semibold" className="mt-8">
        <p className="mb-4 mt-1 text-muted">
          While a payment is disputed, the purchases that it paid for are not returned. If the dispute is won,
          the buyer gets the credits back. If it is lost, the buyer has the money.
        </p>
        <DeferredReturns />
      </Section>
    </>
  );
}
