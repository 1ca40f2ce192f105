import { sql } from 'kysely';

/**
 * The tables have no foreign keys, because purchases outlive the catalogue. The program stores
 * lower-case copies of searched texts, because PostgreSQL's lower() changes only ASCII letters in the C locale.
 */
export const packs = sql`
  create table pack (
    pack_id         text primary key,
    creator_id      text not null,
    title           text not null,
    title_lower     text not null,
    slug            text not null,
    -- The folder below Users/{creator folder}/Packs: the first slug, so that a new title moves no file.
    folder          text not null,
    genre           text not null,
    mood            text not null,
    description     text not null,
    status          text not null check (status in ('draft', 'published', 'unpublished', 'taken_down', 'deleted')),
    takedown_reason text,
    cover_key       text,
    default_cost_credits int not null,
    -- The samples that can be on sale.
    sample_count    int not null default 0,
    created_at      timestamptz not null,
    updated_at      timestamptz not null,
    published_at    timestamptz,
    version         int not null,
    position        bigint not null,
    listed          boolean not null generated always as (status = 'published' and sample_count > 0) stored
  );
  create index pack_of_creator on pack (creator_id, created_at desc, pack_id);
  create index pack_by_position on pack (position desc);
  create index pack_by_size on pack (sample_count desc, pack_id) where listed;
  create index pack_by_age on pack (published_at desc, pack_id) where listed;
  create index pack_by_cover on pack (cover_key) where cover_key is not null;

  create table sample (
    sample_id         text primary key,
    pack_id           text not null,
    creator_id        text not null,
    title             text not null,
    title_lower       text not null,
    ordinal           int not null,
    price_credits     int not null,
    -- On sale: its pack is published and it was not removed.
    available         boolean not null,
    removed           boolean not null default false,
    taken_down        boolean not null default false,
    bpm               int not null,
    key               text,
    instruments       text[] not null,
    is_royalty_free   boolean not null,
    audio_version     int not null,
    original_key      text not null,
    original_sha256   text not null,
    original_bytes    bigint not null,
    original_filename text not null,
    content_type      text not null,
    format            text not null,
    sample_rate_hz    int not null,
    bit_depth         int,
    channels          int not null,
    duration_ms       int not null,
    preview_key       text not null,
    waveform          int[] not null,
    waveform_fine     int[] not null,
    loudness_lufs     real,
    suggestions       jsonb not null,
    has_stems         boolean not null default false,
    has_midi          boolean not null default false,
    stems             jsonb,
    midi              jsonb,
    created_at        timestamptz not null,
    updated_at        timestamptz not null,
    -- By subject and hash of the original: {"standing", "remarkId"}.
    claims            jsonb not null default '{}',
    standing          text not null default 'free' check (standing in ('free', 'held', 'refused', 'taken_down'))
  );
  create index sample_of_pack on sample (pack_id, ordinal);
  create index sample_of_creator on sample (creator_id, created_at desc);
  -- A purchase may name a sample by the address of its file.
  create index sample_by_original on sample (original_key);
  create index sample_by_preview on sample (preview_key);
  create index sample_by_stems on sample ((stems->>'path')) where stems is not null;
  create index sample_by_midi on sample ((midi->>'path')) where midi is not null;
  create index sample_by_recording on sample (original_sha256);
  create index sample_with_claims on sample (creator_id) where claims <> '{}';

  -- Claimed before the pack is drafted or renamed, and kept, so that former addresses lead to the pack.
  create table pack_slug (
    creator_id text not null,
    slug       text not null,
    pack_id    text not null,
    primary key (creator_id, slug)
  );
  -- Of two creators who publish one recording at the same time, only one succeeds.
  create table recording_claim (
    sha256     text primary key,
    creator_id text not null,
    taken_at   timestamptz not null
  );
  -- Sales are certified under the licence text of their time, even if the certificate is written later.
  create table licence (
    version text primary key,
    since   timestamptz not null
  );
  insert into licence (version, since) values ('1.0', '-infinity'), ('1.1', now());`;

