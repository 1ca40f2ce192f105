import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { CopyMails } from '../../application/publishing/suspicions/copy-mails.js';
import { SuspectCopy, type SuspectedPair } from '../../application/publishing/suspicions/suspect-copy.js';
import { keyed, type HttpClient } from '../support/http-client.js';
import { allowLog } from '../support/log.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { upload, wav } from '../support/publishing.js';
import { listenerWith } from '../support/shop.js';
import { grantRoles } from '../support/staff.js';

let product: TestProduct;
let admin: HttpClient;
let visitor: HttpClient;
let teo: HttpClient;
let lio: HttpClient;
let packs = 0;
/** The number of the test, because two creators cannot have the same name. */
let round = 0;

interface Made {
  client: HttpClient;
  packId: string;
  sampleId: string;
  title: string;
}

async function creator(name: string): Promise<HttpClient> {
  const client = await product.signedUp();
  await client.patch('/api/me', { displayName: `${name} ${round}` });
  await client.becomeCreator();
  return client;
}
/** Creates a pack with one sound. */
async function packWith(client: HttpClient, bytes: Buffer, { publish = true } = {}): Promise<Made> {
  const title = `Sound ${(packs += 1)}`;
  const face = { name: `Pack ${packs}`, genre: 'Soul', mood: 'Chill' };
  const packId = (await client.post('/api/creator/packs', face)).body.id as string;
  const sampleId = await add(client, packId, bytes, title);
  if (publish) expect((await publishing({ client, packId })).status).toBe(200);
  return { client, packId, sampleId, title };
}
async function add(client: HttpClient, packId: string, bytes: Buffer, name: string): Promise<string> {
  const added = await upload(client, `/api/creator/packs/${packId}/samples`, { bytes }, { meta: { name } });
  return added.body.sample.id as string;
}
const publishing = ({ client, packId }: Pick<Made, 'client' | 'packId'>) =>
  client.post(`/api/creator/packs/${packId}/publish`);
const suspect = (pair: SuspectedPair) =>
  product.app.get(CommandBus, { strict: false }).execute(new SuspectCopy(pair));
const pairOf = (sound: Made, like: Made, more: Partial<SuspectedPair> = {}): SuspectedPair => {
  const side = ({ sampleId, packId, client }: Made) => ({
    sampleId,
    packId,
    creatorId: client.userId,
    audioVersion: 1,
    sha256: 'f'.repeat(64),
  });
  return {
    sound: side(sound),
    like: side(like),
    by: 'fingerprint',
    tier: 'held',
    score: 97,
    frames: { agree: 118, of: 122 },
    stretch: { fromMs: 0, toMs: 500, likeFromMs: 40, likeToMs: 540 },
    offsetMs: 40,
    speed: 1,
    pitchCents: 0,
    ...more,
  };
};
const advance = (days: number) => product.resources.stripeSimulator?.advance(days);
const idOf = ({ sampleId }: Made) => `${sampleId}-1`;
const read = (made: Made, as = admin) => as.get(`/api/admin/copies/${idOf(made)}`);
const decide = (made: Made, body: object, as = admin) =>
  as.post(`/api/admin/copies/${idOf(made)}/decide`, body, keyed());
const takeDown = (made: Made, as = admin) =>
  as.post(`/api/admin/copies/${idOf(made)}/take-down`, { reason: 'It is Teo’s' }, keyed());
const own = async (client: HttpClient) => (await client.get('/api/creator/copies')).body.items;
const sampleOf = async ({ client, packId, sampleId }: Made) =>
  (await client.get(`/api/creator/packs/${packId}`)).body.samples.find(
    ({ id }: { id: string }) => id === sampleId,
  );
const isOnSale = async ({ sampleId }: Made) => (await visitor.get(`/api/samples/${sampleId}`)).status === 200;
const buy = (client: HttpClient, { sampleId }: Made) =>
  client.post('/api/downloads', { sampleId, expectedCredits: 1 }, keyed());
async function settled() {
  const { position } = await product.resources.eventStore.head();
  await product.resources.logSubscriptions.caughtUp(position, 20_000, ['carry-out-copies', 'copy-mails']);
}
async function mailsTo(client: HttpClient): Promise<string[]> {
  await settled();
  const { email } = (await client.get('/api/auth/session')).body.user;
  const all = (await visitor.get('/dev/mailbox?format=json')).body as { to: string; subject: string }[];
  return all.filter(({ to }) => to === email).map(({ subject }) => subject);
}

