import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { erasePerson } from '../../adapters/accounts/erase-personal-data.js';
import { PROJECTS_LIMIT } from '../../application/library/values.js';
import type { HttpClient } from '../support/http-client.js';
import { startPublishingApp, type PublishingApp } from '../support/publishing.js';

const VERSE = { name: 'Last bus, verse', tempo: 90.5, key: 'C Minor', timeSignature: '3/4' };

let test: PublishingApp;
beforeAll(async () => (test = await startPublishingApp()));
afterAll(async () => test?.close());

const add = (client: HttpClient, body: object) => client.post('/api/projects', body);
const projectsOf = async (client: HttpClient) => (await client.get('/api/projects')).body.items;

describe('projects', () => {
  it('[PROJ-700] are added, changed, listed and deleted', async () => {
    const ada = await test.signedUp();
    const { status, body: verse } = await add(ada, VERSE);
    expect([status, verse]).toEqual([201, { id: expect.any(String), ...VERSE }]);
    test.clock.advance(1);
    const id = randomUUID();
    for (const name of ['Kettle', 'Renamed'])
      expect((await add(ada, { id, name, tempo: 84 })).body).toEqual({
        id,
        name: 'Kettle',
        tempo: 84,
        key: null,
        timeSignature: '4/4',
      });
    expect((await ada.patch(`/api/projects/${id}`, { timeSignature: '6/8', key: 'Eb Major' })).body).toEqual({
      id,
      name: 'Kettle',
      tempo: 84,
      key: 'Eb Major',
      timeSignature: '6/8',
    });
    expect((await ada.patch(`/api/projects/${id}`, {})).status).toBe(200);
    expect((await ada.patch(`/api/projects/${id}`, { key: null })).body.key).toBeNull();
    expect((await projectsOf(ada)).map(({ name }: { name: string }) => name)).toEqual(['Kettle', VERSE.name]);
    for (let press = 0; press < 2; press += 1)
      expect((await ada.delete(`/api/projects/${verse.id}`)).status).toBe(204);
    expect(await projectsOf(ada)).toHaveLength(1);
  });

  it('[PROJ-700] refuse values outside the bounds, and more than 100', async () => {
    const ada = await test.signedUp();
    for (const wrong of [
      { name: '' },
      { name: 'x'.repeat(101) },
      { tempo: 39.9 },
      { tempo: 240.1 },
      { tempo: '90' },
      { key: 'H Minor' },
      { timeSignature: '4/5' },
      { timeSignature: '0/4' },
      { id: 'mine' },
      { other: 1 },
    ])
      expect((await add(ada, { ...VERSE, ...wrong })).body.code).toBe('InvalidRequest');
    await test.database.pool.query(
      `insert into project (user_id, project_id, name, tempo, time_signature, created_at)
       select $1, n, 'Song', 90, '4/4', now() from generate_series(2, $2) as n`,
      [ada.userId, PROJECTS_LIMIT],
    );
    const answers = await Promise.all([add(ada, VERSE), add(ada, VERSE)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect((await add(ada, VERSE)).body.code).toBe('TooManyProjects');
  });

  it('[PROJ-701] belong to one account, are exported with it and forgotten with it', async () => {
    const [ada, ben] = [await test.signedUp(), await test.signedUp()];
    const { id } = (await add(ada, VERSE)).body;
    expect((await ben.patch(`/api/projects/${id}`, { tempo: 91 })).body.code).toBe('NotFound');
    await ben.delete(`/api/projects/${id}`);
    expect((await add(ben, { ...VERSE, id, name: 'Mine' })).body.name).toBe('Mine');
    expect(await projectsOf(ada)).toEqual([{ id, ...VERSE }]);
    expect((await ada.get('/api/me/export')).body.projects).toEqual([
      { ...VERSE, createdAt: expect.any(String) },
    ]);
    await test.database.transaction((_, db) => erasePerson(db, ada.userId, test.clock.now()));
    const { rows } = await test.database.pool.query('select user_id from project where project_id = $1', [
      id,
    ]);
    expect(rows).toEqual([{ user_id: ben.userId }]);
    expect((await test.browser().get('/api/projects')).status).toBe(401);
  });
});
