import { setTimeout as pause } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Projector } from '../../adapters/platform/projections/projector.js';
import { creatorStatus } from '../../adapters/publishing/creator-status.js';
import { ownPacks } from '../../adapters/publishing/own-packs.js';
import { ForgetFolders } from '../../application/storage/forget-folders.js';
import { PlanChanges } from '../../application/subscriptions/plan-changes.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { grantRoles } from '../support/staff.js';
import { wavOf } from '../support/wav.js';
import { valueOnce } from '../support/until.js';

let product: TestProduct;

beforeAll(async () => {
  product = await startTestProduct();
});

afterAll(() => product?.stop());

it('[SET-09, CRED-42] erasing a person ends their plan, takes their packs off sale and keeps the books', async () => {
  const ada = await product.signedUp('ada@example.com');
  await ada.patch('/api/me', { displayName: 'Ada Lovelace' });
  await ada.becomeCreator();
  const packId = (await ada.post('/api/creator/packs', { name: 'Kicks', genre: 'Trap', mood: 'Dark' })).body
    .id;
  const form = new FormData();
  form.set('meta', JSON.stringify({ name: 'Kick', bpm: 120 }));
  form.set(
    'audio',
    new Blob([new Uint8Array(wavOf({ seconds: 1, hertz: 440, rateHz: 8_000 }))]),
    'Kick_120bpm.wav',
  );
  const uploaded = await ada.post(`/api/creator/packs/${packId}/samples`, undefined, { raw: form });
  expect(uploaded.status).toBe(201);
  expect((await ada.post(`/api/creator/packs/${packId}/publish`, {})).status).toBeLessThan(300);
  const sampleId = uploaded.body.sample.id;
  expect((await product.browser().get(`/api/samples/${sampleId}`)).status).toBe(200);

  const checkout = await ada.post('/api/stripe/create-checkout-session', { plan: 'starter' });
  const card = '4000002760003184';
  await fetch(checkout.body.url, { method: 'POST', body: new URLSearchParams({ outcome: 'paid', card }) });
  const subscription = () => ada.get('/api/subscription');
  const paid = await valueOnce(subscription, ({ body }) => body.status === 'active');
  expect(paid.body.status).toBe('active');

  // A plan cannot end while it is being changed. The account stays, otherwise billing would continue after
  // its deletion.
  const changes = product.app.get(PlanChanges, { strict: false });
  await changes.reserve(ada.userId, { type: 'ChangePlan', plan: 'studio' }, 'a change');
  expect(await ada.delete('/api/me')).toMatchObject({ status: 409, body: { code: 'ChangePending' } });
  await changes.sweep(0);
  // A change that only awaits its payer is cancelled.
  expect((await subscription()).body.pendingChange).toMatchObject({ needs: 'confirmation' });

  expect((await ada.delete('/api/me')).status).toBe(204);
  const { pool } = product.resources.database;
  const canceled = await pool.query(
    `select type from event where stream = $1 and type ~ 'Cancel' order by position`,
    [`subscription-${ada.userId}`],
  );
  expect(canceled.rowCount).toBeGreaterThan(0);
  const shelf = await valueOnce(
    () => product.browser().get(`/api/samples/${sampleId}`),
    ({ status }) => status === 404,
  );
  expect(shelf.status).toBe(404);
  const books = await pool.query('select data::text || metadata::text as text from event');
  expect(books.rows.some(({ text }) => text.includes(ada.userId))).toBe(true);
  expect(books.rows.some(({ text }) => /ada@example\.com|lovelace/i.test(text))).toBe(false);
});

