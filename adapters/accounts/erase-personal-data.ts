import type { ClientBase, Pool } from 'pg';

/** What is kept about a person, as they may read it: one query a heading, in raw SQL as a table of them reads. Secrets are left out. */
const HEADINGS: Record<string, string> = {
  account: `select user_id as id, email, display_name as "displayName", email_verified_at as "emailVerifiedAt",
                   array(select role from staff_role r where r.user_id = a.user_id order by role) as roles, created_at as "createdAt" from user_account a where user_id = $1`,
  sessions: `select s.created_at as "createdAt", s.ended_at as "endedAt", max(t.created_at) as "renewedAt"
               from session s join session_token t using (session_id)
              where s.user_id = $1 group by s.session_id order by s.created_at desc`,
  signInsElsewhere: `select issuer, linked_at as "linkedAt" from external_identity where user_id = $1`,
  creatorProfile: `select handle, bio, socials, featured_samples as "featuredSamples", updated_at as "updatedAt" from creator_profile where user_id = $1`,
  creatorStatus: `select status, reason, applied_at as "appliedAt" from creator_standing where user_id = $1`,
  packs: `select pack_id as id, title, slug, status, created_at as "createdAt" from pack
           where creator_id = $1 order by created_at`,
  saved: `select item_id as id, item, created_at as "createdAt" from saved_item
           where user_id = $1 order by created_at desc`,
  history: `select entry, played_at as "playedAt" from listening_entry where user_id = $1 order by played_at desc`,
  reports: `select subject_kind as kind, subject_id as id, reason, detail, created_at as "createdAt" from report
             where reporter_id = $1 order by created_at`,
  credits: `select reason, delta, balance_after as "balanceAfter", created_at as "createdAt" from credit_line
             where user_id = $1 order by position`,
  downloads: `select sample_id as "sampleId", price_credits as "priceCredits", certificate_id as "certificateId",
                     purchased_at as "purchasedAt" from owned_sample where buyer_id = $1 order by purchased_at`,
  importedDownloads: `select item, downloaded_at as "downloadedAt" from imported_download
           where user_id = $1 order by downloaded_at desc`,
  mailingList: `select m.email, m.confirmed_at as "confirmedAt" from mailing_list m
                  join user_account a on m.email_lower = lower(a.email) where a.user_id = $1`,
  mails: `select l.subject, l.status, l.asked_at as "askedAt" from mail_log l
            join user_account a on lower(l.recipient) = lower(a.email) where a.user_id = $1 order by l.asked_at desc`,
  certificates: `select document from certificate where buyer_id = $1`,
};

const SINGLE = new Set(['account', 'mailingList', 'creatorProfile', 'creatorStatus']);

export async function exportPerson(pool: Pool, userId: string): Promise<Record<string, unknown>> {
  const answer: Record<string, unknown> = {};
  for (const [heading, query] of Object.entries(HEADINGS)) {
    const { rows } = await pool.query(query, [userId]);
    answer[heading] = SINGLE.has(heading) ? (rows[0] ?? null) : rows;
  }
  return answer;
}

/** The present address, and those that mails about a move went to, unless they are somebody else's. */
const ADDRESSES = `
  select lower(email) from user_account where user_id = $1
  union
  select lower(t.email) from mail_token t
   where t.user_id = $1 and not exists (
     select 1 from user_account a where lower(a.email) = lower(t.email) and a.user_id <> $1)`;

/** Raw SQL: each takes the person as $1, and most change sets of rows. */
const ERASURES = [
  `delete from mailbox where lower(recipient) in (${ADDRESSES})`,
  `delete from mail_log where lower(recipient) in (${ADDRESSES})`,
  'delete from mailing_list where email_lower = (select lower(email) from user_account where user_id = $1)',
  'delete from session where user_id = $1',
  'delete from external_identity where user_id = $1',
  'delete from identity_link where user_id = $1',
  'delete from mail_token where user_id = $1',
  'delete from saved_item where user_id = $1',
  'delete from listening_entry where user_id = $1',
  'delete from imported_download where user_id = $1',
  'delete from archive_ticket where user_id = $1',
  'delete from idempotent_request where user_id = $1',
  // What people wrote about somebody, or somebody wrote, may name them; what was reported and why in a word stays.
  `update report set reporter_id = case when reporter_id = $1 then null else reporter_id end, detail = ''
    where reporter_id = $1 or subject_id = $1
       or subject_id in (select pack_id from pack where creator_id = $1)
       or subject_id in (select sample_id from sample where creator_id = $1)
       or subject_id in (select handle_lower from handle_history where user_id = $1)`,
  'update creator_standing set reason = null where user_id = $1',
  'update pack set takedown_reason = null where creator_id = $1',
  // The licence stays, without the name; it is signed anew when somebody looks it up.
  `update certificate set document = jsonb_set(document::jsonb, '{licensee,displayName}', '"Deleted user"')::json, signature = ''
    where buyer_id = $1`,
  // The packs stay reachable for who bought them, under a handle that names nobody.
  'delete from handle_history where user_id = $1',
];

/** Removes a person and leaves the id, in one transaction of the caller's. */
export async function erasePerson(client: ClientBase, userId: string, now: Date): Promise<void> {
  for (const statement of ERASURES) await client.query(statement, [userId]);
  await client.query(
    `with renamed as (
       update creator_profile set handle = 'deleted_' || $2, bio = '', socials = '{}', featured_samples = '{}', updated_at = $3
        where user_id = $1 returning user_id, handle
     )
     insert into handle_history (handle_lower, user_id, given_at) select handle, user_id, $3 from renamed`,
    [userId, userId.replaceAll('-', '').slice(0, 12), now],
  );
  await client.query(
    `update user_account set email = null, password_hash = null, display_name = 'Deleted user',
            avatar_key = null, email_verified_at = null, erased_at = $2
      where user_id = $1 and erased_at is null`,
    [userId, now],
  );
}
