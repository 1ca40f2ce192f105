import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { erasePerson, exportPerson } from '../../adapters/accounts/erase-personal-data.js';
import type { OwnCollection, SharedCollection } from '../../application/library/collections/contract.js';
import { COLLECTION_SAMPLES_LIMIT, COLLECTIONS_LIMIT } from '../../application/library/values.js';
import { recordPack } from '../support/catalogue.js';
import { HttpClient } from '../support/http-client.js';
import { startPublishingApp, type PublishingApp } from '../support/publishing.js';

const OWN = '/api/collections/own';
const SAMPLES = ['a-0', 'a-1', 'a-2', 'a-3'];

let test: PublishingApp;
let mira: HttpClient;

beforeAll(async () => {
  test = await startPublishingApp();
  mira = await test.creator('mira@example.com');
  const titles = ['Alpha', 'Beta', 'Gamma', 'Delta'];
  await recordPack(
    test.eventStore,
    { packId: 'a', creatorId: mira.userId, name: 'Tapes', genre: 'Soul', mood: 'Dark' },
    titles.map((title, at) => ({ title, priceCredits: at + 1 })),
  );
  await recordPack(
    test.eventStore,
    { packId: 'b', creatorId: mira.userId, name: 'Leaves', genre: 'Trap', mood: 'Dark' },
    [{ title: 'Omega', priceCredits: 5 }],
  );
  await recordPack(test.eventStore, { packId: 'draft', creatorId: mira.userId }, [{}], { draft: true });
  await test.settled();
});
afterAll(async () => test?.close());

const created = async (
  client: HttpClient,
  sampleIds: string[] = [],
  name = 'Late finds',
): Promise<string> => {
  const answer = await client.post(OWN, { name, sampleIds });
  expect(answer.status).toBe(201);
  return answer.body.id as string;
};
const read = async (client: HttpClient, id: string): Promise<OwnCollection> =>
  (await client.get(`${OWN}/${id}`)).body;
const idsOf = ({ entries }: OwnCollection) => entries.map(({ sampleId }) => sampleId);
const move = (client: HttpClient, id: string, sampleId: string, after: string | null) =>
  client.put(`${OWN}/${id}/samples/${sampleId}/place`, { after });
const tokenIn = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

/** Puts the pack b back on sale after `work`. */
async function withoutPackB(work: () => Promise<void>): Promise<void> {
  const sell = (available: boolean) =>
    test.database.pool.query(`update sample set available = $1 where pack_id = 'b'`, [available]);
  await sell(false);
  await work();
  await sell(true);
}

async function withCollaborator(client: HttpClient, id: string): Promise<HttpClient> {
  const friend = await test.signedUp();
  const { url } = (await client.post(`${OWN}/${id}/invitation`)).body;
  expect((await friend.post(`/api/collections/invitations/${tokenIn(url)}/accept`)).body).toEqual({ id });
  return friend;
}

