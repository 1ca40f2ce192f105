import { Injectable } from '@nestjs/common';
import { SignedHeads, type HeadsVerdict, type SignedPlace } from '../operations/signed-heads.js';
import { verifyChain, type ChainVerdict } from '../operations/verify-chain.js';
import { Clock } from '../shared/clock.js';
import { EventStore, type StoredEvent } from '../shared/event-store.js';
import { isStorableJson } from '../shared/text.js';
import { LogAudit } from './audit-log.js';
import type { Breach } from './queries.js';
import {
  EVENT_RULES,
  BookProofs,
  CONTINUED_PROOF,
  ProofLimits,
  readModelPart,
  faultsOfChain,
  faultsOfDrift,
  completeProof,
  LOG_CHAIN,
  type BookProof,
} from './book-proofs.js';
import type { Reconciliation } from './contract.js';
import { EarlierEvents } from './earlier-events.js';
import { INVARIANTS } from './invariants.js';
import { PublishedFiles } from './published-files.js';
import { StoredBookQueries } from './queries.js';

const DETAILS_SHOWN = 3;
const UNREADABLE_SHOWN = 100;

/**
 * `glance`: new events, without reading files or storing results. `new`: also reads new, faulty and some older
 * files, and stores results. `all`: everything.
 */
export type Scope = 'glance' | 'new' | 'all';

interface LogFindings {
  chain: ChainVerdict;
  audited: Breach[];
  unreadable: Reconciliation['unreadable'];
}

/**
 * Checks every rule of the books: the tables by SQL, the log by code. A check of a large log starts at a signed head
 * that the last check covered; `WholeProof` checks all of it once a week. A part with a fault is checked completely
 * until the fault is fixed.
 */
@Injectable()
export class Reconcile {
  constructor(
    private readonly log: EventStore,
    private readonly earlier: EarlierEvents,
    private readonly books: StoredBookQueries,
    private readonly files: PublishedFiles,
    private readonly heads: SignedHeads,
    private readonly proofs: BookProofs,
    private readonly limits: ProofLimits,
    private readonly clock: Clock,
  ) {}

