import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { erasePerson, exportPerson } from '../../adapters/accounts/erase-personal-data.js';
import { WeeklyMails } from '../../application/library/weekly-mail.js';
import { recordPack, type SampleFacts } from '../support/catalogue.js';
import type { HttpClient } from '../support/http-client.js';
import { startPublishingApp, type PublishingApp } from '../support/publishing.js';

interface Sent {
  to: string;
  subject: string;
  text: string;
  links: string[];
  headers: Record<string, string> | null;
}

const DAY_MS = 86_400_000;
let test: PublishingApp;
let mira: HttpClient;
let juno: HttpClient;
let ada: HttpClient;
let handle: string;

beforeAll(async () => {
  test = await startPublishingApp();
  mira = await test.creator('mira@example.com');
  juno = await test.creator('juno@example.com');
  handle = (await mira.get('/api/creator/profile')).body.username;
});
afterAll(async () => test?.close());
beforeEach(async () => {
  ada = await test.signedUp();
  await confirmed(ada);
});

const mails = async (to: string): Promise<Sent[]> =>
  (await test.browser().get('/dev/mailbox?format=json')).body.filter((mail: Sent) => mail.to === to);
const weekly = async (to = ada): Promise<Sent[]> =>
  (await mails(to.email)).filter(({ subject }) => subject.startsWith('New this week'));
async function confirmed(client: HttpClient): Promise<void> {
  const [mail] = await mails(client.email);
  const token = new URL(mail?.links[0] as string).searchParams.get('verify');
  expect((await client.post('/api/auth/verify-email', { token })).status).toBe(204);
}
const choose = (client: HttpClient, weeklyMail: boolean) => client.put('/api/notifications', { weeklyMail });
const afterDays = async (days: number): Promise<void> => {
  test.clock.advance(days * DAY_MS);
  await test.app.get(WeeklyMails, { strict: false }).run();
};
let packs = 0;
/** Publishes a pack now. @returns the ids of its samples */
async function publish(creator: HttpClient, samples: SampleFacts[], name = 'Tapes'): Promise<string[]> {
  const packId = `pack-${(packs += 1)}`;
  const pack = {
    packId,
    creatorId: creator.userId,
    name,
    slug: packId,
    genre: 'Soul',
    mood: 'Dark',
  } as const;
  await recordPack(test.eventStore, pack, samples, { publishedAt: test.clock.now().toISOString() });
  await test.settled();
  return samples.map((_, at) => `${packId}-${at}`);
}
/** Sessions end while the clock runs ahead. */
const signInAgain = (client: HttpClient) =>
  client.post('/api/auth/sign-in', { email: client.email, password: 'a fine pass phrase' });

it('[MAIL-760] is off until it is chosen, and belongs to the account', async () => {
  expect((await ada.get('/api/notifications')).body).toEqual({ weeklyMail: false });
  expect(await choose(ada, true)).toMatchObject({ status: 200, body: { weeklyMail: true } });
  expect((await ada.get('/api/notifications')).body).toEqual({ weeklyMail: true });
  expect((await test.browser().get('/api/notifications')).status).toBe(401);
  const exported = new Map();
  for await (const [heading, value] of exportPerson(test.database.db, ada.userId))
    exported.set(heading, value);
  expect(exported.get('notifications')).toEqual({ weeklyMail: true });
  await erasePerson(test.database.db, ada.userId, test.clock.now());
  const { rowCount } = await test.database.pool.query('select from weekly_mail where user_id = $1', [
    ada.userId,
  ]);
  expect(rowCount).toBe(0);
});

