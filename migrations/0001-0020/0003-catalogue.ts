import { sql, type Kysely } from 'kysely';

/**
 * Packs and samples as their creator and a buyer see them next (written with the events), and what everybody
 * else searches (written by a follower of the log).
 *
 * Lowercased texts are made by the writer, not by `lower()`: in the C locale that knows ASCII only. No row
 * here is referred to by a foreign key: purchases outlive the catalogue.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(db);
  await ownPacks(db);
  await creators(db);
  await search(db);
}

async function ownPacks(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table pack (
      pack_id         text primary key,
      creator_id      text not null,
      title           text not null,
      title_lower     text not null,
      slug            text not null,
      -- The folder below Users/{creator folder}/Packs: the first slug, so that renaming moves no file.
      folder          text not null,
      genre           text not null,
      mood            text not null,
      description     text not null,
      status          text not null check (status in ('draft', 'published', 'unpublished', 'taken_down', 'deleted')),
      takedown_reason text,
      cover_key       text,
      default_cost_credits int not null,
      sample_count    int not null default 0,
      created_at      timestamptz not null,
      updated_at      timestamptz not null,
      published_at    timestamptz,
      version         int not null,
      position        bigint not null
    )`.execute(db);
  await sql`create index pack_of_creator on pack (creator_id, created_at desc, pack_id)`.execute(db);
  await sql`create index pack_by_position on pack (position desc)`.execute(db);
  await sql`create index pack_by_size on pack (sample_count desc, pack_id) where status = 'published'`.execute(
    db,
  );
  await sql`create index pack_by_age on pack (published_at desc, pack_id) where status = 'published'`.execute(
    db,
  );

  await sql`
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
      updated_at        timestamptz not null
    )`.execute(db);
  await sql`create index sample_of_pack on sample (pack_id, ordinal)`.execute(db);
  await sql`create index sample_of_creator on sample (creator_id, created_at desc)`.execute(db);

  // Claimed before the pack is drafted or renamed, and kept: a former address leads to the pack for ever.
  await sql`
    create table pack_slug (
      creator_id text not null,
      slug       text not null,
      pack_id    text not null,
      primary key (creator_id, slug)
    )`.execute(db);
}

async function creators(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table creator_standing (
      user_id    text primary key,
      status     text not null check (status in ('applied', 'approved', 'declined', 'suspended')),
      reason     text,
      applied_at timestamptz,
      updated_at timestamptz not null
    )`.execute(db);
  await sql`create index creator_standing_by_status on creator_standing (status, applied_at)`.execute(db);
  // Where a creator's files lie: the first handle, so that a new one moves no file.
  await sql`
    create table creator_folder (
      user_id text primary key,
      folder  text not null unique
    )`.execute(db);
}

async function search(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table catalogue_sample (
      sample_id    text primary key,
      pack_id      text not null,
      creator_id   text not null,
      title_lower  text not null,
      -- Pack, genre, mood and instruments; the artist's name is looked up, so that it can change and be erased.
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
    )`.execute(db);
  await sql`create index catalogue_sample_title on catalogue_sample using gin (title_lower gin_trgm_ops)`.execute(
    db,
  );
  await sql`create index catalogue_sample_text on catalogue_sample using gin (text_lower gin_trgm_ops)`.execute(
    db,
  );
  await sql`create index catalogue_sample_instruments on catalogue_sample using gin (instruments)`.execute(
    db,
  );
  await sql`create index catalogue_sample_exact on catalogue_sample (title_lower, sample_id)`.execute(db);
  await sql`create index catalogue_sample_popular on catalogue_sample (popularity desc, sample_id)`.execute(
    db,
  );
  await sql`create index catalogue_sample_new on catalogue_sample (published_at desc, sample_id)`.execute(db);
  await sql`create index catalogue_sample_creator on catalogue_sample (creator_id)`.execute(db);
  await sql`create index catalogue_sample_pack on catalogue_sample (pack_id)`.execute(db);
  await sql`create index catalogue_sample_shuffle on catalogue_sample (shuffle)`.execute(db);
  await sql`create index catalogue_sample_genre on catalogue_sample (genre, shuffle)`.execute(db);

  // Downloads of samples, packs and creators; the position makes counting an event twice harmless.
  await sql`
    create table download_count (
      kind      text not null check (kind in ('sample', 'pack', 'creator')),
      id        text not null,
      downloads int not null,
      position  bigint not null,
      primary key (kind, id)
    )`.execute(db);
  await sql`create index download_count_rank on download_count (kind, downloads desc, id)`.execute(db);
}
