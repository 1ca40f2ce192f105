import { sql } from 'kysely';

export const eventLog = sql`
  -- json and not jsonb: the hash chain covers the bytes as written.
  create table event (
    position     bigint primary key,
    stream       text collate "C" not null,
    version      int not null check (version > 0),
    type         text not null,
    data         json not null,
    metadata     json not null,
    -- The credits that the event moves: SQL adds up balances without parsing JSON.
    credit_delta int,
    recorded_at  timestamptz not null,
    hash         bytea not null check (length(hash) = 32),
    unique (stream, version)
  );
  create index event_by_type on event (type, position);

  -- Stops accidents of the owner. Dropping the triggers still breaks the hash chain.
  create function refuse_rewriting_history() returns trigger language plpgsql as $$
    begin
      raise exception 'the event log is append-only: % refused', tg_op using errcode = 'insufficient_privilege';
    end $$;
  create trigger event_is_append_only before update or delete on event
    for each row execute function refuse_rewriting_history();
  create trigger event_is_never_emptied before truncate on event
    for each statement execute function refuse_rewriting_history();

  -- One row an append. While any transaction is open, PostgreSQL keeps all versions of a row that each append
  -- rewrites, and every append has to pass them.
  create table log_end (
    position bigint primary key,
    hash     bytea not null check (length(hash) = 32)
  );
  insert into log_end (position, hash) values (0, decode(repeat('00', 32), 'hex'));
  -- The lock keeps positions without gaps and in commit order. A statement in a function sees what was committed
  -- while the one before waited. "execute" plans it each time: a plan of the small table would read all of it.
  create function hold_log_end() returns table ("position" bigint, hash bytea) language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(7218043621);
      return query execute 'select position, hash from log_end order by position desc limit 1';
    end $$;
  -- For programs that update one row with the end of the log.
  create view log_head as select true as only_row, held.position, held.hash from hold_log_end() as held;
  create function move_log_head() returns trigger language plpgsql as $$
    begin
      insert into log_end (position, hash) values (new.position, new.hash);
      return new;
    end $$;
  create trigger log_head_moves instead of update on log_head
    for each row execute function move_log_head();

  -- json keeps a NUL or half a surrogate pair, but reading any field of such a row fails. The store refuses them
  -- now; older rows cannot change and are read with U+FFFD instead.
  create function readable_json(value json) returns json language sql immutable parallel safe as $$
    select case when strpos(value::text, '\\u') = 0 then value
                else regexp_replace(value::text, '(?<!\\\\)((\\\\\\\\)*)\\\\u(0000|[dD][89a-fA-F][0-9a-fA-F]{2})', '\\1\\\\ufffd', 'g')::json end
    $$;
  create view readable_event as
    select position, stream, version, type, readable_json(data) as data, metadata, credit_delta, recorded_at, hash from event;

  create table checkpoint (
    name     text primary key,
    version  int not null,
    position bigint not null,
    -- The event types that the subscription follows. Null: all.
    types    text[]
  );
  create table parked_event (
    follower  text not null,
    position  bigint not null,
    stream    text not null,
    version   int not null,
    type      text not null,
    -- Empty for an event that only waits behind another one.
    error     text not null,
    attempts  int not null,
    parked_at timestamptz not null,
    retry_at  timestamptz not null,
    primary key (follower, position)
  );
  create table secret (name text primary key, value bytea not null);
  create table schema_floor (
    only_row  boolean primary key default true check (only_row),
    migration text not null
  );
  insert into schema_floor (migration) values ('0147-baseline');`;