describe('[MAIL-761] the weekly mail', () => {
  it('names new packs of the followed, and new sounds that fit the newest project', async () => {
    await ada.put(`/api/creators/${handle}/follow`);
    await ada.post('/api/projects', { name: 'Old', tempo: 170, key: 'E Major' });
    test.clock.advance(1_000);
    await ada.post('/api/projects', { name: 'Dusk', tempo: 90, key: 'C Minor' });
    await publish(mira, [{ bpm: 90, key: 'C Minor' }], 'Before');
    test.clock.advance(1_000);
    await choose(ada, true);
    test.clock.advance(DAY_MS);
    await publish(mira, [{ title: 'Kick', bpm: 0, key: null }], 'Evil.com/tapes');
    const [fitting] = await publish(juno, [
      { title: 'Felt', bpm: 180, key: 'Eb Major' },
      { title: 'Too fast', bpm: 120, key: 'C Minor' },
      { title: 'Other key', bpm: 90, key: 'D Minor' },
      { title: 'Noise', bpm: 90, key: null },
    ]);
    await afterDays(5.9);
    expect(await weekly()).toEqual([]);
    await afterDays(0.2);
    const [mail, ...others] = await weekly();
    expect(others).toEqual([]);
    expect(mail?.subject).toBe('New this week in 90 BPM, C Minor');
    expect(mail?.text).toContain('Evil com tapes by mira, 1 sample (mira)');
    expect(mail?.text).toContain('In the tempo and key of your project Dusk (90 BPM, C Minor):');
    expect(mail?.text).toContain('Felt by juno, 180 BPM, Eb Major');
    for (const absent of ['Before', 'Too fast', 'Other key', 'Noise'])
      expect(mail?.text).not.toContain(absent);
    expect(mail?.links.map((link) => new URL(link).pathname)).toEqual([
      `/pack/pack-2/${handle}`,
      `/sample/${fitting}`,
      '/mailing-list',
    ]);
    // A mail repeats nothing.
    await afterDays(8);
    expect(await weekly()).toHaveLength(1);
  });

  it('names at most five sounds, two of one creator', async () => {
    await ada.post('/api/projects', { name: 'Dusk', tempo: 90, key: null });
    await choose(ada, true);
    test.clock.advance(1_000);
    const sounds = Array.from({ length: 4 }, (_, at) => ({ title: `Loop ${at}`, bpm: 90 }));
    const third = await test.creator();
    for (const creator of [mira, juno, third]) await publish(creator, sounds);
    await afterDays(7.1);
    const [mail] = await weekly();
    for (const name of ['mira', 'juno'])
      expect(mail?.text.split(`by ${name},`).length).toBeLessThanOrEqual(3);
    expect(mail?.links.filter((link) => link.includes('/sample/'))).toHaveLength(5);
  });

  it('is not sent without news, without a confirmed address, or unasked', async () => {
    const [ben, cleo] = [await test.signedUp(), await test.signedUp()];
    await confirmed(cleo);
    for (const client of [ada, ben, cleo]) await client.put('/api/tags/trap/follow');
    for (const client of [ada, ben]) await choose(client, true);
    await afterDays(7.1);
    expect(await weekly()).toEqual([]);
    for (const client of [ben, cleo]) {
      await signInAgain(client);
      expect((await client.put('/api/tags/soul/follow')).status).toBe(204);
    }
    await publish(mira, [{}]);
    await afterDays(7.1);
    expect([await weekly(), await weekly(ben), await weekly(cleo)]).toEqual([[], [], []]);
  });

  it('comes once a week, however often it is turned on or the job runs', async () => {
    await ada.put('/api/tags/soul/follow');
    await choose(ada, true);
    test.clock.advance(1_000);
    await publish(mira, [{}]);
    await afterDays(7.1);
    expect((await weekly()).map(({ subject }) => subject)).toEqual(['New this week from those you follow']);
    await signInAgain(ada);
    for (const wanted of [false, true]) expect((await choose(ada, wanted)).status).toBe(200);
    test.clock.advance(1_000);
    await publish(mira, [{}]);
    for (const days of [1, 0, 5.5]) await afterDays(days);
    expect(await weekly()).toHaveLength(1);
    await afterDays(1);
    expect(await weekly()).toHaveLength(2);
  });

  it('covers the last week, and not the months in which it was turned off', async () => {
    await ada.put('/api/tags/soul/follow');
    await choose(ada, true);
    await choose(ada, false);
    test.clock.advance(1_000);
    await publish(mira, [{}], 'Long ago');
    test.clock.advance(60 * DAY_MS);
    await publish(mira, [{}], 'Of this week');
    await signInAgain(ada);
    test.clock.advance(1_000);
    expect((await choose(ada, true)).status).toBe(200);
    await afterDays(1);
    const [mail] = await weekly();
    expect(mail?.text).toContain('Of this week');
    expect(mail?.text).not.toContain('Long ago');
  });

  it('[MAIL-762] is stopped by one click in the mail program, or by its link', async () => {
    await ada.put('/api/tags/soul/follow');
    await choose(ada, true);
    test.clock.advance(1_000);
    await publish(mira, [{}]);
    await afterDays(7.1);
    const [mail] = await weekly();
    expect(mail?.headers?.['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click');
    const [, address = ''] = /^<(.+)>$/.exec(mail?.headers?.['List-Unsubscribe'] ?? '') ?? [];
    const { pathname, search, searchParams } = new URL(address);
    await signInAgain(ada);
    const visible = new URL(mail?.links.at(-1) as string);
    expect(visible.searchParams.get('weekly')).toBe(searchParams.get('token'));
    // A mail provider sends a form, from another origin and without a session.
    const click = {
      method: 'POST',
      headers: { origin: 'https://mail.example', 'sec-fetch-site': 'cross-site' },
    };
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const headers = { ...click.headers, 'content-type': type };
      const body = 'List-Unsubscribe=One-Click';
      expect((await fetch(test.url + pathname + search, { ...click, headers, body })).status).toBe(204);
      expect((await ada.get('/api/notifications')).body).toEqual({ weeklyMail: false });
    }
    await choose(ada, true);
    expect((await test.browser().post(pathname + search)).status).toBe(204);
    expect((await ada.get('/api/notifications')).body).toEqual({ weeklyMail: false });
    await choose(ada, true);
    for (const token of [
      'x',
      `${ada.userId}.x`,
      `${mira.userId}.${searchParams.get('token')?.split('.')[1]}`,
    ])
      expect((await test.browser().post(`${pathname}?token=${token}`)).body.code).toBe('TokenInvalid');
    expect((await test.browser().get(pathname + search)).status).toBe(405);
    expect((await ada.get('/api/notifications')).body).toEqual({ weeklyMail: true });
  });
});
