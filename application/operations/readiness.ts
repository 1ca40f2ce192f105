import { Injectable } from '@nestjs/common';
import type { ReadinessReport } from './contract.js';
import { DatabaseProbe } from './database-probe.js';
import { ObjectStorage } from '../storage/object-storage.js';

/** A part without an answer by then counts as down, because the caller wants to know soon. */
const PATIENCE_MS = 2_000;

/**
 * Which parts answer, and whether this node can serve visitors: it can while the database or its replica answers.
 * Without the storage, pages and search still work.
 */
@Injectable()
export class Readiness {
  constructor(
    private readonly database: DatabaseProbe,
    private readonly storage: ObjectStorage,
  ) {}

  async check(): Promise<ReadinessReport> {
    const asked = this.database.pingReplica();
    const [database, storage, replica] = await Promise.all([
      answers(this.database.ping()),
      answers(this.storage.ping()),
      asked && answers(asked),
    ]);
    return {
      ready: database || replica === true,
      database: word(database),
      storage: word(storage),
      ...(replica !== undefined && { replica: word(replica) }),
    };
  }
}

const word = (up: boolean) => (up ? 'up' : 'down');

async function answers(question: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<false>((resolve) => (timer = setTimeout(resolve, PATIENCE_MS, false)));
  const answer = question.then(
    () => true,
    () => false,
  );
  return Promise.race([answer, patience]).finally(() => clearTimeout(timer));
}