/** Tables without history: personal data can be erased. Tokens are hashed, so a copy of the data opens no session. */
export const accounts = sql`
  create table user_account (
    user_id           text primary key,
    -- Null after the erasure. The row stays, because the books name its id.
    email             text,
    -- Null for accounts that only sign in elsewhere.
    password_hash     text,
    display_name      text not null,
    avatar_key        text,
    email_verified_at timestamptz,
    created_at        timestamptz not null,
    erased_at         timestamptz,
    check ((erased_at is null) = (email is not null))
  );
  create unique index user_account_email on user_account (lower(email));
  create index user_account_named on user_account using gin (lower(display_name) gin_trgm_ops);

  create table session (
    session_id       text primary key,
    user_id          text not null references user_account on delete cascade,
    created_at       timestamptz not null,
    ended_at         timestamptz,
    authenticated_at timestamptz not null,
    user_agent       text,
    -- A /24 or /48, never the whole address.
    network          text,
    country          text,
    last_used_at     timestamptz,
    second_factor_at timestamptz
  );
  create index session_of_user on session (user_id);
  create table session_token (
    token_hash  text primary key,
    session_id  text not null references session on delete cascade,
    created_at  timestamptz not null,
    expires_at  timestamptz not null,
    -- Set when a renewal replaced it. Its next use ends the session.
    replaced_at timestamptz
  );
  create index session_token_session on session_token (session_id);
  create table known_browser (
    user_id text not null references user_account on delete cascade,
    -- Its name without the version, so that an update is no other browser.
    browser text not null,
    seen_at timestamptz not null,
    primary key (user_id, browser)
  );
  -- Wrong passwords of strangers do not slow down these browsers.
  create table remembered_browser (
    user_id      text not null references user_account on delete cascade,
    cookie_hash  text not null,
    signed_in_at timestamptz not null,
    primary key (user_id, cookie_hash)
  );

  create table external_identity (
    issuer    text not null,
    -- The provider's id of the person, which never changes, unlike the address.
    subject   text not null,
    user_id   text not null references user_account on delete cascade,
    linked_at timestamptz not null,
    primary key (issuer, subject)
  );
  create index external_identity_user on external_identity (user_id);
  -- Identities whose address belongs to an account with a password, until that password is entered.
  create table identity_link (
    token_hash text primary key,
    issuer     text not null,
    subject    text not null,
    user_id    text not null references user_account on delete cascade,
    expires_at timestamptz not null
  );
  create table mail_token (
    token_hash text primary key,
    purpose    text not null check (purpose in ('verify-email', 'reset-password', 'undo-email')),
    user_id    text not null references user_account on delete cascade,
    -- The token proves the address to which it was sent, which may no longer be the account's.
    email      text not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    used_at    timestamptz,
    order_id   text
  );
  create index mail_token_user on mail_token (user_id, purpose);
  create index mail_token_undo on mail_token (lower(email)) where purpose = 'undo-email';
  create unique index mail_token_order on mail_token (order_id);

  create table passkey (
    credential_id text primary key,
    user_id       text not null references user_account on delete cascade,
    public_key    bytea not null,
    -- The authenticator's count. A lower one means that the passkey was copied.
    counter       bigint not null,
    transports    text[] not null,
    backed_up     boolean not null,
    name          text not null,
    created_at    timestamptz not null,
    last_used_at  timestamptz
  );
  create index passkey_of_user on passkey (user_id);
  create table passkey_challenge (
    challenge  text primary key,
    -- Each session and each pending sign-in has its own purpose.
    purpose    text not null,
    expires_at timestamptz not null
  );
  create table authenticator_app (
    user_id       text not null references user_account on delete cascade,
    -- A new app is unconfirmed beside the old one until its first code.
    confirmed     boolean not null,
    sealed_secret bytea not null,
    created_at    timestamptz not null,
    -- The last used step of 30 seconds: a code counts once.
    last_step     bigint not null default 0,
    primary key (user_id, confirmed)
  );
  create table recovery_code (
    user_id    text not null references user_account on delete cascade,
    code_hash  text not null,
    created_at timestamptz not null,
    used_at    timestamptz,
    primary key (user_id, code_hash)
  );
  create table pending_sign_in (
    token_hash       text primary key,
    user_id          text not null references user_account on delete cascade,
    -- The time of the first proof. Null: now.
    authenticated_at timestamptz,
    attempts         int not null default 0,
    expires_at       timestamptz not null
  );

  create table idempotent_request (
    user_id      text not null,
    key          text not null,
    route        text not null,
    request_hash text not null,
    started_at   timestamptz not null,
    -- Null while the first request runs.
    status       int,
    answer       jsonb,
    -- The claim of a request that runs too long passes to another one. The slow one must not change it then.
    owner        text,
    primary key (user_id, key)
  );
  -- A crash empties it, which only forgives attempts.
  create unlogged table rate_limit (
    key       text primary key,
    hits      int not null,
    resets_at timestamptz not null
  );`;

export const profiles = sql`
  create table creator_profile (
    user_id    text primary key references user_account on delete cascade,
    handle     text not null unique,
    bio        text not null default '',
    socials    jsonb not null default '{}',
    updated_at timestamptz not null,
    -- Without foreign keys: the page skips samples that were removed later.
    featured_samples text[] not null default '{}' check (cardinality(featured_samples) <= 10)
  );
  create index creator_profile_named on creator_profile using gin (lower(handle) gin_trgm_ops);
  -- Every handle ever given, so that links keep working and no other creator gets them.
  create table handle_history (
    handle_lower text primary key,
    user_id      text not null references user_account on delete cascade,
    given_at     timestamptz not null
  );
  create index handle_history_user on handle_history (user_id);
  create table creator_standing (
    user_id    text primary key,
    status     text not null check (status in ('applied', 'approved', 'declined', 'suspended')),
    reason     text,
    applied_at timestamptz,
    updated_at timestamptz not null
  );
  create index creator_standing_by_status on creator_standing (status, applied_at);
  -- The first handle, so that a new one moves no file.
  create table creator_folder (
    user_id text primary key,
    folder  text not null unique
  );
  create table creator_name (
    user_id       text primary key,
    -- Null for a creator whose name an older account has: such a name cannot be verified.
    skeleton      text unique,
    verified_name text,
    -- A verified name before a rename that staff have not reviewed.
    former_name   text
  );
  create table ai_preference (
    user_id text primary key,
    trains  boolean not null,
    version int not null
  );`;