describe('folders of creators', () => {
  const listed = async (prefix: string): Promise<Array<{ name: string; publicUrl: string | null }>> =>
    (
      await product
        .browser()
        .get(`/api/storage/list?bucket=Sounds&limit=1000&prefix=${encodeURIComponent(prefix)}`)
    ).body.data;
  const names = async (prefix: string) => (await listed(prefix)).map(({ name }) => name);
  const folderOf = async (userId: string): Promise<string> =>
    (
      await product.resources.database.pool.query('select folder from creator_folder where user_id = $1', [
        userId,
      ])
    ).rows[0].folder;

  async function creatorWithPack(name: string) {
    const creator = await product.signedUp();
    await creator.patch('/api/me', { displayName: name });
    const { handle } = (await creator.becomeCreator()).body;
    const pack = (await creator.post('/api/creator/packs', { name: 'Tapes', genre: 'Soul', mood: 'Chill' }))
      .body;
    const form = new FormData();
    form.set('meta', JSON.stringify({ name: 'Tape', bpm: 90 }));
    const bytes = wavOf({ seconds: 0.3, hertz: 300 + Math.random() * 200, rateHz: 8_000 });
    form.set('audio', new Blob([new Uint8Array(bytes)]), 'Tape.wav');
    const { sample } = (await creator.post(`/api/creator/packs/${pack.id}/samples`, undefined, { raw: form }))
      .body;
    expect((await creator.post(`/api/creator/packs/${pack.id}/publish`, {})).status).toBe(200);
    await creator.put('/api/creator/profile', { bio: `${name} here` });
    return { creator, handle: handle as string, pack, sampleId: sample.id as string };
  }

  it('[STOR-15] say nothing about anybody, and are found by the handle as long as there is somebody', async () => {
    const { creator, handle, sampleId } = await creatorWithPack('Lotte Vinyl');
    const folder = await folderOf(creator.userId);
    expect(folder).toMatch(/^f_[0-9a-f]{24}$/);
    expect(handle).toBe('Lotte_Vinyl');
    expect(await names('Users')).toContain(handle);
    expect(await names('Users')).not.toContain(folder);
    for (const called of [handle, handle.toLowerCase(), folder]) {
      const [file] = await listed(`Users/${called}/Packs/tapes/samples`);
      expect(file?.publicUrl).toContain(encodeURIComponent(`Users/${called}/Packs/tapes/samples/`));
      expect((await creator.get(file?.publicUrl as string)).status).toBe(200);
      expect((await product.browser().get(file?.publicUrl as string)).status).toBe(401);
      // Buys by file address, as former clients do.
      const buyer = await product.signedUp();
      const grant = { userId: buyer.userId, grantId: randomUUID(), credits: 1, grantedAt: new Date() };
      await product.resources.creditExecutor.grantPromotion(grant, { correlationId: 'test' });
      const asked = await buyer.post(
        '/api/credits/purchase',
        {
          buyerId: buyer.userId,
          sampleId: file?.publicUrl,
          creatorId: creator.userId,
          credits: 1,
          currency: 'usd',
        },
        { headers: { 'idempotency-key': randomUUID() } },
      );
      expect([called, asked.status, asked.body]).toEqual([called, asked.status, { success: true }]);
      expect((await buyer.get('/api/library/downloads')).body.items).toMatchObject([{ sampleId }]);
    }
  });

  it('[STOR-15] [SET-09] leave no name behind when somebody is erased, also folders called as people were', async () => {
    const { creator, pack, sampleId } = await creatorWithPack('Zora Quint');
    const { database, storage } = product.resources;
    // Gives the folder a name of the former kind.
    const before = await folderOf(creator.userId);
    for (const { key } of (await storage.list({ prefix: `Users/${before}/`, limit: 1_000 })).objects) {
      await storage.copy(key, key.replace(before, 'Zora_Quint'));
      await storage.delete(key);
    }
    await database.pool.query('update creator_folder set folder = $2 where user_id = $1', [
      creator.userId,
      'Zora_Quint',
    ]);
    await database.pool.query(
      `update sample set original_key = replace(original_key, $2, 'Zora_Quint') where creator_id = $1`,
      [creator.userId, before],
    );
    expect(await names('Users/Zora_Quint/Packs/tapes')).toContain('samples');
    const reporter = await product.signedUp();
    await reporter.post('/api/reports', {
      kind: 'pack',
      id: pack.id,
      reason: 'copyright',
      detail: 'Zora Quint stole it',
    });
    await database.pool.query(
      `insert into owned_sample (buyer_id, sample_id, version, purchase_id, pack_id, creator_id, price_credits,
       certificate_id, audio_version, purchased_at) values ($1, $2, 1, 'x', $3, $4, 0, 'c', 1, now())`,
      [reporter.userId, sampleId, pack.id, creator.userId],
    );

    // The concurrent sweep of a worker must do no harm.
    const folders = product.app.get(ForgetFolders, { strict: false });
    let isErased = false;
    const sweep = async () => {
      while (!isErased)
        await folders.run().then(
          () => pause(50),
          () => undefined,
        );
    };
    const [erased] = await Promise.all([creator.delete('/api/me').finally(() => (isErased = true)), sweep()]);
    expect(erased.status).toBe(204);
    await folders.run();
    const everything = async () => {
      const found: string[] = [];
      for (const { key } of (await storage.list({ prefix: '', limit: 1_000 })).objects)
        if (/Zora/i.test(key)) found.push(key);
      return found;
    };
    expect(await everything()).toEqual([]);
    expect((await names('Users')).filter((name) => /zora/i.test(name))).toEqual([]);
    const { rows } = await database.pool.query(
      `select original_key from sample where sample_id = $1 union all select detail from report where subject_id = $2`,
      [sampleId, pack.id],
    );
    expect(JSON.stringify(rows)).not.toMatch(/zora/i);
    const folder = await folderOf(creator.userId);
    expect(folder).toMatch(/^f_[0-9a-f]{24}$/);
    // Buyers still have the file.
    const key = rows[0].original_key as string;
    expect(key.startsWith(`Users/${folder}/`)).toBe(true);
    const file = `/api/storage/object?bucket=Sounds&path=${encodeURIComponent(key)}`;
    expect((await reporter.get(file)).status).toBe(200);
    // Removes this purchase, because the log has no event of it.
    await database.pool.query('delete from owned_sample where buyer_id = $1', [reporter.userId]);
  });

  it('[FIN-18] [SET-09] what was said about somebody erased is gone from the read models, also when the log is read again', async () => {
    const { creator, pack } = await creatorWithPack('Mara Quill');
    const { database, eventStore } = product.resources;
    const admin = await product.signedUp();
    await grantRoles(database, admin.userId, 'admin');
    const reason = 'Mara Quill took it from a friend';
    expect((await admin.post('/api/admin/takedowns', { packId: pack.id, reason })).status).toBe(201);
    expect((await admin.post(`/api/admin/creators/${creator.userId}/suspend`, { reason })).status).toBe(200);
    expect((await creator.delete('/api/me')).status).toBe(204);
    const said = await database.pool.query(
      `select reason from creator_standing where user_id = $1 union select takedown_reason from pack where pack_id = $2`,
      [creator.userId, pack.id],
    );
    expect(said.rows).toEqual([{ reason: null }]);
    const projector = new Projector(database, eventStore);
    for (const projection of [creatorStatus, ownPacks])
      expect((await projector.drift(projection)).filter(({ rows }) => rows > 0)).toEqual([]);
  });
});
