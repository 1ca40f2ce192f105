import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { StaffQueries } from '../application/accounts/staff/staff-queries.js';
import { SignedHeads } from '../application/operations/signed-heads.js';
import { inParallel } from '../application/shared/in-parallel.js';
import { KEY_PURPOSES } from '../application/shared/keys/signing-keys.js';
import { verifyChain } from '../application/operations/verify-chain.js';
import { Checkpoints } from '../adapters/platform/event-log/checkpoints.js';
import { ParkedEvents, placeOf } from '../adapters/platform/event-log/parked-events.js';
import { StoredJobs } from '../adapters/platform/jobs/stored-jobs.js';
import { Projector } from '../adapters/platform/projections/projector.js';
import { restoreAsText } from './restore.command.js';
import { examineDownloads } from './storage.command.js';
import type { Print, Tools } from './tools.js';
import { PROJECTIONS } from '../bootstrap/projections.js';

/** Each check returns a short description of the healthy state. @throws if something is wrong */
const CHECKS: Readonly<Record<string, (tools: Tools) => Promise<string>>> = {
  access: examineAccess,
  staff: examineStaff,
  database: examineDatabase,
  storage: examineStorage,
  downloads: examineDownloads,
  'log chain': examineChain,
  'signing keys': examineKeys,
  'signed heads': examineHeads,
  'parked events': examineParked,
  jobs: examineJobs,
  projections: examineProjections,
};

/** Prints a line for each check, or all checks as JSON. @returns whether all passed */
export async function doctor(tools: Tools, { isJson }: { isJson: boolean }, print: Print): Promise<boolean> {
  const result = await examine(tools, isJson ? () => {} : print);
  if (isJson) print(JSON.stringify(result, null, 2));
  return result.ok;
}

export async function examine(tools: Tools, print: Print) {
  const checks: { name: string; ok: boolean; detail: string }[] = [];
  for (const [name, check] of Object.entries(CHECKS)) {
    const result = await check(tools).then(
      (detail) => ({ name, ok: true, detail }),
      (error: Error) => ({ name, ok: false, detail: error.message }),
    );
    checks.push(result);
    print(`${result.ok ? 'ok    ' : 'FAILED'}  ${name}: ${result.detail}`);
  }
  return { ok: checks.every(({ ok }) => ok), checks };
}

/** Describes how clients can reach a server with this configuration. This informs the operator and never fails. */
async function examineAccess({ config }: Tools): Promise<string> {
  const { knownHosts, trustProxyHops, metrics, security } = config;
  const visitors =
    trustProxyHops === 0
      ? 'rate limits use the address of the connection (TRUST_PROXY is 0)'
      : `rate limits use the address that ${trustProxyHops} trusted proxies report`;
  const readers = [
    ...(metrics.token === undefined ? [] : ['requests with METRICS_TOKEN']),
    ...(metrics.port === undefined ? [] : [`requests to port ${metrics.port}`]),
  ];
  const measured = readers.join(' or ') || (metrics.isOpen ? 'all' : 'none');
  const contact = security.contact ?? 'no one (SECURITY_CONTACT is not set)';
  return `answers as ${knownHosts.join(', ')}; ${visitors}; /metrics is open to: ${measured}; security contact: ${contact}`;
}

async function examineStaff({ app }: Tools): Promise<string> {
  const members = await app.get(StaffQueries).members();
  const administrators = members.filter(({ role }) => role === 'admin').length;
  const bare = new Set(members.filter((each) => !each.hasSecondFactor).map(({ email }) => email));
  const without = bare.size > 0 ? `; no second factor: ${[...bare].join(', ')}` : '';
  return `${administrators === 1 ? '1 administrator; some decisions need two' : `${administrators} administrators`}${without}`;
}

async function examineDatabase({ database }: Tools): Promise<string> {
  const startedAt = performance.now();
  const { rows } = await database.pool.query(`select current_setting('server_version') as version`);
  const tookMs = Math.round(performance.now() - startedAt);
  // Raw SQL: Kysely manages the table of migrations, so the typed schema does not contain the table.
  const migrations = await database.pool.query(`select count(*)::int as count from kysely_migration`);
  return `PostgreSQL ${rows[0].version}, ${migrations.rows[0].count} migrations, answers in ${tookMs} ms`;
}

async function examineStorage({ storage, config }: Tools): Promise<string> {
  const key = `media/doctor/${randomBytes(8).toString('hex')}`;
  const bytes = randomBytes(256);
  await storage.put(key, bytes, { contentType: 'application/octet-stream' });
  try {
    const back = await buffer((await storage.get(key)).body);
    if (!back.equals(bytes)) throw new Error('a stored object had different bytes when it was read');
  } finally {
    await storage.delete(key);
  }
  return config.s3
    ? `bucket ${config.s3.bucket} can be written and read`
    : 'the local folder can be written and read';
}

