import { hash } from 'node:crypto';
import { sql, type Kysely } from 'kysely';

interface Held {
  user_id: string;
  role: string;
}

/**
 * Staff roles were a column that left no trace of who set it. They become facts in streams `staff-{userId}`,
 * and the table their projection. Who holds a role keeps it: the migration records it as a fact, chained like
 * every event.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table staff_role (
      user_id    text not null,
      role       text not null,
      granted_by text not null,
      granted_at timestamptz not null,
      primary key (user_id, role)
    )`.execute(db);
  const { rows: held } = await sql<Held>`
    select user_id, unnest(roles) as role from user_account where erased_at is null order by user_id, role`.execute(
    db,
  );
  if (held.length > 0) await record(db, held);
  const { rows } = await sql<{ moved: number }>`select count(*)::int as moved from staff_role`.execute(db);
  if (rows[0]?.moved !== held.length)
    throw new Error(`${held.length} roles were held, ${rows[0]?.moved} arrived`);
  await sql`alter table user_account drop column roles`.execute(db);
}

async function record(db: Kysely<unknown>, held: readonly Held[]): Promise<void> {
  const { rows } = await sql<{ position: number; hash: string }>`
    select position::int, encode(hash, 'hex') as hash from log_head for update`.execute(db);
  let { position, hash: last } = rows[0] as { position: number; hash: string };
  const recordedAt = new Date();
  const by = 'system:migration';
  const metadata = JSON.stringify({ actor: by, correlationId: '0022-staff-roles' });
  const versions = new Map<string, number>();
  for (const { user_id: userId, role } of held) {
    position += 1;
    const stream = `staff-${userId}`;
    const version = (versions.get(stream) ?? 0) + 1;
    versions.set(stream, version);
    const data = JSON.stringify({ userId, role, by, at: recordedAt.toISOString() });
    const head = JSON.stringify([position, stream, version, 'StaffRoleGranted', recordedAt.getTime()]);
    last = hash(
      'sha256',
      Buffer.concat([Buffer.from(last, 'hex'), Buffer.from(`${head}\n${data}\n${metadata}`)]),
    );
    await sql`
      insert into event (position, stream, version, type, data, metadata, recorded_at, hash)
      values (${position}, ${stream}, ${version}, 'StaffRoleGranted', ${data}::json, ${metadata}::json,
              ${recordedAt}, decode(${last}, 'hex'))`.execute(db);
    await sql`
      insert into staff_role (user_id, role, granted_by, granted_at)
      values (${userId}, ${role}, ${by}, ${recordedAt})`.execute(db);
  }
  await sql`update log_head set position = ${position}, hash = decode(${last}, 'hex')`.execute(db);
}
