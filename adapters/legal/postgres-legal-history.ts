import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { LEGAL_DOCUMENTS, type LegalDocument } from '../../domain/legal/acceptance.js';
import { LegalHistory, LegalTexts } from '../../application/legal/legal-texts.js';
import { Clock } from '../../application/shared/clock.js';
import { Database } from '../platform/database/database.js';

const REPEAT_MS = 1_000;

@Injectable()
export class PostgresLegalHistory implements LegalHistory, OnModuleInit, OnApplicationShutdown {
  private repetition: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(
    private readonly database: Database,
    private readonly current: LegalTexts,
    private readonly clock: Clock,
  ) {}

  /** Stores the current texts before visitors can accept them. Retries until the database answers. */
  async onModuleInit(): Promise<void> {
    try {
      await this.store();
    } catch {
      // A node may start before the database. It is not ready until the database answers.
      if (!this.isClosed) this.repetition = setTimeout(() => void this.onModuleInit(), REPEAT_MS).unref();
    }
  }

  onApplicationShutdown(): void {
    this.isClosed = true;
    clearTimeout(this.repetition);
  }

  private async store(): Promise<void> {
    const { texts, versions } = this.current;
    const since = this.clock.now();
    await this.database.db
      .insertInto('legal_text')
      .values(
        LEGAL_DOCUMENTS.map((document) => ({
          document,
          version: versions[document],
          text: texts[document],
          since,
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  async find(document: LegalDocument, version: string): Promise<string | undefined> {
    const row = await this.database.db
      .selectFrom('legal_text')
      .select('text')
      .where('document', '=', document)
      .where('version', '=', version)
      .executeTakeFirst();
    return row?.text;
  }

  async versions(document: LegalDocument): Promise<{ version: string; since: string }[]> {
    const rows = await this.database.db
      .selectFrom('legal_text')
      .select(['version', 'since'])
      .where('document', '=', document)
      .orderBy('since', 'desc')
      .orderBy('version')
      .execute();
    return rows.map(({ version, since }) => ({ version, since: since.toISOString() }));
  }
}