beforeAll(async () => {
  product = await startTestProduct();
  visitor = product.browser();
  admin = await product.signedUp();
  await admin.patch('/api/me', { displayName: 'Ines' });
  await grantRoles(product.resources.database, admin.userId, 'admin');
});
afterAll(() => product?.stop());
beforeEach(async () => {
  round += 1;
  [teo, lio] = [await creator('Teo'), await creator('Lio')];
});

describe('a recording that another creator published first', () => {
  it('[COPY-35, COPY-50] is held once its creator says that it is theirs, and sold once that is allowed', async () => {
    const bytes = wav();
    const first = await packWith(teo, bytes);
    const mine = await packWith(lio, bytes, { publish: false });
    expect((await publishing(mine)).body.code).toBe('DuplicateAudio');
    const claim = { sampleId: mine.sampleId, kind: 'own work', text: 'We made it together' };
    for (const [who, status] of [
      [visitor, 401],
      [teo, 404],
    ] as const)
      expect((await who.post('/api/creator/copies', claim)).status).toBe(status);
    const claimed = await lio.post('/api/creator/copies', claim);
    expect(claimed).toMatchObject({ status: 201, body: { id: idOf(mine), status: 'open' } });
    expect((await publishing(mine)).body).toMatchObject({
      code: 'DuplicateSuspected',
      sampleId: mine.sampleId,
      name: mine.title,
    });
    // Each side sees its own sound, and the other side's only if it is on sale.
    expect(await own(lio)).toMatchObject([
      {
        side: 'newcomer',
        isHeld: true,
        said: 'We made it together',
        sample: { id: mine.sampleId },
        other: { title: first.title, creatorName: `Teo ${round}` },
      },
    ]);
    expect(await own(teo)).toMatchObject([{ side: 'original', said: null, other: null }]);
    const words = JSON.stringify(await own(teo));
    for (const secret of [mine.title, mine.sampleId + '"', lio.userId, 'together'])
      expect(words).not.toContain(secret);
    expect((await read(mine)).body).toMatchObject({
      by: 'hash',
      score: 100,
      statement: { kind: 'own work', text: 'We made it together' },
      newcomer: { title: mine.title, place: 'held', creatorName: `Lio ${round}` },
      original: { title: first.title, place: 'on sale' },
    });
    // After the decision, the pending mail is not sent.
    expect(await mailsTo(admin)).toContain(`A creator says that “${mine.title}” is theirs to sell`);
    // A decision takes one click, without reason or password.
    expect((await decide(mine, { decision: 'allowed' })).body).toEqual({ id: idOf(mine), status: 'allowed' });
    const { position } = await product.resources.eventStore.head();
    await product.resources.logSubscriptions.caughtUp(position, 20_000, ['staff-acts']);
    expect((await admin.get('/api/admin/audit?kind=copy')).body.items[0]).toMatchObject({
      did: 'alone',
      byName: 'Ines',
      subject: 'allowed',
      beneficiaryName: `Lio ${round}`,
    });
    const exported = (await lio.get('/api/me/export')).body.remarks as { text: string }[];
    expect(exported.map(({ text }) => text)).toContain('We made it together');
    expect((await publishing(mine)).status).toBe(200);
    expect(await isOnSale(mine)).toBe(true);
    expect(await mailsTo(lio)).toEqual(
      expect.arrayContaining([`“${mine.title}” waits for a decision`, `“${mine.title}” may be sold`]),
    );
    expect(await mailsTo(teo)).toContain(`Something sounds like “${first.title}”`);
  });
});