export const mail = sql`
  create table mailbox (
    mail_id   bigint generated always as identity primary key,
    recipient text not null,
    subject   text not null,
    text      text not null,
    links     text[] not null,
    sent_at   timestamptz not null
  );
  create index mailbox_by_time on mailbox (sent_at);
  -- Without the texts of mails: their links sign people in.
  create table mail_log (
    mail_id    text primary key,
    recipient  text not null,
    subject    text not null,
    status     text not null check (status in ('sending', 'sent', 'failed')),
    attempts   int not null,
    last_error text,
    asked_at   timestamptz not null,
    settled_at timestamptz
  );
  create index mail_log_asked on mail_log (asked_at, mail_id);
  -- Only confirmed addresses are stored. Most subscribers have no account.
  create table mailing_list (
    email_lower  text primary key,
    email        text not null,
    confirmed_at timestamptz not null
  );
  create table receipt (
    fact     text primary key,
    begun_at timestamptz not null,
    sent_at  timestamptz
  );`;

export const staff = sql`
  create table staff_role (
    user_id    text not null,
    role       text not null,
    granted_by text not null,
    granted_at timestamptz not null,
    primary key (user_id, role)
  );
  create table staff_act (
    position       bigint primary key,
    at             timestamptz not null,
    by_id          text,
    did            text not null,
    kind           text,
    request_id     text,
    subject        text,
    beneficiary_id text,
    credits        int,
    micro_usd      bigint,
    note           text
  );
  create index staff_act_request on staff_act (request_id);

  create table adjustment (
    adjustment_id   text primary key,
    user_id         text not null,
    credits         int not null,
    value_micro_usd bigint not null,
    explanation     text not null,
    status          text not null check (status in ('waiting', 'approved', 'declined', 'failed')),
    requested_by    text not null,
    requested_at    timestamptz not null,
    decided_by      text,
    decided_at      timestamptz,
    makes_good      text
  );
  create index adjustment_newest on adjustment (requested_at desc, adjustment_id desc);
  create index adjustment_of_user on adjustment (user_id);
  create table approval (
    approval_id    text primary key,
    work           jsonb not null,
    reason         text not null,
    status         text not null,
    requested_by   text not null,
    requested_at   timestamptz not null,
    beneficiary_id text,
    lapses_at      timestamptz not null,
    decided_by     text,
    decided_at     timestamptz,
    note           text
  );
  create index approval_newest on approval (requested_at desc, approval_id desc);
  create index approval_waiting on approval (lapses_at) where status = 'waiting';

  -- Events name a remark and prove it by its hash, so that its text can be forgotten.
  create table remark (
    remark_id text primary key,
    salt      bytea not null,
    -- Null: forgotten.
    text      text,
    about     text[] not null,
    -- The stream of the event that names it.
    stream    text not null,
    said_at   timestamptz not null,
    -- An event names it, so the search for unnamed remarks can skip it.
    named     boolean not null default false
  );
  create index remark_about on remark using gin (about) where text is not null;
  create index remark_not_named on remark (said_at) where not named;

  create table report (
    report_id    text primary key,
    -- Null after the reporter's erasure. The report stays.
    reporter_id  text references user_account on delete set null,
    subject_kind text not null check (subject_kind in ('sample', 'pack', 'creator')),
    subject_id   text not null,
    reason       text not null,
    detail       text not null,
    created_at   timestamptz not null
  );
  create index report_newest on report (created_at desc, report_id desc);
  create table complaint (
    complaint_id        text primary key,
    kind                text not null,
    subject_kind        text not null,
    subject_id          text not null,
    creator_id          text not null,
    by_id               text,
    in_confidence       boolean not null,
    status              text not null,
    is_held             boolean not null default false,
    filed_at            timestamptz not null,
    opened_at           timestamptz,
    remark_id           text,
    -- When staff have to answer the complaint or the counter-notice. Null: no answer is due.
    due_at              timestamptz,
    decided_by          text,
    decided_at          timestamptz,
    measure             text not null default 'none',
    is_strike           boolean not null default false,
    reason_remark_id    text,
    counter_by          timestamptz,
    counter_status      text,
    counter_filed_at    timestamptz,
    counter_remark_id   text,
    counter_decided_at  timestamptz,
    counter_reason_remark_id text,
    version             int not null
  );
  create index complaint_due on complaint (due_at, complaint_id) where due_at is not null;
  create index complaint_subject on complaint (subject_id);
  create index complaint_creator on complaint (creator_id);
  create index complaint_by on complaint (by_id);
  create index complaint_decided on complaint (decided_at);
  -- Complainants without an account. Events do not hold their names, so that they can be erased.
  create table complaint_contact (
    complaint_id   text primary key,
    name           text not null,
    email          text not null,
    -- Stands for the address where it must not be read.
    complainant_id text not null,
    filed_at       timestamptz not null
  );
  create index complaint_contact_email on complaint_contact (lower(email));
  create index complaint_contact_complainant on complaint_contact (complainant_id);
  create table strike (
    user_id text not null,
    kind    text not null,
    id      text not null,
    at      timestamptz not null,
    primary key (user_id, kind, id)
  );`;
