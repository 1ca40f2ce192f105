import { Injectable } from '@nestjs/common';
import type { ReadinessReport } from './contract.js';
import { DatabaseProbe } from './database-probe.js';
import { ObjectStorage } from '../storage/object-storage.js';
import { SearchReadiness } from './search-readiness.js';

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

/** @returns undefined after an error or a timeout */
async function answerOf<Answer>(question: Promise<Answer>): Promise<Answer | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<undefined>((resolve) => (timer = setTimeout(resolve, PATIENCE_MS, undefined)));
  const answer = question.catch(() => undefined);
  return Promise.race([answer, patience]).finally(() => clearTimeout(timer));
}
