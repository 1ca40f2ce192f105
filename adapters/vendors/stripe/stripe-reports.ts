import type Stripe from 'stripe';
import { REPORT_LIMIT_BYTES } from '../../../application/ledger/values.js';
import { ReportNotMade } from '../../../application/payments/balance-gateway.js';
import { PaymentGatewayUnavailable } from '../../../application/payments/payment-gateway.js';
import { unobserved } from '../../../application/shared/outgoing-calls.js';
import type { StripeOptions } from './stripe-client.js';
import { ask, refusalIn, refusedAs } from './stripe-errors.js';

const SAME_COLUMNS = ['currency', 'gross', 'fee', 'net', 'reporting_category'];
/** Stripe reports payouts to our bank apart from other movements. The columns have the same order in both files. */
const COLUMNS = {
  'balance_change_from_activity.itemized.3': [
    'balance_transaction_id',
    'created_utc',
    ...SAME_COLUMNS,
    'source_id',
    'charge_id',
    'invoice_id',
  ],
  'payouts.itemized.3': ['balance_transaction_id', 'effective_at_utc', ...SAME_COLUMNS, 'payout_id'],
};
const DOWNLOAD_LIMIT_MS = 60_000;

const notMade = refusedAs(({ message }) => new ReportNotMade(message));

export async function reportableUntil(stripe: Stripe): Promise<Date> {
  const ends = await Promise.all(
    Object.keys(COLUMNS).map(async (type) => {
      const found = await ask(() => stripe.reporting.reportTypes.retrieve(type)).catch(notMade);
      return found.data_available_end;
    }),
  );
  return new Date(Math.min(...ends) * 1000);
}

export const requestReport = (
  stripe: Stripe,
  { from, to }: { from: Date; to: Date },
  key: string,
): Promise<string[]> =>
  Promise.all(
    Object.entries(COLUMNS).map(async ([report_type, columns]) => {
      const parameters = {
        interval_start: from.getTime() / 1000,
        interval_end: to.getTime() / 1000,
        columns,
      };
      const options = { idempotencyKey: `${key}-${report_type}` };
      const run = await ask(() =>
        stripe.reporting.reportRuns.create({ report_type, parameters }, options),
      ).catch(notMade);
      return run.id;
    }),
  );

/**
 * Calls each endpoint that the reports need, without requesting a report: Stripe checks the permission before it refuses
 * the empty period. @throws StripePermissionError
 */
export async function tryReports(stripe: Stripe): Promise<void> {
  const [report_type = ''] = Object.keys(COLUMNS);
  await stripe.reporting.reportTypes.retrieve(report_type);
  await stripe.reporting.reportRuns.list({ limit: 1 });
  await stripe.files.list({ purpose: 'finance_report_run', limit: 1 });
  const parameters = { interval_start: 0, interval_end: 0 };
  await stripe.reporting.reportRuns.create({ report_type, parameters }).catch((error: unknown) => {
    if (!refusalIn(error)) throw error;
  });
}

export async function readReport(
  stripe: Stripe,
  options: StripeOptions,
  ids: readonly string[],
): Promise<string | undefined> {
  const runs = await Promise.all(
    ids.map((id) => ask(() => stripe.reporting.reportRuns.retrieve(id)).catch(notMade)),
  );
  const failed = runs.find(({ status }) => status === 'failed');
  if (failed) throw new ReportNotMade(failed.error ?? 'Stripe gives no reason');
  const files = runs.flatMap(({ result }) => result?.id ?? []);
  if (files.length < runs.length) return undefined;
  const [first = '', ...others] = await Promise.all(files.map((id) => download(options, id)));
  return [first.trimEnd(), ...others.map((text) => text.slice(text.indexOf('\n') + 1).trimEnd())].join('\n');
}

/** The SDK does not download files. The address is ours and not the one in the answer, because we send the key to it. */
async function download({ secretKey, apiBase, observe = unobserved }: StripeOptions, id: string) {
  const url = `${(apiBase ?? 'https://files.stripe.com').replace(/\/$/, '')}/v1/files/${id}/contents`;
  try {
    const response = await observe(
      'GET /v1/files/:id/contents',
      () =>
        fetch(url, {
          headers: { authorization: `Bearer ${secretKey}` },
          redirect: 'error',
          signal: AbortSignal.timeout(DOWNLOAD_LIMIT_MS),
        }),
      (answer) => (answer as { status?: number }).status,
    );
    if (!response.ok) throw new Error(`the download answers ${response.status}`);
    return await textOf(response);
  } catch (error) {
    if (error instanceof ReportNotMade) throw error;
    throw new PaymentGatewayUnavailable('Stripe: the report could not be downloaded', { cause: error });
  }
}

async function textOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > REPORT_LIMIT_BYTES)
      throw new ReportNotMade('The report is too large. Upload the reports of shorter periods.');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
