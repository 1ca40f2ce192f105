import { expect, it } from '@jest/globals';
import type { HttpClient } from '../support/http-client.js';
import { Office } from '../support/office.js';

const office = Office.forTests();
const taken = { status: 409, body: { code: 'DisplayNameTaken' } };

const rename = (client: HttpClient, displayName: string) => client.patch('/api/me', { displayName });
const approve = (client: HttpClient) =>
  office.pia.post(`/api/admin/creator-applications/${client.userId}/approve`, {});
const verify = (client: HttpClient, displayName: string, by = office.pia) =>
  by.post(`/api/admin/creators/${client.userId}/verify`, { displayName });

const IMPOSTOR = { email: 'imp@example.com', password: 'a fine pass phrase', displayName: 'Offcut Support' };
const renamed = async () =>
  (await office.pia.get('/api/admin/creator-applications?status=renamed')).body.items;

async function applicant(displayName: string): Promise<HttpClient> {
  const client = await office.product.signedUp();
  await rename(client, displayName);
  expect((await client.post('/api/creator/application')).status).toBe(201);
  return client;
}

async function creator(displayName: string): Promise<HttpClient> {
  const client = await applicant(displayName);
  expect((await approve(client)).status).toBe(200);
  return client;
}

const page = async (client: HttpClient) => {
  const { username } = (await client.get('/api/creator/profile')).body;
  return (await office.product.browser().get(`/api/creators/${username}`)).body;
};
const facts = async (client: HttpClient) =>
  (
    await office.product.resources.database.pool.query(
      `select type, data->>'by' as by from event where stream = $1 order by version`,
      [`verification-${client.userId}`],
    )
  ).rows;

it('[ACC-570, ACC-571] no creator takes a name that looks like another creator’s, or like the shop’s', async () => {
  const nils = await creator('Nils Orban');
  const impostor = await creator('Somebody Else');
  for (const name of ['Nils Orban', 'nils  orban', 'Nіls Оrbаn', 'Offcut Support', 'admin', '..']) {
    expect(await rename(impostor, name)).toMatchObject(taken);
    expect(await impostor.put('/api/creator/profile', { displayName: name })).toMatchObject(taken);
  }
  expect((await page(impostor)).displayName).toBe('Somebody Else');
  // A listener's name is not public until the application as a creator.
  const listener = await office.product.signedUp();
  expect(await rename(listener, 'Оffcut Team')).toMatchObject(taken);
  expect(await office.product.browser().post('/api/auth/sign-up', IMPOSTOR)).toMatchObject(taken);
  expect((await rename(listener, 'NILS ORBAN')).status).toBe(200);
  expect(await listener.post('/api/creator/application')).toMatchObject(taken);
  expect((await rename(listener, 'Nils Orbach')).status).toBe(200);
  expect((await listener.post('/api/creator/application')).status).toBe(201);
  // A name that its owner gave up is free.
  expect((await rename(nils, 'Nils O.')).status).toBe(200);
  expect((await rename(impostor, 'Nils Orban')).status).toBe(200);
});

it('[ACC-570] one of two creators who choose a name at once gets it', async () => {
  const both = [await creator('First Loft'), await creator('Second Loft')];
  const answers = await Promise.all(both.map((client, n) => rename(client, n ? 'Same Loft' : 'SAME LOFT')));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});

it('[ACC-570] a declined applicant gives the name up, and is approved only if it is free', async () => {
  const declined = await applicant('Vera Quist');
  const path = `/api/admin/creator-applications/${declined.userId}/decline`;
  expect((await office.pia.post(path, { reason: 'No sounds yet' })).status).toBe(200);
  await creator('Vera Quist');
  expect(await approve(declined)).toMatchObject(taken);
});

it('[ACC-572] approval does not verify; staff do, by name, and a new name needs it again', async () => {
  const client = await creator('Iris Vane');
  expect(await page(client)).toMatchObject({ displayName: 'Iris Vane', verified: false });
  expect(await verify(client, 'Iris Vale')).toMatchObject({ status: 409, body: { code: 'StaleVersion' } });
  expect((await verify(client, 'Iris Vane')).body).toEqual({ id: client.userId, verified: true });
  expect((await page(client)).verified).toBe(true);
  const listed = (await office.pia.get('/api/admin/creator-applications?status=approved&limit=100')).body
    .items;
  expect(listed.filter(({ verified }: { verified: boolean }) => verified)).toMatchObject([
    { id: client.userId },
  ]);

  expect((await client.put('/api/creator/profile', { displayName: 'Iris V.', bio: '' })).status).toBe(200);
  expect(await page(client)).toMatchObject({ displayName: 'Iris V.', verified: false });
  expect((await rename(client, 'Iris Vane')).status).toBe(200);
  expect((await page(client)).verified).toBe(false);
  expect((await rename(client, 'Iris W.')).status).toBe(200);
  expect(await renamed()).toMatchObject([
    { id: client.userId, displayName: 'Iris W.', formerName: 'Iris Vane', verified: false },
  ]);

  await verify(client, 'Iris W.', office.quinn);
  expect((await page(client)).verified).toBe(true);
  expect(await renamed()).toEqual([]);
  const end = await office.quinn.post(`/api/admin/creators/${client.userId}/end-verification`);
  expect(end.body).toEqual({ id: client.userId, verified: false });
  expect((await page(client)).verified).toBe(false);
  expect(await facts(client)).toEqual([
    { type: 'CreatorVerified', by: office.pia.userId },
    { type: 'VerificationEnded', by: client.userId },
    { type: 'CreatorVerified', by: office.quinn.userId },
    { type: 'VerificationEnded', by: office.quinn.userId },
  ]);
});

it('[ACC-572] only creators are verified, and never by themselves', async () => {
  const waiting = await applicant('Otto Reed');
  expect((await verify(waiting, 'Otto Reed')).status).toBe(404);
  expect((await verify(office.ada, 'Ada')).status).toBe(404);
  await rename(office.quinn, 'Quinn Sells');
  await office.quinn.post('/api/creator/application');
  expect((await approve(office.quinn)).status).toBe(200);
  expect(await verify(office.quinn, 'Quinn Sells', office.quinn)).toMatchObject({
    status: 403,
    body: { code: 'OwnInterest' },
  });
});
