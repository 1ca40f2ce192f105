import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { HttpClient } from '../support/http-client.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';

let store: TestDatabase;
let test: TestApp;

beforeAll(async () => {
  store = await startTestDatabase();
  test = await startTestApp({ database: store.database });
}, 60_000);

afterAll(async () => {
  await test.close();
  await store.close();
});

describe('sessions', () => {
  it('[AUTH-18] sign-up and sign-in answer the user and a session', async () => {
    const browser = await test.signedUp('ada@example.com');
    const { body } = await browser.get('/api/auth/session');
    expect(body.user).toEqual({
      id: browser.userId,
      email: 'ada@example.com',
      displayName: 'ada',
      avatarUrl: null,
      isCreator: false,
      roles: [],
    });
  });
});
