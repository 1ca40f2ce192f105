import { Injectable } from '@nestjs/common';
import { SignedHeads } from '../operations/signed-heads.js';
import { verifyChain } from '../operations/verify-chain.js';
import { Clock } from '../shared/clock.js';
import { EventStore, type StoredEvent } from '../shared/event-store.js';
import { isStorableJson } from '../shared/text.js';
import { LogAudit, type Breach } from './audit-log.js';
import type { Reconciliation } from './contract.js';
import { INVARIANTS } from './invariants.js';
import { PublishedFiles } from './published-files.js';
import { StoredBookQueries } from './queries.js';

const DETAILS_SHOWN = 3;
const UNREADABLE_SHOWN = 100;

/**
 * How much is done: `glance` writes nothing down and reads no files; `new` reads files that are new, and some others;
 * `all` reads every file.
 */
export type Scope = 'glance' | 'new' | 'all';

/** Checks everything that must be true of the books: by SQL over the tables, and by code over the log. */
@Injectable()
export class Reconcile {
  constructor(
    private readonly log: EventStore,
    private readonly books: StoredBookQueries,
    private readonly files: PublishedFiles,
    private readonly heads: SignedHeads,
    private readonly clock: Clock,
  ) {}

  /** @param options.files of a glance: how many files are looked at, newest first */
  async run({ scope = 'glance', files }: { scope?: Scope; files?: number } = {}): Promise<Reconciliation> {
    const checkedAt = this.clock.now().toISOString();
    const audit = new LogAudit();
    const unreadable: Reconciliation['unreadable'] = [];
    const witness = (event: StoredEvent): void => {
      audit.witness(event);
      if (!isStorableJson(event.data) && unreadable.length < UNREADABLE_SHOWN)
        unreadable.push({ position: event.position, type: event.type });
    };
    const chain = await verifyChain(this.log, { witness });
    const heads = await this.heads.verify();
    const drift = await this.books.drift();
    const breaches: Breach[] = [
      ...audit.finish(),
      ...(await this.books.breaches(new Date(checkedAt))),
      ...(await this.#files(scope, files)),
      ...drift
        .filter(({ rows }) => rows > 0)
        .map(({ projection, rows }) => ({
          invariant: 18,
          detail: `${rows} rows of ${projection} differ from the log`,
        })),
    ];
    if (!chain.verified) {
      const invariant = chain.reason === 'gap' ? 16 : 17;
      breaches.push({ invariant, detail: `position ${chain.position}: ${chain.detail}` });
    }
    for (const { hour, detail } of heads.faults)
      breaches.push({ invariant: 17, detail: `signed head of ${hour}: ${detail}` });
    return {
      checkedAt,
      invariants: INVARIANTS.map((invariant) => {
        const details = breaches
          .filter((breach) => breach.invariant === invariant.number)
          .map(({ detail }) => detail);
        return details.length === 0
          ? { ...invariant, holds: true }
          : { ...invariant, holds: false, detail: summary(details) };
      }),
      chain: {
        verified: chain.verified,
        position: chain.position,
        ...(chain.verified ? {} : { detail: chain.detail }),
      },
      heads: {
        verified: heads.verified,
        newest: heads.newest && {
          date: heads.newest.hour.slice(0, 10),
          signedAt: heads.newest.signedAt,
          position: heads.newest.position,
        },
        missingDays: heads.missingDays,
      },
      drift,
      unreadable,
    };
  }

  #files(scope: Scope, glancedAt: number | undefined): Promise<Breach[]> {
    if (scope === 'glance') return this.files.glance(glancedAt);
    return scope === 'new' ? this.files.check() : this.files.checkAll();
  }
}

function summary(details: readonly string[]): string {
  const shown = details.slice(0, DETAILS_SHOWN).join('; ');
  return details.length > DETAILS_SHOWN ? `${shown}; and ${details.length - DETAILS_SHOWN} more` : shown;
}
