import { sql } from 'kysely';
import { MAIL } from '../../application/mail/outbox.js';
import type { Queries } from '../platform/database/database.js';
import { complaintsOf, forgetComplaints } from './own-complaints.js';
import { notifyChange } from '../platform/http/session/session-changes.js';

/** Queries for the data that a user can export about themselves, by heading. Leaves out secrets. */
const HEADINGS = {
  sessions: (db, id) =>
    db
      .selectFrom('session as s')
      .innerJoin('session_token as t', 't.session_id', 's.session_id')
      .select(['s.created_at as createdAt', 's.ended_at as endedAt', 's.last_used_at as lastUsedAt'])
      .select(['s.user_agent as userAgent', 's.network', 's.country'])
      .select(({ fn }) => fn.max('t.created_at').as('renewedAt'))
      .where('s.user_id', '=', id)
      .groupBy('s.session_id')
      .orderBy('s.created_at', 'desc'),
  accessTokens: (db, id) =>
    db
      .selectFrom('access_token')
      .select(['name', 'scopes', 'created_at as createdAt', 'expires_at as expiresAt'])
      .select('last_used_at as lastUsedAt')
      .where('user_id', '=', id)
      .orderBy('created_at'),
  signInsElsewhere: (db, id) =>
    db.selectFrom('external_identity').select(['issuer', 'linked_at as linkedAt']).where('user_id', '=', id),
  passkeys: (db, id) =>
    db
      .selectFrom('passkey')
      .select(['name', 'created_at as createdAt', 'last_used_at as lastUsedAt'])
      .where('user_id', '=', id)
      .orderBy('created_at'),
  authenticatorApps: (db, id) =>
    db
      .selectFrom('authenticator_app')
      .select(['confirmed', 'created_at as createdAt'])
      .where('user_id', '=', id),
  rememberedBrowsers: (db, id) =>
    db.selectFrom('remembered_browser').select('signed_in_at as signedInAt').where('user_id', '=', id),
  packs: (db, id) =>
    db
      .selectFrom('pack')
      .select(['pack_id as id', 'title', 'slug', 'status', 'created_at as createdAt'])
      .where('creator_id', '=', id)
      .orderBy('created_at'),
  saved: (db, id) =>
    db
      .selectFrom('saved_item')
      .select(['item_id as id', 'item', 'created_at as createdAt'])
      .where('user_id', '=', id)
      .orderBy('created_at', 'desc'),
  following: (db, id) =>
    db
      .selectFrom('follow')
      .select(['kind', 'subject', 'created_at as createdAt'])
      .where('user_id', '=', id)
      .orderBy('created_at', 'desc'),
  projects: (db, id) =>
    db
      .selectFrom('project')
      .select(['name', 'tempo', 'key', 'time_signature as timeSignature', 'created_at as createdAt'])
      .where('user_id', '=', id)
      .orderBy('created_at', 'desc'),
  workbenches: (db, id) =>
    db
      .selectFrom('workbench')
      .select(['name', 'tempo', 'key', 'time_signature as timeSignature', 'lanes'])
      .select(['created_at as createdAt', 'updated_at as updatedAt'])
      .where('user_id', '=', id)
      .orderBy('created_at', 'desc'),
  collections: (db, id) =>
    db
      .selectFrom('own_collection as c')
      .select(['name', 'description', 'created_at as createdAt', 'updated_at as updatedAt'])
      .select(({ selectFrom }) => {
        const entries = selectFrom('own_collection_sample as e')
          .select('e.sample_id')
          .whereRef('e.collection_id', '=', 'c.collection_id');
        return sql<string[]>`array(${entries.orderBy('e.place')})`.as('sampleIds');
      })
      .where('user_id', '=', id)
      .orderBy('created_at'),
  addedToCollections: (db, id) =>
    db
      .selectFrom('own_collection_sample as e')
      .innerJoin('own_collection as c', 'c.collection_id', 'e.collection_id')
      .select(['c.name as collection', 'e.sample_id as sampleId', 'e.added_at as addedAt'])
      .where('e.added_by', '=', id)
      .where('c.user_id', '<>', id)
      .orderBy('e.added_at'),
  history: (db, id) =>
    db
      .selectFrom('listening_entry')
      .select(['entry', 'played_at as playedAt'])
      .where('user_id', '=', id)
      .orderBy('played_at', 'desc'),
  reports: (db, id) =>
    db
      .selectFrom('report')
      .select(['subject_kind as kind', 'subject_id as id', 'reason', 'detail', 'created_at as createdAt'])
      .where('reporter_id', '=', id)
      .orderBy('created_at'),
  complaints: (db, id) =>
    db
      .selectFrom('complaint')
      .select(['complaint_id as id', 'kind', 'subject_kind as subject', 'subject_id as subjectId', 'status'])
      .select(['filed_at as filedAt', 'decided_at as decidedAt', 'measure'])
      .where('complaint_id', 'in', complaintsOf(db, id))
      .orderBy('filed_at'),
  acceptedTexts: (db, id) =>
    db
      .selectFrom('event')
      .select(['data', 'recorded_at as recordedAt'])
      .where('stream', '=', `acceptance-${id}`)
      .orderBy('position'),
  remarks: (db, id) =>
    db
      .selectFrom('remark')
      .select(['text', 'said_at as saidAt'])
      .where(({ eb, val }) => eb('about', '@>', val([id])))
      .where('text', 'is not', null)
      .orderBy('said_at'),
  gifts: (db, id) =>
    db
      .selectFrom('gift')
      .select(['product', 'quantity', 'email', 'created_at as orderedAt'])
      .where('user_id', '=', id)
      .orderBy('created_at'),
  credits: (db, id) =>
    db
      .selectFrom('credit_line')
      .select(['reason', 'delta', 'balance_after as balanceAfter', 'created_at as createdAt'])
      .where('user_id', '=', id)
      .orderBy('position'),
  downloads: (db, id) =>
    db
      .selectFrom('owned_sample')
      .select(['sample_id as sampleId', 'price_credits as priceCredits'])
      .select(['certificate_id as certificateId', 'purchased_at as purchasedAt'])
      .where('buyer_id', '=', id)
      .orderBy('purchased_at'),
  importedDownloads: (db, id) =>
    db
      .selectFrom('imported_download')
      .select(['item', 'downloaded_at as downloadedAt'])
      .where('user_id', '=', id)
      .orderBy('downloaded_at', 'desc'),
  mails: (db, id) =>
    db
      .selectFrom('mail_log as l')
      .innerJoin('user_account as a', (join) =>
        join.on(({ eb, fn }) => eb(fn('lower', ['l.recipient']), '=', fn('lower', ['a.email']))),
      )
      .select(['l.subject', 'l.status', 'l.asked_at as askedAt'])
      .where('a.user_id', '=', id)
      .orderBy('l.asked_at', 'desc'),
  notices: (db, id) =>
    db
      .selectFrom('notice')
      .select(['subject', 'path', 'sales', 'micro_usd as microUsd', 'at', 'read_at as readAt'])
      .where('user_id', '=', id)
      .orderBy('position'),
  certificates: (db, id) => db.selectFrom('certificate').select('document').where('buyer_id', '=', id),
} satisfies Record<string, Ask>;

