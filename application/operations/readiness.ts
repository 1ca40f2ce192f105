import { Injectable } from '@nestjs/common';
import type { ReadinessReport } from './contract.js';
import { ObjectStorage } from '../storage/object-storage.js';

export class SearchReadiness {
  /** @param index null in processes without visitors */
  constructor(private readonly index: { wasBuilt: boolean } | null) {}

  get state(): 'building' | 'ready' | undefined {
    if (!this.index) return undefined;
    return this.index.wasBuilt ? 'ready' : 'building';
  }
}

export abstract class DatabaseProbe {
  /** Returns true if nodes of a newer version have taken over the writing. */
  abstract isOutdated(): Promise<boolean>;
  /** Resolves when the replica that serves visitors' pages answers. Returns undefined if there is no replica. */
  abstract pingReplica(): Promise<void> | undefined;
}

/** A part that does not answer within this time counts as down, because the caller needs a quick answer. */
const PATIENCE_MS = 2_000;

/**
 * Reports which parts answer, and whether this node can serve visitors. Pages and search work without the storage.
 * The node can serve visitors if:
 * - the database or its replica answers;
 * - no newer version runs;
 * - the search index is built.
 */
@Injectable()
export class Readiness {
  constructor(
    private readonly database: DatabaseProbe,
    private readonly storage: ObjectStorage,
    private readonly search: SearchReadiness,
  ) {}

  async check(): Promise<ReadinessReport> {
    const asked = this.database.pingReplica();
    const [outdated, storage, replica] = await Promise.all([
      answerOf(this.database.isOutdated()),
      answerOf(this.storage.ping().then(() => true)),
      asked && answerOf(asked.then(() => true)),
    ]);
    const database = outdated !== undefined;
    return {
      ready: !outdated && (database || replica === true) && this.search.state !== 'building',
      database: word(database),
      storage: word(storage === true),
      ...(asked && { replica: word(replica === true) }),
      ...(this.search.state && { search: this.search.state }),
      ...(outdated && { outdated }),
    };
  }
}

const word = (up: boolean) => (up ? 'up' : 'down');

async function answerOf<Answer>(question: Promise<Answer>): Promise<Answer | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<undefined>((resolve) => (timer = setTimeout(resolve, PATIENCE_MS, undefined)));
  const answer = question.catch(() => undefined);
  return Promise.race([answer, patience]).finally(() => clearTimeout(timer));
}