  /** Throws if aborted, without storing results. @param options.files how many of the newest files a glance checks */
  async run({
    scope = 'glance',
    files,
    signal,
  }: { scope?: Scope; files?: number; signal?: AbortSignal | undefined } = {}): Promise<Reconciliation> {
    const beganAt = this.clock.now();
    const known = await this.proofs.list();
    const head = await this.log.head();
    const heads = await this.heads.verify();
    const posted = await this.books.posted();
    const isWhole = scope === 'all' || head.position <= this.limits.smallLog;
    const start = isWhole || isFaulty(known.get(LOG_CHAIN)) ? undefined : startOf(heads, known, posted);
    const since = start && !isFaulty(known.get(EVENT_RULES)) ? start.position : 0;

    const { chain, audited, unreadable } = await this.readLog(start, signal);
    const judged = await this.books.eventBreaches(beganAt, since);
    const ofChain = faultsOfChain(chain);
    const ofHeads = heads.faults.map(({ hour, detail }) => ({
      invariant: 17,
      detail: `signed head of ${hour}: ${detail}`,
    }));
    const ended = breachesOfEnd(known.get(CONTINUED_PROOF), head.position);
    const found: BookProof[] = [];
    const keep = (part: string, faults: readonly Breach[]): void => {
      found.push(completeProof(part, beganAt, beganAt, faults));
    };
    if (!start) keep(LOG_CHAIN, ofChain);
    if (since === 0) keep(EVENT_RULES, judged);
    if ([...ofChain, ...ofHeads, ...ended, ...audited, ...judged].length === 0)
      found.push({
        ...completeProof(CONTINUED_PROOF, beganAt, beganAt, []),
        position: Math.min(chain.position, posted),
      });
    const drift: Reconciliation['drift'] = [];
    for (const projection of this.books.readModels()) {
      const part = readModelPart(projection);
      const before = known.get(part);
      const isLookedAt = isWhole || !before?.finishedAt || isFaulty(before);
      signal?.throwIfAborted();
      const rows = isLookedAt ? await this.books.drift(projection) : 0;
      drift.push({ projection, rows });
      if (isLookedAt) keep(part, faultsOfDrift(projection, rows));
    }
    const breaches = [
      ...audited,
      ...judged,
      ...(await this.books.breaches(beganAt)),
      ...(await this.checkFiles(scope, { glancedAt: files, signal })),
      ...drift.flatMap(({ projection, rows }) => faultsOfDrift(projection, rows)),
      ...ofChain,
      ...ofHeads,
      ...ended,
    ];
    if (scope !== 'glance') for (const proof of found) await this.proofs.keep(proof);
    for (const proof of found) known.set(proof.part, proof);
    return {
      checkedAt: beganAt.toISOString(),
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
        isLate: heads.isLate,
        missingDays: heads.missingDays,
        restores: heads.restores.map(({ at, position, heads: excused }) => ({
          at,
          position,
          heads: [...excused],
        })),
      },
      drift,
      unreadable,
      proof: {
        since: start ? { position: start.position, signedAt: start.signedAt } : null,
        whole: await this.lastProven(known),
      },
    };
  }

  private async readLog(
    start: SignedPlace | undefined,
    signal: AbortSignal | undefined,
  ): Promise<LogFindings> {
    const audit = new LogAudit();
    const unreadable: LogFindings['unreadable'] = [];
    const witness = (event: StoredEvent): void => {
      audit.witness(event);
      if (!isStorableJson(event.data) && unreadable.length < UNREADABLE_SHOWN)
        unreadable.push({ position: event.position, type: event.type });
    };
    const chain = await verifyChain(this.log, {
      witness,
      signal,
      ...(start && { from: start, prepare: (page) => this.recall(audit, page, start.position) }),
    });
    return { chain, audited: audit.finish(), unreadable };
  }

  private async recall(audit: LogAudit, page: readonly StoredEvent[], until: number): Promise<void> {
    const { streams, creatorIds } = audit.unknownIn(page);
    for await (const events of this.earlier.ofStreams(streams, until))
      for (const event of events) audit.recall(event);
    for (const [creatorId, microUsd] of await this.earlier.earnedBy(creatorIds, until))
      audit.recallEarned(creatorId, microUsd);
  }

  private checkFiles(
    scope: Scope,
    { glancedAt, signal }: { glancedAt: number | undefined; signal: AbortSignal | undefined },
  ): Promise<Breach[]> {
    if (scope === 'glance') return this.files.glance(glancedAt);
    return scope === 'new' ? this.files.check(signal) : this.files.checkAll(signal);
  }

  private async lastProven(known: ReadonlyMap<string, BookProof>): Promise<Reconciliation['proof']['whole']> {
    const ended = (part: string): string | null => known.get(part)?.finishedAt?.toISOString() ?? null;
    const models = this.books.readModels().map((name) => ended(readModelPart(name)));
    return {
      log: ended(LOG_CHAIN),
      rules: ended(EVENT_RULES),
      readModels: models.includes(null) ? null : (models.toSorted()[0] ?? null),
      files: (await this.files.allReadSince())?.toISOString() ?? null,
    };
  }
}

const isFaulty = (proof: BookProof | undefined): boolean => proof !== undefined && proof.faults.length > 0;

function startOf(
  { faults, places }: HeadsVerdict,
  known: ReadonlyMap<string, BookProof>,
  posted: number,
): SignedPlace | undefined {
  // If one signed head is forged, contradicted or missing, none is trusted, and the check starts at the first event.
  if (faults.length > 0) return undefined;
  const proven = Math.min(known.get(CONTINUED_PROOF)?.position ?? 0, posted);
  return places.findLast(({ position }) => position <= proven);
}

/**
 * Returns a breach if the log ends before the last proven position. Signed heads cannot show the loss of the newest
 * events, because no head covers those yet.
 */
const breachesOfEnd = (proven: BookProof | undefined, position: number): Breach[] =>
  proven && proven.position > position
    ? [
        {
          invariant: 16,
          detail: `the log was proven up to position ${proven.position} and ends at ${position}`,
        },
      ]
    : [];

function summary(details: readonly string[]): string {
  const shown = details.slice(0, DETAILS_SHOWN).join('; ');
  return details.length > DETAILS_SHOWN ? `${shown}; and ${details.length - DETAILS_SHOWN} more` : shown;
}
