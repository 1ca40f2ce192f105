import { Injectable } from '@nestjs/common';
import { LOG_START, verifyChain, type LogPlace } from '../operations/verify-chain.js';
import { Clock } from '../shared/clock.js';
import { EventStore } from '../shared/event-store.js';
import {
  EVENT_RULES,
  BookProofs,
  FILES,
  faultsOfChain,
  faultsOfDrift,
  isUnderWay,
  ProofLimits,
  readModelPart,
  LOG_CHAIN,
  completeProof,
  type BookProof,
  type ProofFault,
} from './book-proofs.js';
import { PublishedFiles } from './published-files.js';
import { StoredBookQueries } from './queries.js';

const WEEK_MS = 7 * 86_400_000;
const FAULTS_KEPT = 100;

/** Checks all of the log and the books once a week, in slices. Reports a fault until it is fixed. */
@Injectable()
export class WholeProof {
  constructor(
    private readonly log: EventStore,
    private readonly books: StoredBookQueries,
    private readonly files: PublishedFiles,
    private readonly proofs: BookProofs,
    private readonly limits: ProofLimits,
    private readonly clock: Clock,
  ) {}

  /** Checks the next due part, or one slice of the log's chain. @returns the part's name; undefined if none is due */
  async slice(signal?: AbortSignal): Promise<string | undefined> {
    const known = await this.proofs.list();
    const now = this.clock.now().getTime();
    const due = (part: string): boolean => {
      const proof = known.get(part);
      return !proof || isUnderWay(proof) || now - proof.beganAt.getTime() >= WEEK_MS;
    };
    if (due(LOG_CHAIN)) {
      await this.sliceOfLog(known.get(LOG_CHAIN), signal);
      return LOG_CHAIN;
    }
    if (due(EVENT_RULES)) {
      await this.whole(EVENT_RULES, (now) => this.books.eventBreaches(now, 0));
      return EVENT_RULES;
    }
    const readModel = this.books.readModels().find((name) => due(readModelPart(name)));
    if (readModel === undefined) return undefined;
    await this.whole(readModelPart(readModel), async () =>
      faultsOfDrift(readModel, await this.books.drift(readModel)),
    );
    return readModelPart(readModel);
  }

  async sliceOfFiles(signal?: AbortSignal): Promise<void> {
    await this.files.slice(signal);
    const since = await this.files.allReadSince();
    const beganAt = since ?? this.clock.now();
    await this.proofs.keep(completeProof(FILES, beganAt, since ?? null, []));
  }

  private async whole(part: string, find: (now: Date) => Promise<readonly ProofFault[]>): Promise<void> {
    const beganAt = this.clock.now();
    const faults = await find(beganAt);
    await this.proofs.keep(completeProof(part, beganAt, this.clock.now(), faults.slice(0, FAULTS_KEPT)));
  }

  private async sliceOfLog(before: BookProof | undefined, signal: AbortSignal | undefined): Promise<void> {
    const goesOn = before !== undefined && isUnderWay(before);
    const from = goesOn && before.position > 0 ? before : LOG_START;
    const head = await this.log.head();
    const until = Math.min(head.position, from.position + this.limits.slice);
    const { faults, end } = await this.prove(from, until, signal);
    const kept = (before?.faults ?? []).filter(
      ({ position = 0 }) => position <= from.position || position > end.position,
    );
    await this.proofs.keep({
      part: LOG_CHAIN,
      position: end.position,
      hash: end.hash,
      beganAt: goesOn ? before.beganAt : this.clock.now(),
      finishedAt: end.position >= head.position ? this.clock.now() : (before?.finishedAt ?? null),
      faults: [...kept, ...faults].slice(0, FAULTS_KEPT),
    });
  }

  private async prove(
    from: LogPlace,
    until: number,
    signal: AbortSignal | undefined,
  ): Promise<{ faults: ProofFault[]; end: LogPlace }> {
    const faults: ProofFault[] = [];
    let end = from;
    while (end.position < until && faults.length < FAULTS_KEPT) {
      const verdict = await verifyChain(this.log, { from: end, until, signal });
      if (verdict.verified) return { faults, end: verdict };
      faults.push(...faultsOfChain(verdict));
      const [next] = await this.log.readStored({ after: verdict.position - 1, limit: 1 });
      end =
        next && next.position <= until
          ? { position: next.position, hash: next.hash }
          : { position: until, hash: end.hash };
    }
    return { faults, end };
  }
}
