import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { SmtpMailer } from '../../adapters/vendors/smtp/smtp-mailer.js';
import { SystemClock } from '../../application/shared/clock.js';
import { asWritten } from '../../application/shared/text.js';
import { BalanceTransactions } from '../../application/payments/balance-transactions.js';
import { MAPPED_ACCOUNTS } from '../../domain/ledger/account-map.js';
import { clean, openedBy } from '../support/injected.js';
import { hostileTexts, INJECTIONS } from '../support/hostile-texts.js';
import { keyed, type HttpAnswer, type HttpClient } from '../support/http-client.js';
import { MailServer } from '../support/mail-server.js';
import { pull } from '../support/money-back.js';
import { draftPack, upload, wav } from '../support/publishing.js';
import { Visits } from '../support/shop.js';
import { grantRoles } from '../support/staff.js';

const visits = Visits.forTests(async () => ({ AUTO_APPROVE_CREATORS: 'off' }));
const names = INJECTIONS.map(asWritten).filter(({ length }) => length <= 50);
const remarks = hostileTexts(900);
const [claim = '', answer = '', refusal = '', declined = '', refused = ''] = remarks;
const [note = '', because = '', about = ''] = remarks.slice(-3);
const [evidence = ''] = hostileTexts(480);
const [notice = ''] = hostileTexts(4_000);

let admin: HttpClient;
let other: HttpClient;
let teo: HttpClient;
let lio: HttpClient;
let mal: HttpClient;
let item: string;
let complaint: string;
const copies: string[] = [];

const done = (answered: HttpAnswer): HttpAnswer => {
  if (answered.status >= 300) throw new Error(`${answered.status} ${JSON.stringify(answered.body)}`);
  return answered;
};

async function sell(who: HttpClient, bytes: Buffer, name: string): Promise<string> {
  const { id } = await draftPack(who, { name });
  const added = done(await upload(who, `/api/creator/packs/${id}/samples`, { bytes }));
  await who.post(`/api/creator/packs/${id}/publish`);
  return added.body.sample.id as string;
}

beforeAll(async () => {
  const { product } = visits;
  const person = async (at: number) => {
    const client = await product.signedUp();
    done(await client.patch('/api/me', { displayName: names[at] }));
    return client;
  };
  [admin, other, teo, lio, mal] = (await Promise.all([2, 12, 22, 32, 42].map(person))) as [
    HttpClient,
    HttpClient,
    HttpClient,
    HttpClient,
    HttpClient,
  ];
  for (const staff of [admin, other])
    await grantRoles(product.resources.database, staff.userId, 'admin', 'finance');
  for (const applicant of [teo, lio, mal]) done(await applicant.becomeCreator());
  for (const { userId } of [teo, lio])
    done(await admin.post(`/api/admin/creator-applications/${userId}/approve`, {}));
  done(await admin.post(`/api/admin/creator-applications/${mal.userId}/decline`, { reason: declined }));
  await writeAboutCopies();
  await objectToAnAnswer();
  await writeAboutMoney();
  await namePasskeys();
});

/** Writes about two pairs: one waits with the statements of both sides, one is decided. */
async function writeAboutCopies(): Promise<void> {
  for (const text of [claim, because]) {
    const bytes = wav();
    await sell(teo, bytes, names[copies.length + 50] as string);
    const sampleId = await sell(lio, bytes, names[copies.length + 60] as string);
    copies.push(done(await lio.post('/api/creator/copies', { sampleId, kind: 'own work', text })).body.id);
  }
  done(await teo.post(`/api/creator/copies/${copies[0]}/answer`, { text: answer }));
  const decision = { decision: 'refused', reason: refusal };
  done(await admin.post(`/api/admin/copies/${copies[1]}/decide`, decision, keyed()));
}

async function objectToAnAnswer(): Promise<void> {
  const id = await sell(teo, wav(), names[70] as string);
  const said = { kind: 'other', statement: about.slice(0, 1_000), inGoodFaith: true, isTrue: true };
  complaint = done(await lio.post('/api/complaints', { subject: { kind: 'sample', id }, ...said })).body.id;
  const upheld = { decision: 'upheld', measure: 'take down', reason: refused };
  done(await admin.post(`/api/admin/complaints/${complaint}/answer`, upheld, keyed()));
  const objection = { text: notice, inGoodFaith: true };
  done(await teo.post(`/api/complaints/${complaint}/counter-notice`, objection));
}

async function writeAboutMoney(): Promise<void> {
  const { product } = visits;
  await pull(product, 'movement', { type: 'topup', amountUsdCents: 1_500 });
  await product.app.get(BalanceTransactions, { strict: false }).sweep();
  const { items } = done(await admin.get('/api/finance/open-items')).body;
  item = items.find(({ account }: { account: string }) => account === 'suspense').about;
  done(await admin.post('/api/finance/open-items/notes', { account: 'suspense', about: item, note }));
  const entry = { account: 'suspense', about: item, to: 'bank', reason: because, evidence };
  const asked = done(await admin.post('/api/finance/adjusting-entries', entry, keyed()));
  const path = `/api/finance/approvals/${asked.body.id}/decline`;
  done(await other.post(path, { reason: refused }, keyed()));
  done(await admin.post('/api/finance/adjusting-entries', entry, keyed()));
  const accounts = MAPPED_ACCOUNTS.map((account, at) => ({
    account,
    name: names[at % names.length],
    code: (names[at % names.length] as string).slice(0, 10).trim(),
  }));
  done(await admin.put('/api/finance/account-map', { accounts }));
}

