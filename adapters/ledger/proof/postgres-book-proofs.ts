import { Injectable } from '@nestjs/common';
import type { BookProof, BookProofs } from '../../../application/ledger/book-proofs.js';
import { Database } from '../../platform/database/database.js';

@Injectable()
export class PostgresBookProofs implements BookProofs {
  constructor(private readonly database: Database) {}

  async list(): Promise<Map<string, BookProof>> {
    const rows = await this.database.db
      .selectFrom('book_proof')
      .select(['part', 'position', 'hash', 'began_at as beganAt', 'finished_at as finishedAt', 'faults'])
      .execute();
    return new Map(rows.map((row) => [row.part, row]));
  }

  async keep({ part, position, hash, beganAt, finishedAt, faults }: BookProof): Promise<void> {
    const proof = {
      position,
      hash,
      began_at: beganAt,
      finished_at: finishedAt,
      faults: JSON.stringify(faults),
    };
    await this.database.db
      .insertInto('book_proof')
      .values({ part, ...proof })
      .onConflict((conflict) => conflict.column('part').doUpdateSet(proof))
      .execute();
  }
}
