import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ComplaintSweep } from '../../application/complaints/complaint-mails.js';
import { keyed, type HttpClient } from '../support/http-client.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { upload, wav } from '../support/publishing.js';
import { listenerWith } from '../support/shop.js';
import { grantRoles } from '../support/staff.js';

let product: TestProduct;
let admin: HttpClient;
let visitor: HttpClient;
let teo: HttpClient;
let handle: string;
let packs = 0;
const SAID = 'This is my recording from 2019, note for note.';
const STATEMENT = { statement: SAID, inGoodFaith: true, isTrue: true };
const REASON = 'We compared both recordings';

interface Sound {
  packId: string;
  slug: string;
  sampleId: string;
  title: string;
}
async function sound(): Promise<Sound> {
  const title = `Sound ${(packs += 1)}`;
  const face = { name: `Pack ${packs}`, genre: 'Soul', mood: 'Chill' };
  const { id: packId, slug } = (await teo.post('/api/creator/packs', face)).body;
  const path = `/api/creator/packs/${packId}/samples`;
  const added = await upload(teo, path, { bytes: wav() }, { meta: { name: title } });
  expect((await teo.post(`/api/creator/packs/${packId}/publish`)).status).toBe(200);
  return { packId, slug, sampleId: added.body.sample.id, title };
}
const about = ({ sampleId }: Sound) => ({ kind: 'sample', id: sampleId });
const complain = (who: HttpClient, subject: object, more: object = {}) =>
  who.post('/api/complaints', { subject, kind: 'misleading', ...STATEMENT, ...more });
async function filed(who: HttpClient, subject: object, more: object = {}): Promise<string> {
  const answer = await complain(who, subject, more);
  expect(answer).toMatchObject({ status: 201, body: { status: 'open' } });
  return answer.body.id;
}
const answer = (id: string, body: object, as = admin) =>
  as.post(`/api/admin/complaints/${id}/answer`, { decision: 'upheld', reason: REASON, ...body }, keyed());
const judge = (id: string, decision: string) =>
  admin.post(`/api/admin/complaints/${id}/answer-counter-notice`, { decision, reason: REASON }, keyed());
const object = (id: string, as = teo) =>
  as.post(`/api/complaints/${id}/counter-notice`, { text: SAID, inGoodFaith: true });
const onSale = async ({ sampleId }: Sound) => (await visitor.get(`/api/samples/${sampleId}`)).status;
const advance = (days: number) => product.resources.stripeSimulator?.advance(days);

interface Mail {
  to: string;
  subject: string;
  text: string;
  links: string[];
}
async function mails(): Promise<Mail[]> {
  const { position } = await product.resources.eventStore.head();
  await product.resources.logSubscriptions.caughtUp(position, 20_000, [
    'carry-out-complaints',
    'complaint-mails',
    'copy-mails',
  ]);
  return (await visitor.get('/dev/mailbox?format=json')).body as Mail[];
}
const addressOf = async (who: HttpClient) => (await who.get('/api/auth/session')).body.user.email as string;
/** The subjects, sorted. Mails that are asked for at almost the same time are sent in any order. */
async function mailsTo(who: HttpClient, { title }: { title: string }): Promise<string[]> {
  const to = await addressOf(who);
  const own = (await mails()).filter((mail) => mail.to === to && mail.subject.includes(`“${title}”`));
  return own.map(({ subject }) => subject).toSorted();
}

beforeAll(async () => {
  product = await startTestProduct();
  visitor = product.browser();
  admin = await product.signedUp();
  await admin.patch('/api/me', { displayName: 'Ines' });
  await grantRoles(product.resources.database, admin.userId, 'admin');
  teo = await product.signedUp();
  await teo.patch('/api/me', { displayName: 'Teo' });
  handle = (await teo.becomeCreator()).body.handle;
});
afterAll(() => product?.stop());