async function namePasskeys(): Promise<void> {
  for (const name of names) {
    const id = randomUUID();
    // Inserted, because only a device can create one. People choose its name.
    await visits.product.resources.database.pool.query(
      `insert into passkey (credential_id, user_id, public_key, counter, transports, backed_up, name, created_at)
       values ($1, $2, '', 0, '{}', false, 'Key', now())`,
      [id, lio.userId],
    );
    done(await lio.patch(`/api/me/passkeys/${id}`, { name }));
  }
}

describe('what people and staff write about each other', () => {
  it('[DOOR-39] is shown as it was written: words about copies, counter-notices, reasons, names of passkeys', async () => {
    const own = [
      ['/dashboard', [refusal]],
      ['/settings?tab=security', names],
    ] as const;
    expect(await openedBy(visits, lio, own)).toEqual(clean(own));
    const original = [
      ['/dashboard', []],
      [`/complaint/${complaint}`, [refused, notice]],
    ] as const;
    expect(await openedBy(visits, teo, original)).toEqual(clean(original));
    const applicant = [['/dashboard', [declined]]] as const;
    expect(await openedBy(visits, mal, applicant)).toEqual(clean(applicant));
    const staff = [
      [`/admin/copies?copy=${copies[0]}`, [claim, answer]],
      [`/admin/complaints?complaint=${complaint}`, [notice, refused]],
      ['/admin/audit', [declined, refused]],
      ['/admin/sessions', []],
    ] as const;
    const decided = async (page: Page) => {
      await page.goto('/admin/copies');
      await page
        .getByText(/^Decided/)
        .first()
        .click();
      await page
        .getByText(refusal.split('\n')[0] as string)
        .first()
        .waitFor();
    };
    expect(await openedBy(visits, admin, staff, decided)).toEqual(clean(staff));
  });

  it('[DOOR-40] is shown as it was written on the pages of finance', async () => {
    const pages = [
      ['/finance', []],
      ['/finance/suspense', [note]],
      ['/finance/approvals', [because, evidence]],
      ['/finance/events', []],
      ['/finance/creators', []],
      [`/finance/creators/${teo.userId}`, []],
      ['/finance/reports', []],
      ['/finance/periods', []],
      ['/finance/accounts', []],
      [`/finance/proof/${lio.userId}`, []],
      [`/finance/trace/${encodeURIComponent(item)}`, []],
    ] as const;
    expect(await openedBy(visits, other, pages)).toEqual(clean(pages));
  });

  it('[DOOR-41] is text in mails, which have no other part, and on the page that shows them', async () => {
    const pages = [
      ['/dev/mailbox', [declined, refusal, refused].map((text) => text.split('\n')[0] as string)],
      ['/admin/mails', []],
    ] as const;
    expect(await openedBy(visits, admin, pages)).toEqual(clean(pages));
  });
});

describe('a mail', () => {
  const server = new MailServer();
  afterAll(() => server.stop());

  it('[DOOR-41] has one part of plain text, and one subject of one line, whatever stands in them', async () => {
    const limits = { connectMs: 5_000, greetingMs: 5_000, silenceMs: 5_000 };
    const log = { record: async () => {} } as never;
    const from = 'Offcut <no-reply@offcut.example>';
    const mailer = new SmtpMailer(await server.start(), { from, log, clock: new SystemClock(), limits });
    for (const text of remarks)
      await mailer.deliver({
        to: 'noor@example.com',
        subject: `About ${text}\r\nBcc: all@example.com`,
        text,
        links: [],
      });
    await mailer.close();
    expect(server.mails).toHaveLength(remarks.length);
    for (const [at, mail] of server.mails.entries()) {
      const [head = '', body = ''] = mail.split(/\n\n([\s\S]*)/);
      const fields = head.split(/\n(?![ \t])/).map((field) => field.split(':', 1)[0]?.toLowerCase());
      expect(fields.toSorted()).toEqual([
        'content-transfer-encoding',
        'content-type',
        'date',
        'from',
        'message-id',
        'mime-version',
        'subject',
        'to',
      ]);
      expect(head).toMatch(/^Content-Type: text\/plain; charset=utf-8$/im);
      const sent = /base64/i.test(head) ? Buffer.from(body, 'base64').toString() : unquoted(body);
      expect(sent.replaceAll('\r\n', '\n').trim()).toBe(remarks[at]?.trim());
    }
  });
});

/** Decodes quoted-printable. */
const unquoted = (body: string): string =>
  Buffer.from(
    body
      .replaceAll(/=\r?\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString();
