import { setTimeout as pause } from 'node:timers/promises';
import { PROJECTIONS } from '../../bootstrap/projections.js';
import type { Database } from '../../adapters/platform/database/database.js';
import { PostgresEventStore } from '../../adapters/platform/event-log/postgres-event-store.js';
import { Projector } from '../../adapters/platform/projections/projector.js';
import { PostgresEarlierEvents } from '../../adapters/ledger/proof/postgres-book-proofs.js';
import { PostgresFilesOnSale } from '../../adapters/ledger/proof/postgres-files-on-sale.js';
import { PostgresStoredBookQueries } from '../../adapters/ledger/proof/postgres-stored-books.js';
import { ProofLimits, type BookProofs } from '../../application/ledger/book-proofs.js';
import { INVARIANTS } from '../../application/ledger/invariants.js';
import {
  PublishedFiles,
  type FileOnSale,
  type FileRead,
  type FileSelection,
} from '../../application/ledger/published-files.js';
import { Reconcile } from '../../application/ledger/reconcile.js';
import type { SignedHeads } from '../../application/operations/signed-heads.js';
import { SystemClock } from '../../application/shared/clock.js';
import type { ObjectStorage } from '../../application/storage/object-storage.js';
import { FINANCIAL_EVENT_TYPES } from '../../domain/ledger/entry.js';
import { NO_HEADS } from './books.js';
import { RECORDED_FILE } from './pack-events.js';
import { STOCKED_FILES, STOCKED_PACKS } from './stock.js';
import { LIMIT_MS } from './until.js';

/** Read models that `stock` fills without events. */
const OF_THE_SHOP = new Set(['own-packs', 'catalogue-search', 'creator-standing']);

interface WatchedBooks {
  database: Database;
  /** Files and signed heads. Without them, those checks are skipped. */
  storage?: ObjectStorage;
  heads?: SignedHeads;
  /** The log position at which every rule held. */
  checkedTo: number;
  /** Rules and read models that tests break on purpose, each with the reason. */
  broken: Map<number | string, string>;
}

/** Keyed by database address, because several pools may use one database. */
const watched = new Map<string, WatchedBooks>();

type Addressed = Pick<Database, 'url'>;

/** From now on, checks the rules of the books against this database after every test. */
export function watchBooks(database: Database): void {
  watched.set(database.url, unchecked(database));
}

const unchecked = (database: Database): WatchedBooks => ({ database, checkedTo: 0, broken: new Map() });

/** Adds the files and signed heads of a product to the checks of a watched database. */
export function watchFiles({ url }: Addressed, files: { storage: ObjectStorage; heads: SignedHeads }): void {
  Object.assign(watched.get(url) ?? {}, files);
}

/**
 * Excludes rules that a test breaks on purpose.
 * @param broken numbers of rules, and names of read models that differ from the log; default: all rules
 */
export function breaksBooks(
  { url }: Addressed,
  why: string,
  broken: readonly (number | string)[] = INVARIANTS.map(({ number }) => number),
): void {
  for (const each of broken) watched.get(url)?.broken.set(each, why);
}

/** Checks the rules against every open database whose log has grown. @throws naming the broken rules */
export async function checkBooks(): Promise<void> {
  for (const books of watched.values()) await check(books, { refold: 'touched' });
}

/** Checks the rules once against a database that is not watched, such as that of a child process. */
export async function expectBooksToHold(database: Database): Promise<void> {
  await check(watched.get(database.url) ?? unchecked(database), { refold: 'all' });
}

/** Checks every read model of a database for the last time, before it is closed. */
export async function releaseBooks({ url }: Addressed): Promise<void> {
  const books = watched.get(url);
  watched.delete(url);
  if (books) await check(books, { refold: 'all' });
}

/**
 * Runs all checks if credits or money moved: SQL over the tables, code over the log, and refolds of read
 * models.
 */