describe('somebody with a session', () => {
  it('[COMP-09] complains of a sound, a pack or a profile that is on offer, in good faith', async () => {
    const one = await sound();
    const lio = await product.signedUp();
    for (const subject of [about(one), { kind: 'pack', id: one.packId }, { kind: 'creator', id: handle }])
      await filed(lio, subject);
    const card = await visitor.get(`/api/complaints/subject?kind=sample&id=${one.sampleId}`);
    expect(card.body).toEqual({
      kind: 'sample',
      id: one.sampleId,
      title: one.title,
      creatorName: 'Teo',
      path: `/pack/${one.slug}/${handle}`,
    });
    expect((await complain(lio, { kind: 'sample', id: 'none' })).body.code).toBe('NotFound');
    for (const bad of [
      { inGoodFaith: false },
      { isTrue: undefined },
      { statement: 'Mine' },
      { kind: 'copyright' },
    ])
      expect((await complain(lio, about(one), bad)).body).toMatchObject({ code: 'InvalidRequest' });
    // Another person cannot see a draft, so they cannot complain about it.
    const draft = (await teo.post('/api/creator/packs', { name: 'Draft', genre: 'Soul', mood: 'Chill' }))
      .body;
    expect((await complain(lio, { kind: 'pack', id: draft.id })).status).toBe(404);
  });

  it('[COMP-10] reads what became of it, and so does its creator; nobody else finds it', async () => {
    const one = await sound();
    const lio = await product.signedUp();
    await lio.patch('/api/me', { displayName: 'Lio Marsh' });
    const id = await filed(lio, about(one), { kind: 'copyright', work: 'Dawn, recorded by me' });
    const path = `/api/complaints/${id}`;
    const mine = (await lio.get(path)).body;
    expect(mine).toMatchObject({ side: 'filed', status: 'open', counter: null });
    expect(mine.said).toContain('Dawn, recorded by me');
    // A rights holder's complaint shows the name; a complaint about misleading content does not.
    expect((await teo.get(path)).body).toMatchObject({ side: 'about', complainantName: 'Lio Marsh' });
    const other = await filed(lio, { kind: 'pack', id: one.packId });
    expect((await teo.get(`/api/complaints/${other}`)).body).toMatchObject({
      said: SAID,
      complainantName: null,
    });
    for (const who of [visitor, await product.signedUp()]) expect((await who.get(path)).status).toBe(404);
    expect((await lio.get('/api/complaints')).body.items).toHaveLength(2);
    expect((await teo.get('/api/complaints')).body.items[0]).toMatchObject({ id: other, side: 'about' });
    expect((await teo.post(`${path}/withdraw`, {})).status).toBe(404);
    expect((await lio.post(`${path}/withdraw`, {})).body).toEqual({ id, status: 'withdrawn' });
    expect((await lio.post(`${path}/withdraw`, {})).status).toBe(409);
    expect(await mailsTo(teo, one)).toContain(`The complaint about “${one.title}” was withdrawn`);
  });

  it('[COMP-11] reports as before, which files a complaint that staff alone read, one at a time', async () => {
    const one = await sound();
    const lio = await product.signedUp();
    const report = { ...about(one), reason: 'offensive', detail: 'Not nice' };
    const answers = [await lio.post('/api/reports', report), await lio.post('/api/reports', report)];
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    const body = answers[0]?.body as { id: string };
    expect(Object.keys(body)).toEqual(['id']);
    expect((await lio.get('/api/complaints')).body.items).toMatchObject([
      { id: body.id, kind: 'other', said: 'Not nice' },
    ]);
    expect((await teo.get('/api/complaints')).body.items.map(({ id }: { id: string }) => id)).not.toContain(
      body.id,
    );
    expect((await teo.get(`/api/complaints/${body.id}`)).status).toBe(404);
    expect(await mailsTo(teo, one)).toEqual([]);
    await answer(body.id, { measure: 'refuse' });
    expect((await teo.get(`/api/complaints/${body.id}`)).body).toMatchObject({
      said: null,
      measure: 'refuse',
    });
  });
});

