import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Profiles } from '../../application/profiles/profiles.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';

let store: TestDatabase;
let test: TestApp;
let profiles: Profiles;

beforeAll(async () => {
  store = await startTestDatabase();
  test = await startTestApp({ database: store.database });
  profiles = test.app.get(Profiles);
});

afterAll(async () => {
  await test?.close();
  await store?.close();
});

async function person(displayName: string): Promise<string> {
  const client = await test.signedUp();
  await client.patch('/api/me', { displayName });
  return client.userId;
}

it('[PROF-10] people of one name get -2 and -3, however they spell it', async () => {
  const people = [await person('Lo-Fi'), await person('lo fi'), await person('LO_FI')];
  const handles: string[] = [];
  for (const userId of people) handles.push((await profiles.ensure(userId)).handle);
  expect(handles).toEqual(['Lo_Fi', 'lo_fi-2', 'LO_FI-3']);
  expect(await profiles.ensure(people[0] as string)).toEqual({ handle: 'Lo_Fi' });
});

it('[PROF-10] simultaneous first look-ups make one handle each', async () => {
  const [one, two] = [await person('Same Name'), await person('Same Name')];
  const handles = await Promise.all([one, two, one, two, one, two].map((id) => profiles.ensure(id)));
  expect(new Set(handles.map(({ handle }) => handle))).toEqual(new Set(['Same_Name', 'Same_Name-2']));
});

it('[PROF-10] a former handle leads to the present one and is never given away', async () => {
  const userId = await person('First Name');
  await profiles.ensure(userId);
  expect(await profiles.rename(userId, 'Second Name')).toEqual({ handle: 'Second_Name' });
  expect(await profiles.findOwner('First_Name')).toEqual({ userId, handle: 'Second_Name' });
  expect(await profiles.findOwner('second_name')).toEqual({ userId, handle: 'Second_Name' });
  const other = await person('First Name');
  expect(await profiles.ensure(other)).toEqual({ handle: 'First_Name-2' });
  expect(await profiles.rename(other, 'First Name')).toBeUndefined();
  expect(await profiles.rename(userId, 'First Name')).toEqual({ handle: 'First_Name' });
  expect(await profiles.findOwner('nobody')).toBeUndefined();
});