async function check(books: WatchedBooks, { refold }: { refold: 'touched' | 'all' }): Promise<void> {
  const { database, checkedTo, broken } = books;
  if (INVARIANTS.every(({ number }) => broken.has(number))) return;
  const { rows } = await database.pool.query(
    `select position, exists (select 1 from event where type = any($1)) as moved,
            array(select distinct type from event where position > $2) as types,
            exists (select 1 from pack where starts_with(pack_id, $3)) as "byHand" from (select max(position) as position from log_end) as newest`,
    [FINANCIAL_EVENT_TYPES, checkedTo, STOCKED_PACKS],
  );
  const [{ position, moved, types, byHand }] = rows as [
    { position: number; moved: boolean; types: string[]; byHand: boolean },
  ];
  if (!moved || (position === checkedTo && refold === 'touched')) return;
  const projections = PROJECTIONS.all.filter(
    (projection) =>
      !(byHand && OF_THE_SHOP.has(projection.name)) &&
      !broken.has(projection.name) &&
      (refold === 'all' || projection.types.some((type) => types.includes(type))),
  );
  const clock = new SystemClock();
  const eventStore = new PostgresEventStore(database, clock);
  const projector = new Projector(database, eventStore);
  await post(projector);
  const stored = new PostgresStoredBookQueries(database, projector, projections);
  const { invariants } = await new Reconcile(
    eventStore,
    new PostgresEarlierEvents(database),
    stored,
    filesOf(books),
    books.heads ?? NO_HEADS,
    NO_PROOFS,
    new ProofLimits(),
    clock,
  ).run({ scope: 'all' });
  const found = invariants.filter(({ number, holds }) => !holds && !broken.has(number));
  if (found.length > 0) throw new BrokenBooks(found);
  books.checkedTo = position;
}

/** Moves the projections of the books to the end of the log, beside the product's own subscribers. */
async function post(projector: Projector): Promise<void> {
  const deadline = Date.now() + LIMIT_MS;
  for (const projection of PROJECTIONS.async.filter(({ name }) => name !== 'catalogue-search'))
    for (;;) {
      const state = await projector.advance(projection);
      if (state === 'caught-up') break;
      if (Date.now() > deadline) throw new Error(`${projection.name} does not follow the log`);
      if (state === 'busy') await pause(5);
    }
}

/**
 * Selects the files of published samples, without the samples of `stock` and `recordPack`, which have no
 * files.
 */
function filesOf({ database, storage }: WatchedBooks): PublishedFiles {
  return new PublishedFiles(
    new PublishedOnSale(database, storage !== undefined),
    storage as ObjectStorage,
    new SystemClock(),
  );
}

/** Keeps no proofs, so that the product's own proofs stay untouched. */
const NO_PROOFS: BookProofs = { list: async () => new Map(), keep: async () => {} };

class PublishedOnSale extends PostgresFilesOnSale {
  /** Kept in memory, so that the product's own findings stay untouched. */
  private read: readonly FileRead[] = [];

  constructor(
    database: Database,
    private readonly hasFiles: boolean,
  ) {
    super(database);
  }

  override async page(which: FileSelection, { after }: { after: string }): Promise<FileOnSale[]> {
    if (!this.hasFiles) return [];
    const all = await super.page(which, { after, limit: Number.MAX_SAFE_INTEGER });
    return all.filter(({ key }) => !key.startsWith(STOCKED_FILES) && !key.endsWith(`/${RECORDED_FILE}`));
  }

  override async keep(read: readonly FileRead[]): Promise<void> {
    this.read = read;
  }

  override async faults(): Promise<{ sampleId: string; fault: string }[]> {
    return this.read.flatMap(({ sampleId, fault }) => (fault === null ? [] : [{ sampleId, fault }]));
  }

  override async forgetGone(): Promise<void> {}
}

class BrokenBooks extends Error {
  constructor(found: readonly { number: number; name: string; detail?: string }[]) {
    super(
      [
        'The books do not hold:',
        ...found.map(({ number, name, detail }) => `${number} ${name}: ${detail}`),
      ].join('\n  '),
    );
    this.name = 'BrokenBooks';
  }
}