describe('somebody without a session', () => {
  const contact = () => ({ name: 'Zora Quint', email: `zora-${randomUUID()}@example.com` });

  it('[COMP-12] is asked by mail to confirm, once; until then nobody sees it, and nothing tells who has an account', async () => {
    const one = await sound();
    const who = contact();
    for (const missing of [{}, { name: who.name }, { email: who.email }])
      expect((await complain(visitor, about(one), missing)).body.code).toBe('InvalidRequest');
    const asked = await complain(visitor, about(one), who);
    expect(asked).toMatchObject({ status: 201, body: { status: 'unconfirmed' } });
    const known = await complain(visitor, about(one), { ...who, email: await addressOf(admin) });
    expect({ ...known.body, id: '' }).toEqual({ ...asked.body, id: '' });
    const { id } = asked.body;
    const path = `/api/complaints/${id}`;
    expect((await admin.get(`/api/admin/complaints/${id}`)).status).toBe(404);
    expect((await teo.get(path)).status).toBe(404);
    const letter = (await mails()).find(({ to }) => to === who.email) as Mail;
    expect(letter.subject).toBe(`Confirm your complaint about “${one.title}”`);
    const link = new URL(letter.links[0] as string);
    expect(link.pathname).toBe(`/complaint/${id}`);
    const confirm = link.searchParams.get('confirm') as string;
    expect((await visitor.get(`${path}?token=${confirm}`)).status).toBe(404);
    expect((await visitor.post(`${path}/confirm`, { token: 'x'.repeat(43) })).status).toBe(410);
    const { token } = (await visitor.post(`${path}/confirm`, { token: confirm })).body;
    expect((await visitor.post(`${path}/confirm`, { token: confirm })).body.code).toBe('TokenInvalid');
    expect((await visitor.get(`${path}?token=${token}`)).body).toMatchObject({
      status: 'open',
      side: 'filed',
    });
    expect((await visitor.get(path)).status).toBe(404);
    expect((await admin.get(`/api/admin/complaints/${id}`)).body.complainant).toMatchObject({
      ...who,
      filed: 1,
      userId: null,
    });
    await answer(id, { decision: 'rejected' });
    const answered = (await mails()).filter(({ to }) => to === who.email);
    const subjects = [
      letter.subject,
      `We have your complaint about “${one.title}”`,
      `Your complaint about “${one.title}” was answered`,
    ];
    expect(answered.map(({ subject }) => subject).toSorted()).toEqual(subjects.toSorted());
    const last = answered.find(({ subject }) => subject === subjects[2]);
    expect(last?.links[0]).toContain(`?token=${token}`);
  });

  it('[COMP-13, COMP-30] gets few mails an hour, whoever asks for them, and sends few complaints', async () => {
    const few = await startTestProduct({ RATE_LIMIT_SCALE: '1' });
    try {
      const client = await few.signedUp();
      const { handle: id } = (await client.becomeCreator()).body;
      const codes = [];
      for (let times = 0; times < 7; times += 1)
        codes.push((await complain(few.browser(), { kind: 'creator', id }, contact())).status);
      expect(codes).toEqual(Array(7).fill(201));
      const who = contact();
      const same = [];
      for (let times = 0; times < 7; times += 1)
        same.push((await complain(few.browser(), { kind: 'creator', id }, who)).status);
      expect(same.filter((status) => status === 201).length).toBeLessThanOrEqual(5);
      expect(same.at(-1)).toBe(429);
      // Twenty an hour from one IP address, under any name. Refused complaints do not count.
      for (let times = 12; times < 20; times += 1)
        expect((await complain(few.browser(), { kind: 'creator', id }, contact())).status).toBe(201);
      const late = await complain(few.browser(), { kind: 'creator', id }, contact());
      expect(late).toMatchObject({ status: 429, body: { code: 'TooManyRequests' } });
      expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0);
    } finally {
      await few.stop();
    }
  });

  it('[COMP-14] is forgotten with a complaint that nobody confirmed for a week', async () => {
    const one = await sound();
    const who = contact();
    const { id } = (await complain(visitor, about(one), who)).body;
    const link = (await mails()).find(({ to }) => to === who.email)?.links[0] as string;
    await advance(8);
    await product.app.get(ComplaintSweep, { strict: false }).run();
    const token = new URL(link).searchParams.get('confirm');
    expect((await visitor.post(`/api/complaints/${id}/confirm`, { token })).status).toBe(410);
    const { rows } = await product.resources.database.pool.query(
      'select email from complaint_contact where complaint_id = $1',
      [id],
    );
    expect(rows).toEqual([]);
  });
});