/** The headings of the personal-data file that have at most one row of data for a user. */
const SINGLE = {
  account: (db, id) =>
    db
      .selectFrom('user_account as a')
      .select(['user_id as id', 'email', 'display_name as displayName'])
      .select(['email_verified_at as emailVerifiedAt', 'created_at as createdAt'])
      .select(({ selectFrom }) => {
        const roles = selectFrom('staff_role as r').select('role').whereRef('r.user_id', '=', 'a.user_id');
        return sql`array(${roles.orderBy('role')})`.as('roles');
      })
      .where('user_id', '=', id),
  notifications: (db, id) =>
    db.selectFrom('weekly_mail').select('is_wanted as weeklyMail').where('user_id', '=', id),
  buyerName: (db, id) =>
    db.selectFrom('hidden_buyer').select(sql.lit(true).as('isHidden')).where('user_id', '=', id),
  taxDetails: (db, id) =>
    db
      .selectFrom('tax_detail')
      .select(['stated', 'from_provider as fromProvider', 'changed_at as changedAt'])
      .where('creator_id', '=', id),
  fileNames: (db, id) => db.selectFrom('file_name_template').select('template').where('user_id', '=', id),
  creatorProfile: (db, id) =>
    db
      .selectFrom('creator_profile')
      .select(['handle', 'bio', 'socials', 'featured_samples as featuredSamples', 'updated_at as updatedAt'])
      .where('user_id', '=', id),
  creatorStatus: (db, id) =>
    db
      .selectFrom('creator_standing')
      .select(['status', 'reason', 'applied_at as appliedAt'])
      .where('user_id', '=', id),
  mailingList: (db, id) =>
    db
      .selectFrom('mailing_list as m')
      .innerJoin('user_account as a', (join) =>
        join.on('m.email_lower', '=', ({ fn }) => fn<string>('lower', ['a.email'])),
      )
      .select(['m.email', 'm.confirmed_at as confirmedAt'])
      .where('a.user_id', '=', id),
} satisfies Record<string, Ask>;

type Ask = (db: Queries, userId: string) => { execute(): Promise<object[]> };

