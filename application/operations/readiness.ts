import { Injectable } from '@nestjs/common';
import { DatabaseProbe } from '../ports/database-probe.js';
import { ObjectStorage } from '../ports/object-storage.js';

/** A part that has not answered by then counts as down: whoever asks wants to know soon. */
const PATIENCE_MS = 2_000;

export interface ReadinessReport {
  ready: boolean;
  database: 'up' | 'down';
  storage: 'up' | 'down';
}

/** Whether this node can serve: the database answers, and the bucket lists `Users`. */
@Injectable()
export class Readiness {
  constructor(
    private readonly database: DatabaseProbe,
    private readonly storage: ObjectStorage,
  ) {}

  async check(): Promise<ReadinessReport> {
    const [database, storage] = await Promise.all([
      answers(this.database.ping()),
      answers(this.storage.list({ prefix: 'Users/', delimiter: '/', limit: 10 })),
    ]);
    return { ready: database && storage, database: word(database), storage: word(storage) };
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