describe('an answer', () => {
  it('[COMP-15] holds a sound meanwhile, and lets it go; both sides are told of every change', async () => {
    const one = await sound();
    const lio = await product.signedUp();
    const id = await filed(lio, about(one));
    expect((await admin.post(`/api/admin/complaints/${id}/hold`, undefined, keyed())).status).toBe(200);
    expect(await onSale(one)).toBe(404);
    expect((await answer(id, { decision: 'rejected' })).body).toEqual({ id, status: 'rejected' });
    expect(await onSale(one)).toBe(200);
    expect(await mailsTo(lio, one)).toEqual(
      [
        `We have your complaint about “${one.title}”`,
        `Your complaint about “${one.title}” was answered`,
      ].toSorted(),
    );
    expect(await mailsTo(teo, one)).toEqual(
      [
        `We received a complaint about “${one.title}”`,
        `“${one.title}” waits for an answer to a complaint`,
        `A complaint about “${one.title}” was answered`,
      ].toSorted(),
    );
  });

  it('[COMP-16] takes down with a strike; a counter-notice brings it back, and the strike goes', async () => {
    const one = await sound();
    const lio = await product.signedUp();
    const buyer = await listenerWith(product, 5);
    await buyer.post('/api/downloads', { sampleId: one.sampleId, expectedCredits: 1 }, keyed());
    const id = await filed(lio, about(one), { kind: 'copyright', work: 'Dawn' });
    const path = `/api/admin/complaints/${id}`;
    const { creator, licences } = (await admin.get(path)).body;
    expect({ strikes: creator.strikes, licences }).toEqual({ strikes: 0, licences: 1 });
    const taking = { measure: 'take down', isStrike: true };
    const preview = await admin.post(`${path}/preview`, { decision: 'upheld', reason: REASON, ...taking });
    expect((await answer(id, taking)).body).toEqual({ id, status: 'upheld' });
    const gone = await visitor.get(`/api/samples/${one.sampleId}`);
    expect(gone).toMatchObject({ status: 410, body: { code: 'TakenDown' } });
    expect(gone.body.detail).toMatch(/^Taken down after a complaint about copyright, \d+ \w+ \d{4}\.$/);
    expect((await buyer.get('/api/credits')).body.balance).toBe(5);
    expect((await admin.get(path)).body.creator.strikes).toBe(1);
    // The mail contains what the preview showed.
    const sent = (await mails()).filter(({ subject }) => subject === preview.body.creator.subject);
    for (const line of preview.body.creator.lines) expect(sent[0]?.text).toContain(line);
    expect(preview.body.creator.lines.join(' ')).toContain('you can object until');
    expect((await object(id, lio)).status).toBe(404);
    expect((await object(id)).status).toBe(201);
    expect((await object(id)).body.code).toBe('CounterNoticeClosed');
    expect((await admin.get('/api/admin/complaints')).body.items).toContainEqual(
      expect.objectContaining({ id, isCounterNotice: true }),
    );
    expect((await lio.get(`/api/complaints/${id}`)).body.counter).toMatchObject({
      status: 'open',
      said: null,
    });
    expect((await judge(id, 'restored')).body).toEqual({ id, decision: 'restored' });
    expect(await onSale(one)).toBe(200);
    expect((await admin.get(path)).body.creator.strikes).toBe(0);
    expect(await mailsTo(lio, one)).toEqual(
      [
        `We have your complaint about “${one.title}”`,
        `Your complaint about “${one.title}” was answered`,
        `The creator objects: “${one.title}”`,
        `“${one.title}” may come back`,
      ].toSorted(),
    );
  });

  it('[COMP-17] is given once, by nobody whose interest it is, and listed among who did what', async () => {
    const one = await sound();
    const lio = await product.signedUp();
    const id = await filed(lio, about(one));
    expect((await answer(id, {}, lio)).status).toBe(403);
    await grantRoles(product.resources.database, lio.userId, 'admin');
    expect((await answer(id, {}, lio)).body.code).toBe('OwnInterest');
    const both = await Promise.all([answer(id, { decision: 'rejected' }), answer(id, { measure: 'refuse' })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const late = both.find(({ status }) => status === 409);
    expect(late?.body).toMatchObject({ code: 'AlreadyDecided', by: 'Ines' });
    expect(
      (await answer(await filed(lio, { kind: 'pack', id: one.packId }), { measure: 'refuse' })).body.code,
    ).toBe('MeasureUnfit');
    const acts = (await admin.get('/api/admin/audit?kind=complaint&limit=100')).body.items;
    expect(acts.length).toBeGreaterThan(0);
  });

  it('[COMP-18, COMP-31] that is late comes first and is told every day; after a year nobody has to object', async () => {
    const one = await sound();
    const id = await filed(await product.signedUp(), about(one));
    const sweep = product.app.get(ComplaintSweep, { strict: false });
    const told = async () => {
      const to = await addressOf(admin);
      return (await mails()).filter((mail) => mail.to === to && mail.subject.endsWith('overdue')).length;
    };
    await advance(12);
    const before = await told();
    await sweep.run();
    await sweep.run();
    expect(await told()).toBe(before + 1);
    expect((await admin.get('/api/admin/complaints/counts')).body.overdue).toBeGreaterThan(0);
    const [first] = (await admin.get('/api/admin/complaints?limit=1')).body.items;
    expect(first.isOverdue).toBe(true);
    const figures = await (await fetch(`${product.url}/metrics`)).text();
    expect(figures).toMatch(/^complaints_overdue [1-9]/m);
    expect(figures).toMatch(/^complaints_waiting [1-9]/m);
    await answer(id, { measure: 'refuse' });
    await advance(21);
    expect((await object(id)).body.code).toBe('CounterNoticeClosed');
  });
});

it('[COMP-22, COMP-34] the address of a pack that was taken down says after which complaint and when, and no more', async () => {
  const [complained, decided] = [await sound(), await sound()];
  const id = await filed(
    await product.signedUp(),
    { kind: 'pack', id: complained.packId },
    { kind: 'privacy' },
  );
  expect((await admin.get(`/api/admin/complaints/${id}`)).body.previews).toEqual([
    { title: complained.title, url: expect.stringMatching(/^\/media\/previews\//) },
  ]);
  await answer(id, { measure: 'take down' });
  await admin.post('/api/admin/takedowns', { packId: decided.packId, reason: REASON });
  const of = async ({ slug }: Sound) => visitor.get(`/api/packs/${handle}/${slug}`);
  expect((await of(complained)).body.detail).toMatch(/^Taken down after a complaint about privacy, /);
  expect(await of(decided)).toMatchObject({ status: 410, body: { code: 'TakenDown' } });
  expect((await of(decided)).body.detail ?? '').not.toContain('complaint');
  expect((await object(id)).status).toBe(201);
  // A pack that was taken down does not return by itself.
  await judge(id, 'restored');
  expect((await of(complained)).status).toBe(410);
});

it('[COMP-19] who complains without any reason is barred, by session and by address, and admitted again', async () => {
  const one = await sound();
  const lio = await product.signedUp();
  const id = await filed(lio, about(one));
  const bar = (isBarred: boolean, as = admin) =>
    as.post(`/api/admin/complaints/${id}/bar`, { isBarred, reason: REASON });
  expect((await bar(true, lio)).status).toBe(403);
  expect((await bar(true)).body).toEqual({ id, isBarred: true });
  expect((await complain(lio, about(one))).body.code).toBe('ComplaintsBarred');
  expect((await lio.post('/api/reports', { ...about(one), reason: 'other' })).status).toBe(201);
  expect((await admin.get(`/api/admin/complaints/${id}`)).body.complainant.isBarred).toBe(true);
  await bar(false);
  await filed(lio, about(one));
});

it('[COMP-19] who complains without a session is barred by their address, however it is written', async () => {
  const one = await sound();
  const email = `zora-${randomUUID()}@example.com`;
  const as = (address: string) => complain(visitor, about(one), { name: 'Zora Quint', email: address });
  const { id } = (await as(email)).body;
  const letter = (await mails()).find(({ to }) => to === email) as Mail;
  const token = new URL(letter.links[0] as string).searchParams.get('confirm');
  expect((await visitor.post(`/api/complaints/${id}/confirm`, { token })).status).toBe(200);
  const bar = (isBarred: boolean) =>
    admin.post(`/api/admin/complaints/${id}/bar`, { isBarred, reason: REASON });
  expect((await bar(true)).body).toEqual({ id, isBarred: true });
  for (const address of [email, email.toUpperCase()])
    expect(await as(address)).toMatchObject({ status: 403, body: { code: 'ComplaintsBarred' } });
  expect((await as(`other-${email}`)).status).toBe(201);
  await bar(false);
  expect((await as(email)).status).toBe(201);
});

it('[COMP-20] everybody reads how many complaints there were, and no names', async () => {
  const { years } = (await visitor.get('/api/transparency')).body;
  const rows = years.flatMap((year: { rows: Record<string, number>[] }) => year.rows);
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(years)).not.toContain('Teo');
  const of = (key: string) =>
    rows.reduce((sum: number, row: Record<string, number>) => sum + (row[key] ?? 0), 0);
  expect(of('filed')).toBe(of('upheld') + of('partly') + of('rejected') + of('withdrawn') + of('waiting'));
  expect(years.some(({ takenDown }: { takenDown: number }) => takenDown > 0)).toBe(true);
});

it('[COMP-21] a person reads their complaints among their data, and they are forgotten with them', async () => {
  const one = await sound();
  const lio = await product.signedUp();
  const email = await addressOf(lio);
  const words = 'Nobody but Orla Fenn has sung this line, ever.';
  const contact = { name: 'Orla Fenn', email, statement: words };
  const visiting = (await complain(visitor, about(one), contact)).body.id;
  const id = await filed(lio, about(one), { statement: words });
  const data = (await lio.get('/api/me/export')).body;
  expect(data.complaints.map((each: { id: string }) => each.id)).toContain(id);
  expect((await lio.delete('/api/me')).status).toBe(204);
  const { rows } = await product.resources.database.pool.query(
    `select text from remark where text like '%Orla Fenn%'
     union all select name from complaint_contact where complaint_id = $1
     union all select data::text from event where data::text like '%Orla%' or data::text like '%' || $2 || '%'`,
    [visiting, email],
  );
  expect(rows).toEqual([]);
  expect((await admin.get(`/api/admin/complaints/${id}`)).body).toMatchObject({
    said: null,
    complainant: { name: 'Former member', email: null },
  });
});
