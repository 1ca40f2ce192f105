/**
 * Compares three ways to purchase in one run: one SQL function on raw connections (the limit of the database for
 * single purchases), emmett-postgresql, and the batched executor. Then measures one client alone, with no batch to
 * share. All clients run in this process.
 *
 *   npm run bench -- bench/purchase.ts [purchases made before, 0 by default]
 *
 * TEST_POSTGRES_BIN names the programs of another PostgreSQL than the embedded one.
 */
import { CommandHandler, type Event } from '@event-driven-io/emmett';
import { SQL } from '@event-driven-io/dumbo';
import { getPostgreSQLEventStore, postgreSQLRawSQLProjection } from '@event-driven-io/emmett-postgresql';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { cpuMs } from './support/cpu.js';
import { BUYERS, pairs, SAMPLES, theExecutor } from './support/credit-executor.js';
import { keepInFlight, print, sideBySide, type Contender } from './support/measure.js';
import { withServer } from './support/with-server.js';

const CONNECTIONS = 32;
/** The batched executor is also measured with this many purchases already in its log. */
const GROWN = Number(process.argv[2] ?? 0);

await withServer(
  async ({ pid, emptyDatabase }) => {
    const raw = await oneSqlFunction(await emptyDatabase('raw'));
    const ours = await theExecutor(await emptyDatabase('executor'));
    const many = [
      raw(CONNECTIONS),
      await emmett(await emptyDatabase('emmett')),
      ...[64, 256, 1_024].map((inFlight) => ours(inFlight)),
    ];
    if (GROWN > 0) many.push((await theExecutor(await emptyDatabase('grown'), GROWN))(256));
    const cpu = { cpuMs: () => cpuMs(pid) };
    print(await sideBySide(many, { rounds: 5, durationMs: 2_000, ...cpu }), many[0]?.name as string);
    const alone = [raw(1), ours(1)];
    print(await sideBySide(alone, { rounds: 5, durationMs: 1_000, ...cpu }), alone[0]?.name as string);
    console.log(
      'Ratios are to the first line of each table. Each purchase checks ownership, balance and idempotency and writes two events,',
    );
    console.log(
      'the statement line, the balance, the owned row and the kept outcome; commits reach the disk in all of them.',
    );
  },
  { programs: process.env.TEST_POSTGRES_BIN },
);

function poolOn(url: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max });
  pool.on('error', () => {}); // The server stops before this process ends.
  return pool;
}

async function oneSqlFunction(url: string): Promise<(inFlight: number) => Contender> {
  const pool = poolOn(url, CONNECTIONS);
  await pool.query(`
    create table account (user_id text primary key, version int not null, balance int not null);
    insert into account select 'b' || n, 0, 1000000 from generate_series(0, ${BUYERS - 1}) n;
    create table offer (sample_id text primary key, creator_id text, price int);
    insert into offer select 's' || n, 'junie', 1 from generate_series(0, ${SAMPLES - 1}) n;
    create table owned (buyer_id text, sample_id text, purchase_id text, primary key (buyer_id, sample_id));
    create table line (user_id text, version int, delta int, balance_after int, primary key (user_id, version));
    create table outcome (user_id text, key text, answer json, primary key (user_id, key));
    create table event (position bigint generated always as identity primary key, stream text, version int, type text, data json, unique (stream, version));
    create function purchase(buyer text, sample text, request text) returns int language plpgsql as $$
    declare a account; o offer;
    begin
      select * into a from account where user_id = buyer for update;
      perform 1 from outcome where user_id = buyer and key = request;
      if found then return 0; end if;
      perform 1 from owned where buyer_id = buyer and sample_id = sample;
      if found then return 0; end if;
      select * into o from offer where sample_id = sample;
      if a.balance < o.price then return -1; end if;
      update account set balance = balance - o.price, version = version + 1 where user_id = buyer;
      insert into event (stream, version, type, data) values
        ('credits-' || buyer, a.version + 1, 'CreditsSpent', json_build_object('userId', buyer, 'credits', o.price)),
        ('purchase-' || buyer || '.' || sample, 1, 'SamplePurchased', json_build_object('buyerId', buyer, 'sampleId', sample, 'creatorId', o.creator_id));
      insert into line values (buyer, a.version + 1, -o.price, a.balance - o.price);
      insert into owned values (buyer, sample, request);
      insert into outcome values (buyer, request, json_build_object('charged', o.price, 'balance', a.balance - o.price));
      return o.price;
    end $$`);
  const next = pairs();
  return (inFlight) => ({
    name: `one SQL function a purchase, ${inFlight} in flight`,
    run: (durationMs) =>
      keepInFlight(inFlight, durationMs, async () => {
        const { buyer, sample } = next();
        await pool.query({
          name: 'purchase',
          text: 'select purchase($1, $2, $3)',
          values: [buyer, sample, randomUUID()],
        });
      }),
  });
}

type Spent = Event<
  'CreditsSpent',
  { userId: string; credits: number; sampleId: string; creatorId: string; key: string }
>;
type Purchased = Event<
  'SamplePurchased',
  { buyerId: string; sampleId: string; creatorId: string; priceCredits: number }
>;
type Granted = Event<'CreditsGranted', { userId: string; credits: number }>;
interface Wallet {
  balance: number;
}

/** One stream per purchase, as emmett's documentation suggests. An inline projection keeps the balance. */
async function emmett(url: string): Promise<Contender> {
  const pool = poolOn(url, 4);
  await pool.query(`
    create table wallet (user_id text primary key, balance int not null check (balance >= 0));
    insert into wallet select 'b' || n, 1000000 from generate_series(0, ${BUYERS - 1}) n;
    create table owned (buyer_id text, sample_id text, primary key (buyer_id, sample_id));
    create table outcome (user_id text, key text primary key)`);
  const store = getPostgreSQLEventStore(url, {
    connectionOptions: { pool: poolOn(url, CONNECTIONS) } as never,
    projections: [
      {
        type: 'inline',
        projection: postgreSQLRawSQLProjection<Spent | Purchased>({
          name: 'wallet',
          canHandle: ['CreditsSpent', 'SamplePurchased'],
          evolve: ({ type, data }: Spent | Purchased) =>
            type === 'CreditsSpent'
              ? [
                  SQL`update wallet set balance = balance - ${data.credits} where user_id = ${data.userId}`,
                  SQL`insert into outcome (user_id, key) values (${data.userId}, ${data.key})`,
                ]
              : SQL`insert into owned (buyer_id, sample_id) values (${data.buyerId}, ${data.sampleId})`,
        } as never),
      },
    ],
  });
  await store.schema.migrate();
  const handle = CommandHandler<Wallet, Spent | Purchased | Granted>({
    initialState: () => ({ balance: 1_000_000 }),
    evolve: (state, { type, data }) =>
      type === 'CreditsSpent' ? { balance: state.balance - data.credits } : state,
  });
  const next = pairs();
  return {
    name: `emmett-postgresql, command handler, inline projection, ${CONNECTIONS} in flight`,
    run: (durationMs) =>
      keepInFlight(CONNECTIONS, durationMs, async () => {
        const { buyer, sample } = next();
        await handle(store, `purchase-${buyer}.${sample}`, (state) => {
          if (state.balance < 1) throw new Error('InsufficientCredits');
          return [
            {
              type: 'CreditsSpent',
              data: { userId: buyer, credits: 1, sampleId: sample, creatorId: 'junie', key: randomUUID() },
            },
            {
              type: 'SamplePurchased',
              data: { buyerId: buyer, sampleId: sample, creatorId: 'junie', priceCredits: 1 },
            },
          ];
        });
      }),
  };
}