/** Yields the data heading by heading, so that not all of it is in memory at once. */
export async function* exportPerson(
  db: Queries,
  userId: string,
): AsyncGenerator<readonly [heading: string, value: unknown]> {
  for (const [heading, ask] of Object.entries(SINGLE))
    yield [heading, (await ask(db, userId).execute())[0] ?? null];
  for (const [heading, ask] of Object.entries(HEADINGS)) yield [heading, await ask(db, userId).execute()];
}

/**
 * Returns the addresses of the account and of its mailed links, except those of other users. Mails to the returned
 * addresses are deleted.
 */
const addressesOf = (db: Queries, userId: string) =>
  db
    .selectFrom('user_account')
    .select(({ fn }) => fn<string>('lower', ['email']).as('address'))
    .where('user_id', '=', userId)
    .union(
      db
        .selectFrom('mail_token as t')
        .select(({ fn }) => fn<string>('lower', ['t.email']).as('address'))
        .where('t.user_id', '=', userId)
        .where(({ exists, not, selectFrom }) => {
          const others = selectFrom('user_account as a')
            .select('a.user_id')
            .where(({ eb, fn }) => eb(fn('lower', ['a.email']), '=', fn('lower', ['t.email'])))
            .where('a.user_id', '<>', userId);
          return not(exists(others));
        }),
    );

/** Tables whose rows of the person are deleted. Packs stay for their buyers, under an anonymous handle. */
const GONE = [
  'session',
  'access_token',
  'known_browser',
  'remembered_browser',
  'passkey',
  'authenticator_app',
  'recovery_code',
  'pending_sign_in',
  'external_identity',
  'identity_link',
  'mail_token',
  'saved_item',
  'listening_entry',
  'follow',
  'project',
  'workbench',
  // The database also deletes the sample lists of these collections.
  'own_collection',
  'imported_download',
  'file_name_template',
  'weekly_mail',
  'hidden_buyer',
  'notice',
  'notice_choice',
  'archive_ticket',
  'direct_upload',
  // `PreparedExports.forget` deletes the files of these exports after the erasure.
  'prepared_export',
  'idempotent_request',
  'sample_encoding',
  'handle_history',
] as const;