export const search = sql`
  create table catalogue_sample (
    sample_id    text primary key,
    pack_id      text not null,
    creator_id   text not null,
    title_lower  text not null,
    -- Pack, genre, mood and instruments. The artist's name is looked up, so that it can change and be erased.
    text_lower   text not null,
    genre        text not null,
    mood         text not null,
    key          text,
    bpm          int not null,
    instruments  text[] not null,
    popularity   int not null,
    published_at timestamptz not null,
    -- A fixed place in a random order.
    shuffle      int not null
  );
  create index catalogue_sample_title on catalogue_sample using gin (title_lower gin_trgm_ops);
  create index catalogue_sample_text on catalogue_sample using gin (text_lower gin_trgm_ops);
  create index catalogue_sample_instruments on catalogue_sample using gin (instruments);
  create index catalogue_sample_exact on catalogue_sample (title_lower, sample_id);
  create index catalogue_sample_popular on catalogue_sample (popularity desc, sample_id);
  create index catalogue_sample_new on catalogue_sample (published_at desc, sample_id);
  create index catalogue_sample_creator on catalogue_sample (creator_id);
  create index catalogue_sample_pack on catalogue_sample (pack_id);
  create index catalogue_sample_shuffle on catalogue_sample (shuffle);
  create index catalogue_sample_genre on catalogue_sample (genre, shuffle);

  create table download_count (
    kind      text not null check (kind in ('sample', 'pack', 'creator')),
    id        text not null,
    downloads int not null,
    -- The last counted event, so that none counts twice.
    position  bigint not null,
    primary key (kind, id)
  );
  create index download_count_rank on download_count (kind, downloads desc, id);
  create table download_hour (
    sample_id text not null,
    hour      timestamptz not null,
    pack_id   text not null,
    downloads int not null,
    position  bigint not null,
    primary key (sample_id, hour)
  );
  create index download_hour_by_hour on download_hour (hour);
  create table featured_collection (
    place     int primary key,
    slug      text not null unique,
    chosen_by text not null,
    chosen_at timestamptz not null
  );

  -- Counts changes of public pages without an event, as soon as any process commits them.
  create table page_change (changes bigint not null);
  insert into page_change values (0);
  create function count_page_change() returns trigger language plpgsql as $$
    begin
      update page_change set changes = changes + 1;
      return null;
    end $$;
  -- Deferred to the end of a transaction, so that the one row is locked for a moment only, and after all others.
  create constraint trigger page_change after update of display_name, avatar_key on user_account
    deferrable initially deferred for each row
    when (old.display_name is distinct from new.display_name or old.avatar_key is distinct from new.avatar_key)
    execute function count_page_change();
  create constraint trigger page_change after insert or update or delete on creator_profile
    deferrable initially deferred for each row execute function count_page_change();
  create constraint trigger page_change after insert or update or delete on featured_collection
    deferrable initially deferred for each row execute function count_page_change();
  create constraint trigger page_change after insert or update or delete on creator_name
    deferrable initially deferred for each row execute function count_page_change();`;

export const sounds = sql`
  create table sound_fingerprint (
    sample_id     text primary key,
    -- New whenever the audio changes, so that readers can ask for those after the last one that they know.
    sound_id      bigserial unique,
    audio_version int not null,
    algorithm     int not null,
    -- Null: too plain to be distinguished from others.
    signs         bytea,
    -- When it was compared with all others. Null: not yet.
    compared_at   timestamptz
  );
  create table alike_sounds (
    sample_id          text not null,
    audio_version      int not null,
    like_sample_id     text not null,
    like_audio_version int not null,
    likeness           jsonb not null,
    found_at           timestamptz not null,
    primary key (sample_id, audio_version, like_sample_id, like_audio_version)
  );
  create index alike_sounds_of_like on alike_sounds (like_sample_id);
  create table suspected_copy (
    copy_id             text primary key,
    sample_id           text not null,
    audio_version       int not null,
    pack_id             text not null,
    creator_id          text not null,
    like_sample_id      text not null,
    like_audio_version  int not null,
    like_creator_id     text not null,
    -- Less similar or earlier recordings: [{sampleId, audioVersion, creatorId}].
    also_like           jsonb not null default '[]',
    found_by            text not null,
    tier                text not null,
    score               int not null,
    match               jsonb not null,
    is_held             boolean not null,
    status              text not null,
    suspected_at        timestamptz not null,
    statement_kind      text,
    statement_remark_id text,
    answer_remark_id    text,
    decided_by          text,
    decided_at          timestamptz,
    reason_remark_id    text,
    and_others          boolean not null default false,
    version             int not null
  );
  create index suspected_copy_open on suspected_copy (score desc, copy_id) where status = 'open';
  create index suspected_copy_sample on suspected_copy (sample_id);
  create index suspected_copy_like on suspected_copy (like_sample_id);
  create index suspected_copy_pack on suspected_copy (pack_id);
  create index suspected_copy_creator on suspected_copy (creator_id);
  create index suspected_copy_like_creator on suspected_copy (like_creator_id);`;

