import { Injectable } from '@nestjs/common';
import { PersonalDataExport } from '../accounts/personal-data.js';
import type { ExportFormat } from '../ledger/contract.js';
import { EXPORT_TYPES, exportJournal, journalName } from '../ledger/export.js';
import { Posting } from '../ledger/posting.js';
import { BookQueries } from '../ledger/queries.js';

/** The contents of a file. Times are ISO 8601; `from` is inclusive, `to` exclusive. */
export type ExportSubject =
  | { kind: 'personal-data' }
  | { kind: 'journal'; format: ExportFormat; from?: string; to?: string };

export type ExportKind = ExportSubject['kind'];

@Injectable()
export class ExportContents {
  constructor(
    private readonly personalData: PersonalDataExport,
    private readonly books: BookQueries,
    private readonly posting: Posting,
  ) {}

  describe(subject: ExportSubject): { filename: string; contentType: string } {
    if (subject.kind === 'personal-data')
      return { filename: 'offcut-export.json', contentType: 'application/json; charset=utf-8' };
    const { contentType, extension } = EXPORT_TYPES[subject.format];
    return { filename: `${journalName(spanOf(subject))}.${extension}`, contentType };
  }

  /** Yields the text in pieces, so that a file of any size needs little memory. @param userId who ordered the file */
  async *write(userId: string, subject: ExportSubject): AsyncGenerator<string> {
    if (subject.kind === 'personal-data') return yield* this.personalData.text(userId);
    await this.posting.allPosted();
    yield* exportJournal(subject.format, this.books, spanOf(subject));
  }
}

const spanOf = ({ from, to }: { from?: string; to?: string }): { from?: Date; to?: Date } => ({
  ...(from !== undefined && { from: new Date(from) }),
  ...(to !== undefined && { to: new Date(to) }),
});
