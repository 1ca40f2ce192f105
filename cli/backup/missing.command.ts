import { readFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { purchaseDecider, type PurchaseEvent } from '../../domain/purchases/purchase.js';
import { AccountStore } from '../../application/accounts/account-store.js';
import { EVENT_MAILS, MAIL } from '../../application/mail/outbox.js';
import { SignedHeads } from '../../application/operations/signed-heads.js';
import { BalanceGateway } from '../../application/payments/balance-gateway.js';
import { BalanceTransactions } from '../../application/payments/balance-transactions.js';
import { PaymentGateway } from '../../application/payments/payment-gateway.js';
import { PaymentRecords } from '../../application/payments/payment-records.js';
import { Certificates } from '../../application/purchases/certificates.js';
import { Certificate } from '../../application/purchases/contract.js';
import { inParallel } from '../../application/shared/in-parallel.js';
import { jsonOf } from '../../application/shared/text.js';
import { ObjectSweep } from '../../application/storage/object-sweep.js';
import { StoredJobs } from '../../adapters/platform/jobs/stored-jobs.js';
import type { Print, Tools } from '../tools.js';

type Missing = Awaited<ReturnType<typeof findMissing>>;
type Used = Pick<Tools, 'app' | 'database' | 'eventStore'>;

/**
 * Prints what others have and the restored log lacks: payments, stored files, certificates and signed heads.
 * @param request.since the time of the backup
 * @param request.certificates a folder of certificates (JSON) that buyers sent in
 * @returns false if something is missing
 */
export async function printMissing(
  tools: Used,
  request: { since: Date; certificates?: string; json: boolean },
  print: Print,
): Promise<boolean> {
  const missing = await findMissing(tools, request);
  if (request.json) print(JSON.stringify(missing, null, 2));
  else for (const line of linesOf(missing, request.since)) print(line);
  const lost = missing.certificates.filter(({ state }) => state === 'missing').length;
  return missing.payments.length + missing.movements.length + missing.objects.length + lost === 0;
}

async function findMissing(tools: Used, { since, certificates }: { since: Date; certificates?: string }) {
  const { app, database, eventStore } = tools;
  const { position } = await eventStore.head();
  const [last] = await eventStore.readStored({ after: Math.max(0, position - 1), limit: 1 });
  const { faults } = await app.get(SignedHeads).verify();
  const movements = await app.get(BalanceGateway).listMovements(since);
  const kinds = await new StoredJobs(database).kinds();
  const mails = kinds.filter(({ kind }) => kind === MAIL.name || kind === EVENT_MAILS.name);
  return {
    position,
    lastEventAt: last?.recordedAt.toISOString() ?? null,
    heads: faults.map(({ hour, position: signed }) => ({ hour, position: signed ?? null })),
    payments: await missingPayments(app, since),
    movements: await app.get(BalanceTransactions).unrecorded(movements),
    objects: (await app.get(ObjectSweep).storedSince(since)).map(({ key, sizeBytes, lastModified }) => ({
      key,
      sizeBytes,
      storedAt: lastModified.toISOString(),
    })),
    mailsWaiting: mails.reduce((sum, { waiting }) => sum + waiting, 0),
    certificates: certificates === undefined ? [] : await examineCertificates(tools, resolve(certificates)),
  };
}

async function missingPayments(app: Tools['app'], since: Date) {
  const gateway = app.get(PaymentGateway);
  const paid = await gateway.listPaidInvoices(since);
  const records = app.get(PaymentRecords);
  const settled = await records.settledAmong(paid.map(({ invoiceId }) => invoiceId));
  const found = [];
  for (const { invoiceId, customerId, subscriptionId, paidAt, lines } of paid) {
    if (settled.has(invoiceId)) continue;
    const marked = async () => (await gateway.readSubscription(subscriptionId))?.userId;
    const userId = await records.payerOf(customerId, marked);
    const account = userId === undefined ? undefined : await app.get(AccountStore).findById(userId);
    const usdCents = lines.reduce((sum, line) => sum + line.grossUsdCents - line.discountUsdCents, 0);
    found.push({
      invoiceId,
      customerId,
      email: account?.email ?? null,
      paidAt: paidAt.toISOString(),
      usdCents,
    });
  }
  return found;
}

const READ_AT_ONCE = 8;

/** Compares certificates with the log. A valid signature proves the purchase, even if the log lacks it. */
async function examineCertificates({ app, eventStore: log }: Used, folder: string) {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.json')).toSorted();
  const found: { file: string; state: 'known' | 'missing' | 'invalid'; detail: string }[] = [];
  await inParallel(files, READ_AT_ONCE, async (file) => {
    const parsed = Certificate.safeParse(jsonOf(await readFile(join(folder, file), 'utf8')));
    if (!parsed.success)
      return void found.push({ file, state: 'invalid', detail: 'This is no certificate.' });
    const { id, sample, licensee, issuedAt } = parsed.data;
    const { valid, reason } = await app.get(Certificates).verify(parsed.data);
    const stream = purchaseDecider.streamOf({ buyerId: licensee.id, sampleId: sample.id });
    // Reads the stream, because the list of owned samples leaves out returned purchases.
    const events = await log.readStream<PurchaseEvent>(stream);
    const isKnown = events.some(({ data }) => data.certificateId === id);
    const detail = `${id}: ${sample.title} (${sample.id}) for ${licensee.displayName} (${licensee.id}) at ${issuedAt}`;
    if (!valid) found.push({ file, state: 'invalid', detail: reason });
    else found.push({ file, state: isKnown ? 'known' : 'missing', detail });
  });
  return found.toSorted((a, b) => a.file.localeCompare(b.file));
}

function linesOf(missing: Missing, since: Date): string[] {
  const { position, lastEventAt, heads, payments, movements, objects, mailsWaiting, certificates } = missing;
  const signed = Math.max(0, ...heads.map((head) => head.position ?? 0));
  const lost = signed > position ? `; at least ${signed - position} events are missing` : '';
  const day = since.toISOString().slice(0, 10);
  return [
    `Log: ends with event ${position}${lastEventAt ? ` of ${lastEventAt}` : ''}`,
    `Signed heads: ${heads.length} contradict the log${lost}`,
    ...heads.map((head) => `  ${head.hour}${head.position === null ? '' : `  event ${head.position}`}`),
    `Payments: ${payments.length} at Stripe without an event${payments.length > 0 ? `; \`offcut stripe backfill --since ${day}\` records them` : ''}`,
    ...payments.map(
      (each) =>
        `  ${each.invoiceId}  ${each.paidAt}  ${(each.usdCents / 100).toFixed(2)} USD  ${each.email ?? each.customerId}`,
    ),
    `Movements: ${movements.length} of the balance at Stripe without an event`,
    ...movements.map((id) => `  ${id}`),
    `Objects: ${objects.length} stored since then without an event; copy them before a worker removes them`,
    ...objects.map(({ key, sizeBytes, storedAt }) => `  ${storedAt}  ${sizeBytes} bytes  ${key}`),
    `Mails: ${mailsWaiting} of the backup wait, and may have been sent before. Mails sent since then are only in the log of your mail server.`,
    `Certificates: ${certificates.filter(({ state }) => state === 'missing').length} of ${certificates.length} are signed by this shop and missing in the log`,
    ...certificates.map(({ file, state, detail }) => `  ${state.padEnd(7)}  ${file}  ${detail}`),
  ];
}