describe('own collections', () => {
  it('[LIB-740] are created, listed, described and deleted by their owner', async () => {
    const [ada, other] = [await test.signedUp(), await test.signedUp()];
    const id = await created(ada, ['a-0', 'b-0', 'a-1', 'a-0']);
    expect((await ada.patch(`${OWN}/${id}`, { description: 'For the bridge' })).status).toBe(204);
    expect((await ada.patch(`${OWN}/${id}`, { name: 'Bridge' })).status).toBe(204);
    expect(await read(ada, id)).toMatchObject({
      name: 'Bridge',
      description: 'For the bridge',
      role: 'owner',
      shareUrl: null,
      collaborator: null,
      totalCredits: 8,
      missingCredits: 8,
      entries: [
        { title: 'Alpha', sample: { id: 'a-0', owned: false }, addedBy: { id: ada.userId } },
        { title: 'Omega' },
        { title: 'Beta' },
      ],
    });
    // Creators lack nothing of their own.
    const ofMira = await created(mira, ['a-0']);
    expect(await read(mira, ofMira)).toMatchObject({ totalCredits: 1, missingCredits: 0 });
    const { items } = (await ada.get(`${OWN}?sampleId=a-1`)).body;
    expect(items).toMatchObject([
      { id, sampleCount: 3, hasSample: true, covers: [{ title: 'Tapes' }, { title: 'Leaves' }] },
    ]);
    expect((await ada.get(`${OWN}?sampleId=a-2`)).body.items).toMatchObject([{ hasSample: false }]);
    for (const answer of [
      await other.get(`${OWN}/${id}`),
      await other.patch(`${OWN}/${id}`, { name: 'Mine' }),
      await other.delete(`${OWN}/${id}`),
      await other.post(`${OWN}/${id}/samples`, { sampleIds: ['a-2'] }),
      await other.post(`${OWN}/${id}/share`),
    ])
      expect(answer.body.code).toBe('NotFound');
    expect((await other.get(OWN)).body.items).toEqual([]);
    expect((await ada.post(OWN, { name: ' ' })).status).toBe(400);
    expect((await ada.delete(`${OWN}/${id}`)).status).toBe(204);
    expect((await ada.get(`${OWN}/${id}`)).status).toBe(404);
    expect((await test.browser().get(OWN)).status).toBe(401);
  });

  it('[LIB-741] take each sample once, and only what is on sale', async () => {
    const ada = await test.signedUp();
    const id = await created(ada, ['a-0']);
    const add = (...sampleIds: string[]) => ada.post(`${OWN}/${id}/samples`, { sampleIds });
    expect((await add('a-1', 'a-0', 'a-1')).body).toEqual({ added: 1 });
    expect((await add('a-1')).body).toEqual({ added: 0 });
    for (const unknown of ['draft-0', 'nothing'])
      expect((await add('a-2', unknown)).body.code).toBe('SampleNotAvailable');
    expect((await ada.post(OWN, { name: 'Drafts', sampleIds: ['draft-0'] })).body.code).toBe(
      'SampleNotAvailable',
    );
    expect(idsOf(await read(ada, id))).toEqual(['a-0', 'a-1']);
    for (let press = 0; press < 2; press += 1)
      expect((await ada.delete(`${OWN}/${id}/samples/a-0`)).status).toBe(204);
    expect((await add('a-0')).body).toEqual({ added: 1 });
    expect(idsOf(await read(ada, id))).toEqual(['a-1', 'a-0']);
  });

  it('[LIB-741] have limits, also for concurrent requests', async () => {
    const ada = await test.signedUp();
    const id = await created(ada);
    await test.database.pool.query(
      `insert into own_collection_sample (collection_id, sample_id, place, added_at)
       select $1, 'x-' || n, n, now() from generate_series(1, $2) as n`,
      [id, COLLECTION_SAMPLES_LIMIT - 1],
    );
    const add = (sampleId: string) => ada.post(`${OWN}/${id}/samples`, { sampleIds: [sampleId] });
    const [first, second] = await Promise.all([add('a-0'), add('a-1')]);
    expect([first.body.code, second.body.code].sort()).toEqual(['CollectionFull', undefined]);
    await test.database.pool.query(
      `insert into own_collection (collection_id, user_id, name, description, created_at, updated_at)
       select 'c-' || n, $1, 'More', '', now(), now() from generate_series(1, $2) as n`,
      [ada.userId, COLLECTIONS_LIMIT - 2],
    );
    const both = await Promise.all([ada.post(OWN, { name: 'One' }), ada.post(OWN, { name: 'Two' })]);
    expect(both.map(({ body }) => body.code).sort()).toEqual(['TooManyCollections', undefined]);
  });

  it('[LIB-742] keep the moves of two tabs, and an addition meanwhile', async () => {
    const ada = await test.signedUp();
    const id = await created(ada, SAMPLES);
    const answers = await Promise.all([
      move(ada, id, 'a-0', 'a-3'),
      ada.post(`${OWN}/${id}/samples`, { sampleIds: ['b-0'] }),
      move(ada, id, 'a-2', 'a-1'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([204, 200, 204]);
    expect(idsOf(await read(ada, id))).toEqual(['a-1', 'a-2', 'a-3', 'a-0', 'b-0']);
    await move(ada, id, 'b-0', null);
    expect(idsOf(await read(ada, id))).toEqual(['b-0', 'a-1', 'a-2', 'a-3', 'a-0']);
    await ada.delete(`${OWN}/${id}/samples/a-1`);
    await move(ada, id, 'a-3', 'b-0');
    await move(ada, id, 'a-3', 'a-3');
    expect(idsOf(await read(ada, id))).toEqual(['b-0', 'a-3', 'a-2', 'a-0']);
    expect((await move(ada, id, 'a-2', 'a-1')).body.code).toBe('StaleVersion');
    expect((await move(ada, id, 'a-1', null)).body.code).toBe('StaleVersion');
  });

  it('[LIB-743] list what left sale, without its sound and price', async () => {
    const ada = await test.signedUp();
    const id = await created(ada, ['b-0', 'a-0']);
    const { url } = (await ada.post(`${OWN}/${id}/share`)).body;
    await withoutPackB(async () => {
      const { entries, totalCredits } = await read(ada, id);
      expect(entries[0]).toMatchObject({ sampleId: 'b-0', title: 'Omega', sample: null });
      expect(totalCredits).toBe(1);
      const shared = (await test.browser().get(`/api/collections/shared/${tokenIn(url)}`)).body;
      expect(shared).toMatchObject({ unavailableCount: 1, totalCredits: 1, samples: [{ id: 'a-0' }] });
    });
    expect(await read(ada, id)).toMatchObject({ totalCredits: 6 });
  });
});

describe('the link of a collection', () => {
  it('[LIB-744] plays for visitors, with the price of what the viewer lacks, until it ends', async () => {
    const [ada, visitor] = [await test.signedUp(), test.browser()];
    const id = await created(ada, ['a-1', 'a-0']);
    const share = async () => (await ada.post(`${OWN}/${id}/share`)).body.url as string;
    const url = await share();
    expect(await share()).toBe(url);
    expect(tokenIn(url)).toMatch(/^[\w-]{43}$/);
    const at = (link: string) => `/api/collections/shared/${tokenIn(link)}`;
    const shared: SharedCollection = (await visitor.get(at(url))).body;
    expect(shared).toMatchObject({ name: 'Late finds', totalCredits: 3, missingCredits: 3 });
    expect(shared.samples.map(({ id: sampleId }) => sampleId)).toEqual(['a-1', 'a-0']);
    expect(shared.samples[0]?.previewUrl).toContain('/media/previews/');
    expect(JSON.stringify(shared)).not.toContain((await read(ada, id)).ownerName);
    expect((await mira.get(at(url))).body).toMatchObject({ totalCredits: 3, missingCredits: 0 });
    expect((await ada.delete(`${OWN}/${id}/share`)).status).toBe(204);
    expect((await visitor.get(at(url))).body.code).toBe('TokenInvalid');
    const second = await share();
    expect(second).not.toBe(url);
    expect((await visitor.get(at(second))).status).toBe(200);
  });

  it('[LIB-744] is copied to one’s own collections', async () => {
    const [ada, ben] = [await test.signedUp(), await test.signedUp()];
    const id = await created(ada, ['b-0', 'a-1', 'a-0']);
    const token = tokenIn((await ada.post(`${OWN}/${id}/share`)).body.url);
    await withoutPackB(async () => {
      const copy = await ben.post(`/api/collections/shared/${token}/copy`);
      expect(copy.status).toBe(201);
      const own = await read(ben, copy.body.id);
      expect(own).toMatchObject({ name: 'Late finds', role: 'owner', shareUrl: null });
      expect(idsOf(own)).toEqual(['a-1', 'a-0']);
    });
    expect((await ben.post('/api/collections/shared/unknown/copy')).body.code).toBe('TokenInvalid');
  });
});

describe('a collaborator', () => {
  it('[LIB-745] is one person, who may add, and remove what they added', async () => {
    const [ada, late] = [await test.signedUp(), await test.signedUp()];
    const id = await created(ada, ['a-0']);
    const { url } = (await ada.post(`${OWN}/${id}/invitation`)).body;
    expect((await read(ada, id)).invitationUrl).toBe(url);
    const invitation = `/api/collections/invitations/${tokenIn(url)}`;
    expect((await late.get(invitation)).body).toMatchObject({
      collectionId: null,
      name: 'Late finds',
      sampleCount: 1,
    });
    expect((await ada.post(`${invitation}/accept`)).body.code).toBe('TokenInvalid');
    const ben = await withCollaborator(ada, id);
    expect((await ben.post(`${invitation}/accept`)).body).toEqual({ id });
    expect((await ben.get(invitation)).body.collectionId).toBe(id);
    for (const answer of [await late.get(invitation), await late.post(`${invitation}/accept`)])
      expect(answer.body.code).toBe('TokenInvalid');
    expect((await ada.post(`${OWN}/${id}/invitation`)).body.code).toBe('CollaboratorExists');

    expect((await ben.post(`${OWN}/${id}/samples`, { sampleIds: ['a-1', 'a-2'] })).body).toEqual({
      added: 2,
    });
    expect((await ben.delete(`${OWN}/${id}/samples/a-1`)).status).toBe(204);
    const seen = await read(ada, id);
    expect(seen.entries.map(({ addedBy }) => addedBy?.id)).toEqual([ada.userId, ben.userId]);
    expect(seen.collaborator?.id).toBe(ben.userId);
    expect((await ben.get(OWN)).body.items).toMatchObject([{ id, role: 'collaborator' }]);
    expect(await read(ben, id)).toMatchObject({ shareUrl: null, invitationUrl: null });
    for (const answer of [
      await ben.delete(`${OWN}/${id}/samples/a-0`),
      await move(ben, id, 'a-2', null),
      await ben.patch(`${OWN}/${id}`, { name: 'Ben’s' }),
      await ben.delete(`${OWN}/${id}`),
      await ben.post(`${OWN}/${id}/share`),
      await ben.delete(`${OWN}/${id}/share`),
      await ben.post(`${OWN}/${id}/invitation`),
    ])
      expect(answer.body.code).toBe('NotAllowed');
  });

  it('[LIB-745] is removed by the owner, or leaves', async () => {
    const ada = await test.signedUp();
    const id = await created(ada);
    for (const byOwner of [true, false]) {
      const ben = await withCollaborator(ada, id);
      expect((await (byOwner ? ada : ben).delete(`${OWN}/${id}/collaborator`)).status).toBe(204);
      expect((await ben.get(`${OWN}/${id}`)).status).toBe(404);
      expect(await read(ada, id)).toMatchObject({ collaborator: null, invitationUrl: null });
    }
    const { url } = (await ada.post(`${OWN}/${id}/invitation`)).body;
    await ada.delete(`${OWN}/${id}/collaborator`);
    const late = await test.signedUp();
    const accepted = await late.post(`/api/collections/invitations/${tokenIn(url)}/accept`);
    expect(accepted.body.code).toBe('TokenInvalid');
  });
});

describe('collections of an account', () => {
  it('[LIB-746] are exported with it and deleted with it; what a collaborator added stays without the name', async () => {
    const ada = await test.signedUp();
    const id = await created(ada, ['a-0']);
    const ben = await withCollaborator(ada, id);
    await ben.post(`${OWN}/${id}/samples`, { sampleIds: ['a-1'] });
    const ofBen = await created(ben, ['a-2'], 'Bens');
    const copy: Record<string, unknown> = {};
    for await (const [heading, value] of exportPerson(test.database.db, ben.userId)) copy[heading] = value;
    expect(copy).toMatchObject({
      collections: [{ name: 'Bens', sampleIds: ['a-2'] }],
      addedToCollections: [{ collection: 'Late finds', sampleId: 'a-1' }],
    });
    await test.database.transaction((_, db) => erasePerson(db, ben.userId, test.clock.now()));
    const { entries, collaborator, invitationUrl } = await read(ada, id);
    expect(entries).toMatchObject([{ addedBy: { id: ada.userId } }, { sampleId: 'a-1', addedBy: null }]);
    expect([collaborator, invitationUrl]).toEqual([null, null]);
    const { rowCount } = await test.database.pool.query(
      'select from own_collection full join own_collection_sample using (collection_id) where collection_id = $1',
      [ofBen],
    );
    expect(rowCount).toBe(0);
  });

  it('[LIB-746] are read with an access token of the scope library:read, and changed with none', async () => {
    const ada = await test.signedUp();
    const id = await created(ada, ['a-0']);
    const { token } = (await ada.post('/api/tokens', { name: 'Sync', scopes: ['library:read'] })).body;
    const program = new HttpClient(ada.url, token);
    expect((await program.get(OWN)).body.items).toHaveLength(1);
    expect((await program.get(`${OWN}/${id}`)).status).toBe(200);
    expect((await program.delete(`${OWN}/${id}`)).body.code).toBe('TokenNotAllowed');
  });
});
