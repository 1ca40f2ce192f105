import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { creatorsNamed } from '../../adapters/catalogue/search/artists-named.js';
import { PostgresTracedEvents } from '../../adapters/ledger/trace/postgres-traced-events.js';
import { PostgresUnreferencedObjects } from '../../adapters/storage/postgres-unreferenced-objects.js';
import { breaksBooks } from '../support/invariants.js';
import { wholeTablesRead } from '../support/plans.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { stock } from '../support/stock.js';

const MANY = 10_000;

describe('look-ups in a large house', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await startTestDatabase();
    breaksBooks(test.database, 'people and samples are made by the thousand, without events');
    const { pool } = test.database;
    const [model] = await stock(test.database, 1);
    await pool.query(
      `insert into user_account (user_id, email, display_name, created_at)
       select 'u' || n, 'u' || n || '@example.com', 'Person ' || md5(n::text), now() from generate_series(1, $1) n`,
      [MANY],
    );
    await pool.query(
      `insert into creator_profile (user_id, handle, updated_at) select 'u' || n, 'h' || md5('h' || n), now() from generate_series(1, $1) n`,
      [MANY],
    );
    await pool.query(`update user_account set display_name = 'Marlow Reed' where user_id = 'u77'`);
    await pool.query(`update creator_profile set handle = 'marlowian' where user_id = 'u78'`);
    await pool.query(
      `insert into sample select (jsonb_populate_record(s, jsonb_build_object(
           'sample_id', 'n' || n, 'original_key', 'Users/junie/Packs/p/samples/' || n || '.wav',
           'preview_key', 'media/previews/' || n || '.mp3',
           'stems', case when n % 7 = 0 then jsonb_build_object('path', 'Packs/p/stems/' || n || '.zip') end,
           'midi', case when n % 5 = 0 then jsonb_build_object('path', 'Packs/p/midi/' || n || '.mid') end))).*
         from sample s, generate_series(1, $2::int) n where s.sample_id = $1`,
      [model, MANY],
    );
    await pool.query(
      `insert into pack (pack_id, cover_key, creator_id, title, title_lower, slug, folder, genre, mood, description,
                         status, default_cost_credits, created_at, updated_at, version, position)
       select 'n' || n, 'media/covers/' || md5(n::text) || md5(n::text) || '.webp', creator_id, title, title_lower, slug,
              folder, genre, mood, description, status, default_cost_credits, created_at, updated_at, version, position
         from pack, generate_series(1, $1::int) n`,
      [MANY],
    );
    await pool.query(
      `insert into owned_sample (buyer_id, sample_id, version, purchase_id, pack_id, creator_id, price_credits, certificate_id, audio_version, purchased_at)
       select 'u' || n, 'n' || n, 1, 'p' || n, 'n' || n, 'junie', 1, 'c' || n, 1, now() from generate_series(1, $1) n`,
      [MANY],
    );
    await pool.query(
      `insert into creator_folder (user_id, folder) select 'u' || n, 'f' || n from generate_series(1, $1) n`,
      [MANY],
    );
    await pool.query(
      `insert into traced_id (id, position, kind) select 'in_' || md5(n::text), n, 'invoice' from generate_series(1, $1) n`,
      [MANY],
    );
    await pool.query(
      'insert into traced_amount (amount_micro_usd, position) select n * 10000, n from generate_series(1, $1) n',
      [MANY],
    );
    await pool.query('vacuum analyze');
  });
  afterAll(() => test?.close());

  it('[OPS-30] finds people by a part of their name or handle through an index', async () => {
    const named = (typed: string) => creatorsNamed(test.database, [{ typed, isWhole: false }]);
    expect(await named('marlow')).toEqual([['u77', 'u78']]);
    expect(await named('marlow reed')).toEqual([['u77']]);
    expect(await wholeTablesRead(test.database, () => named('marlow'))).toEqual([]);
  });

  it('[FIN-73] finds what the books know by an id, its beginning or an amount through an index', async () => {
    const events = new PostgresTracedEvents(test.database);
    const whole = await wholeTablesRead(test.database, async () => {
      await events.naming('in_c4ca4238a0b923820dcc509a6f75849b');
      await events.idsLike('in_c4ca4', 20);
      await events.movingCash(990_000, 20);
    });
    expect(whole.filter((table) => table.startsWith('traced_'))).toEqual([]);
  });

  it('[OPS-30] finds whoever refers to a stored object through an index, in each way there is', async () => {
    const objects = new PostgresUnreferencedObjects(test.database);
    const { rows } = await test.database.pool.query(
      `select creator_id as id from sample where sample_id = 'n35'`,
    );
    const own = `Users/${(rows[0] as { id: string }).id}/Packs/p`;
    const cover = 'media/covers/' + (await md5Twice('9'));
    const referred = [
      'Users/junie/Packs/p/samples/35.wav',
      'media/previews/35.mp3',
      `${own}/stems/35.zip`,
      `${own}/midi/35.mid`,
      `${cover}.webp`,
      `${cover}-320.webp`,
    ];
    const orphans = [
      'Users/junie/Packs/p/samples/none.wav',
      'media/previews/none.mp3',
      'Users/somebody/Packs/p/stems/35.zip',
      `${own}/midi/36.mid`,
    ];
    const among = () => objects.among([...referred, ...orphans]);
    expect([...(await among())].sort()).toEqual([...orphans].sort());
    expect(await wholeTablesRead(test.database, among)).toEqual([]);
  });

  const md5Twice = async (text: string): Promise<string> =>
    (await test.database.pool.query(`select md5($1) || md5($1) as twice`, [text])).rows[0].twice;
});