describe('two sounds that are alike', () => {
  it('[COPY-36] the later one is held whichever was looked at, and leaves the shop at once', async () => {
    const original = await packWith(teo, wav());
    const copy = await packWith(lio, wav());
    await suspect(pairOf(original, copy, { speed: 1.02, pitchCents: 34 }));
    expect(await isOnSale(copy)).toBe(false);
    expect(await isOnSale(original)).toBe(true);
    expect(await sampleOf(copy)).toMatchObject({ status: 'held' });
    expect((await read(copy)).body).toMatchObject({
      offsetMs: -40,
      speed: 0.98,
      pitchCents: -34,
      stretch: { fromMs: 40, likeFromMs: 0 },
      newcomer: { sampleId: copy.sampleId },
    });
    const list = (await admin.get('/api/admin/copies')).body.items;
    expect(list).toContainEqual(expect.objectContaining({ id: idOf(copy), title: copy.title }));
  });

  it('[COPY-36] stay on sale when they are listed, and nobody is told of it but administrators', async () => {
    const original = await packWith(teo, wav());
    const listed = await packWith(lio, wav());
    await suspect(pairOf(listed, original, { tier: 'listed', score: 66 }));
    expect(await isOnSale(listed)).toBe(true);
    expect(await own(teo)).toEqual([]);
    await decide(listed, { decision: 'allowed' });
    expect(await mailsTo(teo)).not.toContain(`We decided about a sound that resembles “${original.title}”`);
  });

  it('[COPY-37] are not told again once both may stay, from neither side, nor others of the two', async () => {
    const original = await packWith(teo, wav());
    const copy = await packWith(lio, wav());
    await suspect(pairOf(copy, original));
    await decide(copy, { decision: 'allowed', andOthers: true });
    expect(await isOnSale(copy)).toBe(true);
    await suspect(pairOf(copy, original));
    await suspect(pairOf(original, copy));
    const others = await packWith(lio, wav());
    await suspect(pairOf(others, original));
    expect(await Promise.all([copy, others].map(isOnSale))).toEqual([true, true]);
    expect((await read(others)).status).toBe(404);
    // A person's own two sounds are no suspicion, and neither is a copy of a draft, which no other person
    // could have heard.
    const mine = await packWith(teo, wav());
    await suspect(pairOf(mine, original));
    expect(await isOnSale(mine)).toBe(true);
    const mo = await creator('Mo');
    const draft = await packWith(mo, wav(), { publish: false });
    const later = await packWith(teo, wav(), { publish: false });
    await suspect(pairOf(later, draft));
    expect((await read(later)).status).toBe(404);
  });

  it('[COPY-37] the closest of several is shown, and the decision is about all', async () => {
    const [one, other] = [await packWith(teo, wav()), await packWith(await creator('Mo'), wav())];
    const copy = await packWith(lio, wav());
    await suspect(pairOf(copy, one, { score: 80 }));
    await suspect(pairOf(copy, other, { score: 95 }));
    expect((await read(copy)).body).toMatchObject({
      score: 95,
      original: { title: other.title },
      alsoLike: [one.title],
    });
    expect((await decide(copy, { decision: 'allowed' }, teo)).status).toBe(403);
    await decide(copy, { decision: 'allowed' });
    expect(await isOnSale(copy)).toBe(true);
  });

  it('[COPY-38] a refused one stays with its creator, who reads why; licences stand', async () => {
    const original = await packWith(teo, wav());
    const copy = await packWith(lio, wav());
    const buyer = await listenerWith(product, 5);
    expect((await buy(buyer, copy)).status).toBe(201);
    await suspect(pairOf(copy, original));
    expect((await read(copy)).body.consequences.refuse).toContain('The one licence stands.');
    expect((await decide(copy, { decision: 'refused' })).status).toBe(400);
    await decide(copy, { decision: 'refused', reason: 'It loops Teo’s bar' });
    expect(await sampleOf(copy)).toMatchObject({ status: 'refused', statusReason: 'It loops Teo’s bar' });
    expect(await isOnSale(copy)).toBe(false);
    expect((await buy(buyer, copy)).status).toBe(200);
    expect(await own(lio)).toMatchObject([{ status: 'refused', reason: 'It loops Teo’s bar' }]);
    expect(await own(teo)).toMatchObject([{ status: 'refused', reason: null }]);
    expect(await mailsTo(lio)).toContain(`“${copy.title}” was refused`);
  });

  it('[COPY-34] one that is taken down gives credits back and is a strike; the third asks for more', async () => {
    const buyer = await listenerWith(product, 5);
    for (let strike = 1; strike <= 3; strike += 1) {
      const original = await packWith(teo, wav());
      const copy = await packWith(lio, wav());
      await buy(buyer, copy);
      await suspect(pairOf(copy, original));
      const { newcomer, consequences } = (await read(copy)).body;
      expect(newcomer).toMatchObject({ strikes: strike - 1, licences: 1 });
      expect(consequences.takeDown).toContain(`strike ${strike} of 3`);
      expect((await takeDown(copy)).body).toEqual({ id: idOf(copy), status: 'taken down' });
      expect((await buyer.get('/api/credits')).body.balance).toBe(5);
      expect((await visitor.get(`/api/samples/${copy.sampleId}`)).status).toBe(410);
    }
    const strikes = (await mailsTo(admin)).filter((subject) => subject.includes('strikes'));
    expect(strikes).toEqual(['A creator has 3 strikes']);
    const all = (await visitor.get('/dev/mailbox?format=json')).body as {
      subject: string;
      links: string[];
    }[];
    const [link = ''] = all.find(({ subject }) => subject === strikes[0])?.links ?? [];
    expect(
      (await admin.get(`/api/admin/copies/${new URL(link).searchParams.get('copy')}`)).body,
    ).toMatchObject({
      status: 'taken down',
      newcomer: { strikes: 3 },
    });
  });

  it('[COPY-39] lapse with the recording, which may be held anew when it comes back', async () => {
    const original = await packWith(teo, wav());
    const bytes = wav();
    const copy = await packWith(lio, bytes);
    await suspect(pairOf(copy, original));
    const path = `/api/creator/packs/${copy.packId}/samples/${copy.sampleId}`;
    await upload(lio, `${path}/audio`, { bytes: wav() }, { method: 'put' });
    await settled();
    expect((await read(copy)).body).toMatchObject({ status: 'lapsed', newcomer: { place: 'replaced' } });
    expect(await isOnSale(copy)).toBe(true);
    expect((await decide(copy, { decision: 'allowed' })).body).toMatchObject({ state: 'lapsed' });
    await upload(lio, `${path}/audio`, { bytes }, { method: 'put' });
    const third = pairOf(copy, original);
    await suspect({ ...third, sound: { ...third.sound, audioVersion: 3 } });
    expect(await isOnSale(copy)).toBe(false);
    await lio.delete(`/api/creator/packs/${copy.packId}`);
    await settled();
    expect((await admin.get(`/api/admin/copies/${copy.sampleId}-3`)).body.status).toBe('lapsed');
    // A sound that was removed before the report is not suspected.
    const gone = await packWith(lio, wav());
    await lio.delete(`/api/creator/packs/${gone.packId}/samples/${gone.sampleId}`);
    await suspect(pairOf(gone, original));
    expect((await read(gone)).status).toBe(404);
  });

  it('[COPY-40] are decided by one administrator, who is neither’s creator and says who was first', async () => {
    const original = await packWith(teo, wav());
    const copy = await packWith(lio, wav());
    await suspect(pairOf(copy, original));
    await grantRoles(product.resources.database, teo.userId, 'admin');
    expect((await decide(copy, { decision: 'allowed' }, teo)).body.code).toBe('OwnInterest');
    const emil = await product.signedUp();
    await grantRoles(product.resources.database, emil.userId, 'admin');
    const key = keyed();
    const path = `/api/admin/copies/${idOf(copy)}/decide`;
    const both = await Promise.all([
      admin.post(path, { decision: 'refused', reason: 'It is Teo’s' }, key),
      emil.post(path, { decision: 'allowed' }, keyed()),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 409)?.body).toMatchObject({
      code: 'AlreadyDecided',
      by: expect.any(String),
    });
    const again = await admin.post(path, { decision: 'refused', reason: 'It is Teo’s' }, key);
    expect(again.status).toBe(both[0]?.status);
    await settled();
    const status = both[0]?.status === 200 ? 'refused' : 'free';
    expect(await sampleOf(copy)).toMatchObject({ status });
  });

  it('[COPY-51, COPY-53] have their sides swapped, with a reason, where the first to publish was the thief', async () => {
    const original = await packWith(teo, wav());
    const copy = await packWith(lio, wav());
    await suspect(pairOf(copy, original));
    const swap = (as: HttpClient, body: object = { reason: 'Lio sent us the session' }) =>
      as.post(`/api/admin/copies/${idOf(copy)}/swap`, body, keyed());
    expect((await swap(lio)).status).toBe(403);
    expect((await swap(admin, {})).status).toBe(400);
    expect((await swap(admin)).body).toEqual({ id: idOf(original), status: 'open' });
    expect(await isOnSale(copy)).toBe(true);
    expect(await isOnSale(original)).toBe(false);
    expect((await read(original)).body).toMatchObject({
      status: 'open',
      newcomer: { title: original.title },
      original: { title: copy.title },
      offsetMs: -40,
      stretch: { fromMs: 40, toMs: 540, likeFromMs: 0, likeToMs: 500 },
    });
    const decided = (await admin.get('/api/admin/copies?state=decided')).body.items;
    expect(decided[0]).toMatchObject({
      id: idOf(copy),
      status: 'swapped',
      title: copy.title,
      likeTitle: original.title,
      decidedBy: 'Ines',
      decidedAt: expect.any(String),
      reason: 'Lio sent us the session',
    });
    expect((await swap(admin)).body).toMatchObject({ code: 'AlreadyDecided', state: 'swapped', by: 'Ines' });
    // Another report, from either side, is the same pair.
    await suspect(pairOf(copy, original));
    expect((await read(copy)).body.status).toBe('swapped');
    expect(await mailsTo(lio)).toContain(`“${copy.title}” may be sold`);
    expect(await mailsTo(teo)).toContain(`“${original.title}” waits for a decision`);
    expect((await own(lio)).find(({ id }: { id: string }) => id === idOf(copy))).toMatchObject({
      reason: null,
    });
    await decide(original, { decision: 'refused', reason: 'It is Lio’s' });
    expect(await isOnSale(original)).toBe(false);
    const acts = (await admin.get('/api/admin/audit?kind=copy&limit=100')).body.items;
    expect(acts).toContainEqual(expect.objectContaining({ subject: 'swapped', beneficiary: lio.userId }));
  });

  it('[COPY-41] may be heard by administrators, also of drafts, while somebody has to decide', async () => {
    const original = await packWith(teo, wav());
    const draft = await packWith(lio, wav(), { publish: false });
    const preview = (await sampleOf(draft)).previewUrl as string;
    expect((await admin.get(preview)).status).toBe(404);
    await suspect(pairOf(draft, original, { tier: 'listed', score: 66 }));
    expect((await read(draft)).body.newcomer).toMatchObject({ previewUrl: preview, place: 'draft' });
    const heard = async () =>
      (await Promise.all([admin, teo, visitor].map((who) => who.get(preview)))).map(({ status }) => status);
    expect(await heard()).toEqual([200, 404, 404]);
    await decide(draft, { decision: 'allowed' });
    expect(await heard()).toEqual([404, 404, 404]);
  });

  it('[COPY-42] what creators say is read by administrators, and forgotten with them', async () => {
    // Two statements at once are one fact, so the second job retries.
    allowLog(/copy-mails about event \d+ failed .* is under way elsewhere$/);
    const original = await packWith(teo, wav());
    const copy = await packWith(lio, wav());
    await suspect(pairOf(copy, original));
    const path = `/api/creator/copies/${idOf(copy)}`;
    const licence = { kind: 'licence', text: 'Bought from Zora Quint' };
    expect((await teo.post(`${path}/licence`, licence)).status).toBe(404);
    expect((await lio.post(`${path}/answer`, { text: 'Whatever' })).status).toBe(404);
    for (const _ of ['once', 'again']) await lio.post(`${path}/licence`, licence);
    const told = (await mailsTo(admin)).filter((subject) => subject.includes(`“${copy.title}”`));
    expect(told).toEqual([`A creator says that “${copy.title}” is theirs to sell`]);
    await teo.post(`${path}/answer`, { text: 'I never sold it' });
    expect((await read(copy)).body).toMatchObject({
      statement: { kind: 'licence', text: 'Bought from Zora Quint' },
      answer: 'I never sold it',
    });
    await lio.delete('/api/me', { body: { password: 'a fine pass phrase' } } as never);
    const { rows } = await product.resources.database.pool.query(
      `select count(*)::int as count from event where data::text like '%Zora Quint%' or data::text like '%never sold%'`,
    );
    expect(rows).toEqual([{ count: 0 }]);
  });

  it('[COPY-44] are counted by month', async () => {
    const counts = async () => {
      await settled();
      return (await admin.get('/api/admin/copies/counts')).body;
    };
    const before = await counts();
    expect(before.month).toMatch(/^\d{4}-\d\d$/);
    const original = await packWith(teo, wav());
    const copy = await packWith(lio, wav());
    await suspect(pairOf(copy, original));
    await takeDown(copy);
    expect(await counts()).toEqual({ ...before, takenDown: before.takenDown + 1 });
    expect((await admin.get('/api/admin/copies?state=decided&limit=2')).body.items).toHaveLength(2);
    expect((await teo.get('/api/admin/copies/counts')).status).toBe(403);
  });

  it('[COPY-43] stay on sale where they were before anybody looked; what waits two weeks is told every day', async () => {
    const original = await packWith(teo, wav());
    const copy = await packWith(lio, wav());
    await advance(1);
    await suspect(pairOf(copy, original));
    expect(await isOnSale(copy)).toBe(true);
    expect((await read(copy)).body).toMatchObject({ status: 'open', newcomer: { place: 'on sale' } });
    const mails = product.app.get(CopyMails, { strict: false });
    const told = async () => (await mailsTo(admin)).filter((subject) => /waits?$/.test(subject)).length;
    await mails.remind();
    expect(await told()).toBe(0);
    await advance(15);
    await mails.remind();
    await mails.remind();
    expect(await told()).toBe(1);
    await advance(1);
    await mails.remind();
    expect(await told()).toBe(2);
  });
});
