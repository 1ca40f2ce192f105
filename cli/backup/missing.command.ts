import { readFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { CertificateState } from '../../application/administration/contract.js';
import { FindMissingFacts } from '../../application/administration/missing-facts.js';
import { EVENT_MAILS, MAIL } from '../../application/mail/outbox.js';
import { Certificate } from '../../application/purchases/contract.js';
import { inParallel } from '../../application/shared/in-parallel.js';
import { jsonOf } from '../../application/shared/text.js';
import { ObjectSweep } from '../../application/storage/object-sweep.js';
import { StoredJobs } from '../../adapters/platform/jobs/stored-jobs.js';
import type { Print, Tools } from '../tools.js';

type Missing = Awaited<ReturnType<typeof findMissing>>;
type Used = Pick<Tools, 'app' | 'database'>;

/**
 * Prints what exists elsewhere but not in the log: payments, stored files, sent mails, certificates and signed heads.
 * @param request.since the time of the backup
 * @param request.certificates a folder of certificates (JSON) that buyers sent in
 * @returns false if something is missing that can be recorded or copied
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

async function findMissing(
  { app, database }: Used,
  { since, certificates }: { since: Date; certificates?: string },
) {
  const kinds = await new StoredJobs(database).kinds();
  const mails = kinds.filter(({ kind }) => kind === MAIL.name || kind === EVENT_MAILS.name);
  return {
    ...(await app.get(FindMissingFacts).since(since)),
    objects: (await app.get(ObjectSweep).storedSince(since)).map(({ key, sizeBytes, lastModified }) => ({
      key,
      sizeBytes,
      storedAt: lastModified.toISOString(),
    })),
    mailsWaiting: mails.reduce((sum, { waiting }) => sum + waiting, 0),
    certificates: certificates === undefined ? [] : await examineCertificates(app, resolve(certificates)),
  };
}

const READ_AT_ONCE = 8;

async function examineCertificates(app: Tools['app'], folder: string) {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.json')).toSorted();
  const found: { file: string; state: CertificateState['state']; detail: string }[] = [];
  await inParallel(files, READ_AT_ONCE, async (file) => {
    const parsed = Certificate.safeParse(jsonOf(await readFile(join(folder, file), 'utf8')));
    if (!parsed.success)
      return void found.push({ file, state: 'invalid', detail: 'This is not a certificate.' });
    const { id, sample, licensee, issuedAt } = parsed.data;
    const { state, reason } = await app.get(FindMissingFacts).stateOf(parsed.data);
    const said = `${id}: ${sample.title} (${sample.id}) for ${licensee.displayName} (${licensee.id}) at ${issuedAt}`;
    found.push({ file, state, detail: state === 'invalid' ? reason : said });
  });
  return found.toSorted((a, b) => a.file.localeCompare(b.file));
}

function linesOf(missing: Missing, since: Date): string[] {
  const { position, lastEventAt, heads, payments, movements, objects, mails, mailsWaiting, certificates } =
    missing;
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
    `Mails: ${mails.length} sent since then about events that are gone; the runbook has the text of a mail to these people`,
    ...mails.map(({ sentAt, about, position: event, userId, email }) => {
      const to =
        email ?? (userId === null ? 'an address without an account' : `account ${userId}, which is gone`);
      return `  ${sentAt}  ${about}  event ${event}  ${to}`;
    }),
    `Waiting mails: ${mailsWaiting} of the backup, which may have been sent before`,
    `Certificates: ${certificates.filter(({ state }) => state === 'missing').length} of ${certificates.length} are signed by this shop and missing in the log`,
    ...certificates.map(({ file, state, detail }) => `  ${state.padEnd(7)}  ${file}  ${detail}`),
  ];
}