export const files = sql`
  create table unreferenced_object (
    key            text primary key,
    size_bytes     bigint not null,
    noted_at       timestamptz not null,
    -- Committed before the removal starts: a transaction open meanwhile would hold a connection and old rows.
    removing_since timestamptz
  );
  create table object_sweep (name text primary key, turn_at timestamptz not null);
  create table file_check (
    sample_id  text primary key,
    object_key text not null,
    sha256     text not null,
    checked_at timestamptz not null,
    fault      text
  );
  create index file_check_by_time on file_check (checked_at);
  -- For nodes that do not receive the upload. A crash loses it together with the upload.
  create unlogged table upload_progress (
    user_id    text not null,
    upload_id  text not null,
    phase      text not null,
    share      double precision not null,
    changed_at timestamptz not null,
    primary key (user_id, upload_id)
  );
  create index upload_progress_by_time on upload_progress (changed_at);
  create table direct_upload (
    user_id      text not null,
    upload_id    text not null,
    pack_id      text not null,
    filename     text not null,
    size_bytes   bigint not null,
    object_key   text not null,
    multipart_id text not null,
    begun_at     timestamptz not null,
    primary key (user_id, upload_id)
  );
  create index direct_upload_by_time on direct_upload (begun_at);
  create table sample_encoding (
    user_id    text not null,
    pack_id    text not null,
    upload_id  text not null,
    object_key text not null,
    filename   text not null,
    becomes    jsonb not null,
    outcome    jsonb,
    ordered_at timestamptz not null,
    primary key (user_id, pack_id, upload_id)
  );
  create index sample_encoding_by_time on sample_encoding (ordered_at);
  create table prepared_export (
    export_id    text primary key,
    user_id      text not null,
    kind         text not null,
    parameters   jsonb not null,
    filename     text not null,
    content_type text not null,
    state        text not null,
    size_bytes   bigint,
    ordered_at   timestamptz not null,
    expires_at   timestamptz
  );
  -- One export in progress per person, kind and parameters.
  create unique index prepared_export_in_work on prepared_export (user_id, kind, parameters)
    where state = 'preparing';
  create index prepared_export_by_user on prepared_export (user_id, kind, ordered_at);
  create index prepared_export_by_expiry on prepared_export (expires_at);`;

/** Items are stored as the browser describes them, so that users still see items that left the catalogue. */
export const library = sql`
  create table saved_item (
    user_id    text not null references user_account on delete cascade,
    item_id    text not null,
    item       jsonb not null,
    created_at timestamptz not null,
    primary key (user_id, item_id)
  );
  create index saved_item_newest on saved_item (user_id, created_at desc, item_id desc);
  create table listening_entry (
    user_id   text not null references user_account on delete cascade,
    entry_id  text not null,
    entry     jsonb not null,
    played_at timestamptz not null,
    primary key (user_id, entry_id)
  );
  -- What an older client remembered. It cannot be checked, so it gives no right to a file.
  create table imported_download (
    user_id       text not null references user_account on delete cascade,
    url           text not null,
    item          jsonb not null,
    downloaded_at timestamptz not null,
    primary key (user_id, url)
  );
  -- An address has no room for a thousand sample ids.
  create table archive_ticket (
    ticket_id  text primary key,
    user_id    text not null references user_account on delete cascade,
    sample_ids text[] not null,
    name       text,
    expires_at timestamptz not null,
    begun_at   timestamptz,
    sent_at    timestamptz,
    broken_at  timestamptz
  );
  create index archive_ticket_by_expiry on archive_ticket (expires_at);`;