/** Removes a person's data but keeps the user id. Runs in the caller's transaction. */
export async function erasePerson(db: Queries, userId: string, now: Date): Promise<void> {
  const addresses = addressesOf(db, userId);
  for (const table of ['mailbox', 'mail_log'] as const)
    await db
      .deleteFrom(table)
      .where(({ eb, fn }) => eb(fn<string>('lower', ['recipient']), 'in', addresses))
      .execute();
  // Raw SQL: the data of jobs is JSON.
  await db
    .deleteFrom('jobs.job')
    .where('name', '=', MAIL.name)
    .where(({ eb, or }) =>
      or([
        eb(sql<string>`data ->> 'userId'`, '=', userId),
        eb(sql<string>`lower(data ->> 'email')`, 'in', addresses),
      ]),
    )
    .execute();
  await db
    .deleteFrom('mailing_list as m')
    .using('user_account as a')
    .where('a.user_id', '=', userId)
    .whereRef('m.email_lower', '=', ({ fn }) => fn<string>('lower', ['a.email']))
    .execute();
  await forgetComplaints(db, addresses);
  await forgetReports(db, userId);
  await db
    .updateTable('remark')
    .set({ text: null, salt: Buffer.alloc(0) })
    .where(({ eb, val }) => eb('about', '@>', val([userId])))
    .execute();
  await db.updateTable('creator_standing').set({ reason: null }).where('user_id', '=', userId).execute();
  // Only earlier versions wrote texts to this table, and some may be left.
  await db.updateTable('adjustment').set({ explanation: '' }).where('user_id', '=', userId).execute();
  // Keeps notes that say why approved work could not be carried out: these notes are codes, and a rebuild would
  // restore them.
  const note = sql<string | null>`case status when 'not carried out' then note end`;
  await db
    .updateTable('approval')
    .set({ reason: '', note })
    .where(({ eb, or }) =>
      or([eb('beneficiary_id', '=', userId), eb(sql<string>`work->>'buyerId'`, '=', userId)]),
    )
    .execute();
  await db.updateTable('pack').set({ takedown_reason: null }).where('creator_id', '=', userId).execute();
  // Removes the name from certificates and clears the signature. They are signed again when a user opens them.
  const without = (role: 'licensee' | 'creator') =>
    db.updateTable('certificate').set({
      document: sql<never>`jsonb_set(document::jsonb, ${`{${role},displayName}`}::text[], '"Deleted user"')::json`,
      signature: '',
    });
  await without('licensee').where('buyer_id', '=', userId).execute();
  // Reads all certificates, so it runs only for creators who ever had a sample.
  await without('creator')
    .where(sql<string>`document->'creator'->>'id'`, '=', userId)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('sample').select('sample_id').where('creator_id', '=', userId)),
    )
    .execute();
  // Tax law asks to keep the details of creators who earned something.
  await db
    .deleteFrom('tax_detail')
    .where('creator_id', '=', userId)
    .where(({ exists, not, selectFrom }) =>
      not(exists(selectFrom('earning').select('creator_id').where('creator_id', '=', userId))),
    )
    .execute();
  await db.updateTable('tax_detail').set({ closed_at: now }).where('creator_id', '=', userId).execute();
  await tellPaymentProvider(db, userId, now);
  await db.deleteFrom('follow').where('kind', '=', 'creator').where('subject', '=', userId).execute();
  // Samples that the erased user added to collections of others stay, without the name of the user.
  await db
    .updateTable('own_collection_sample')
    .set({ added_by: null })
    .where('added_by', '=', userId)
    .execute();
  await db
    .updateTable('own_collection')
    .set({ collaborator_id: null, invitation_token: null })
    .where('collaborator_id', '=', userId)
    .execute();
  // The rows stay, so that the codes can still be redeemed. A slow payment may still arrive for a gift without an
  // invoice, and then only its receiver can get the code.
  await db
    .updateTable('gift')
    .set({ email: null })
    .where(({ and, eb, exists, fn, or, selectFrom }) => {
      const paid = selectFrom('stripe_invoice as i')
        .select('i.invoice_id')
        .whereRef('i.user_id', '=', 'gift.user_id')
        .whereRef('i.gift_id', '=', 'gift.gift_id');
      return or([
        and([eb('user_id', '=', userId), exists(paid)]),
        eb(fn<string>('lower', ['email']), 'in', addresses),
      ]);
    })
    .execute();
  await db.updateTable('first_credits').set({ user_id: null }).where('user_id', '=', userId).execute();
  for (const table of GONE) await db.deleteFrom(table).where('user_id', '=', userId).execute();
  const renamed = await db
    .updateTable('creator_profile')
    .set({
      handle: `deleted_${userId.replaceAll('-', '').slice(0, 12)}`,
      bio: '',
      socials: {},
      featured_samples: [],
      updated_at: now,
    })
    .where('user_id', '=', userId)
    .returning(['user_id', 'handle as handle_lower'])
    .executeTakeFirst();
  if (renamed)
    await db
      .insertInto('handle_history')
      .values({ ...renamed, given_at: now })
      .execute();
  await db.deleteFrom('creator_name').where('user_id', '=', userId).execute();
  await db
    .updateTable('user_account')
    .set({
      email: null,
      password_hash: null,
      display_name: 'Deleted user',
      avatar_key: null,
      email_verified_at: null,
      erased_at: now,
    })
    .where('user_id', '=', userId)
    .where('erased_at', 'is', null)
    .returning(notifyChange())
    .execute();
}

/** Queues the person's deletion at the payment provider, if the provider knows the person. */
async function tellPaymentProvider(db: Queries, userId: string, now: Date): Promise<void> {
  const known = db
    .selectFrom('user_account as a')
    .leftJoin('stripe_customer as c', 'c.user_id', 'a.user_id')
    .leftJoin('connect_account as k', 'k.creator_id', 'a.user_id')
    .select(({ val }) => ['a.user_id', 'c.customer_id', 'k.account_id', val(now).as('erased_at')])
    .select(({ val }) => val(now).as('next_at'))
    .where('a.user_id', '=', userId)
    .where(({ eb, or }) => or([eb('c.customer_id', 'is not', null), eb('k.account_id', 'is not', null)]));
  await db
    .insertInto('payer_to_forget')
    .columns(['user_id', 'customer_id', 'account_id', 'erased_at', 'next_at'])
    .expression(known)
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute();
}

/** Clears texts by or about the person, which may contain names. Keeps what was reported, and for which reason. */
async function forgetReports(db: Queries, userId: string): Promise<void> {
  const packs = db.selectFrom('pack').select('pack_id').where('creator_id', '=', userId);
  const samples = db.selectFrom('sample').select('sample_id').where('creator_id', '=', userId);
  const handles = db.selectFrom('handle_history').select('handle_lower').where('user_id', '=', userId);
  await db
    .updateTable('report')
    .set(({ fn, val }) => ({ reporter_id: fn('nullif', ['reporter_id', val(userId)]), detail: '' }))
    .where(({ eb, or }) =>
      or([
        eb('reporter_id', '=', userId),
        eb('subject_id', '=', userId),
        eb('subject_id', 'in', packs),
        eb('subject_id', 'in', samples),
        eb('subject_id', 'in', handles),
      ]),
    )
    .execute();
}
