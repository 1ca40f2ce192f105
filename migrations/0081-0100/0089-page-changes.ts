import { sql, type Kysely } from 'kysely';

/** Counts changes of public pages that have no event in the log: by whichever process, as soon as they are committed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table page_change (changes bigint not null);
    insert into page_change values (0);
    create function count_page_change() returns trigger language plpgsql as $$
    begin
      update page_change set changes = changes + 1;
      return null;
    end $$`.execute(db);
  // At the end of a transaction: the one row is locked for a moment only, and after all others.
  await sql`
    create constraint trigger page_change after update of display_name, avatar_key on user_account
      deferrable initially deferred for each row
      when (old.display_name is distinct from new.display_name or old.avatar_key is distinct from new.avatar_key)
      execute function count_page_change();
    create constraint trigger page_change after insert or update or delete on creator_profile
      deferrable initially deferred for each row execute function count_page_change();
    create constraint trigger page_change after insert or update or delete on featured_collection
      deferrable initially deferred for each row execute function count_page_change()`.execute(db);
}