async function examineChain({ eventStore }: Tools): Promise<string> {
  const verdict = await verifyChain(eventStore);
  if (!verdict.verified) throw new Error(`broken at position ${verdict.position}: ${verdict.detail}`);
  const { position, hash } = await eventStore.head();
  return position === 0 ? 'no events yet' : `${position} events, unbroken to ${hash.slice(0, 12)}`;
}

const HEAD_LATE_MS = 2 * 3_600_000;

/** Compares the signed heads with the log. This finds a log that was rewritten with every hash recomputed. */
async function examineHeads({ app, wallClock }: Tools): Promise<string> {
  const { faults, newest, verified, missingDays, restores } = await app.get(SignedHeads).verify();
  const [first] = faults;
  if (first) throw new Error(`${faults.length} do not match, the first of ${first.hour}: ${first.detail}`);
  if (!newest) return 'none yet; a worker signs one every hour';
  const ageMs = wallClock.now().getTime() - Date.parse(newest.signedAt);
  const age = `the newest is ${Math.max(0, Math.round(ageMs / 60_000))} minutes old`;
  if (ageMs > HEAD_LATE_MS) throw new Error(`${age}: no worker signs new ones`);
  const missing = missingDays.length > 0 ? `; none on ${missingDays.join(', ')}` : '';
  const restored = restores.map((restore) => `; ${restoreAsText(restore)}`).join('');
  return `${verified} agree with the log, ${age}${missing}${restored}`;
}

/**
 * Lists the key of each purpose. In production, throws if a key other than the key for downloads is in the database,
 * where an intruder could find it.
 */
async function examineKeys({ config, signingKeys, wallClock }: Tools): Promise<string> {
  const lines: string[] = [];
  for (const purpose of KEY_PURPOSES) {
    const { id, from } = (await signingKeys.of(purpose)).signingAt(wallClock.now());
    if (id === undefined && config.production && purpose !== 'downloads')
      throw new Error(`the key of ${purpose} is in the database; \`offcut keys new\` makes one outside`);
    lines.push(`${purpose} by ${id === undefined ? "the database's" : `${id}, since ${from.toISOString()}`}`);
  }
  return lines.join('; ');
}

async function examineParked({ database }: Tools): Promise<string> {
  const parked = await new ParkedEvents(database).list();
  const [first] = parked.filter(({ error }) => error !== '');
  if (first)
    throw new Error(
      `${parked.length} events, the first by ${first.follower}: ${placeOf(first)}: ${first.error}; \`offcut projections\` lists them`,
    );
  return 'none';
}

async function examineJobs({ database }: Tools): Promise<string> {
  const jobs = new StoredJobs(database);
  const [last] = await jobs.failed(1);
  const kinds = await jobs.kinds();
  const sum = (of: 'failed' | 'waiting') => kinds.reduce((all, kind) => all + kind[of], 0);
  if (last)
    throw new Error(
      `${sum('failed')} failed after all attempts, the last ${last.kind}: ${last.name}: ${last.error}; \`offcut jobs\` lists them`,
    );
  return `none failed, ${sum('waiting')} wait`;
}

/** How many read models are compared with the log at once. Each keeps one processor of the database busy. */
const REFOLDED_AT_ONCE = 4;

async function examineProjections({ database, eventStore }: Tools): Promise<string> {
  const projector = new Projector(database, eventStore);
  const head = (await eventStore.head()).position;
  const checkpoints = await new Checkpoints(database).list();
  const ahead = checkpoints.filter((checkpoint) => checkpoint.position > head);
  if (ahead.length > 0) throw new Error(`${ahead[0]?.name} is ahead of the log`);
  const drifts = new Map<string, Awaited<ReturnType<Projector['drift']>>>();
  await inParallel(PROJECTIONS.all, REFOLDED_AT_ONCE, async (projection) => {
    drifts.set(projection.name, await projector.drift(projection));
  });
  for (const projection of PROJECTIONS.all) {
    const differing = (drifts.get(projection.name) ?? []).filter(({ rows }) => rows > 0);
    if (differing.length > 0) {
      const tables = differing.map(({ table, rows }) => `${rows} rows of ${table}`).join(', ');
      throw new Error(`${projection.name} differs from the log in ${tables}`);
    }
  }
  const late = checkpoints
    .filter(({ behind }) => behind > 0)
    .map(({ name, behind }) => `${name} is ${behind} events behind and will catch up`);
  return [`${PROJECTIONS.all.length} agree with the log`, ...late].join('; ');
}
