import { Injectable } from '@nestjs/common';
import type { Updateable } from 'kysely';
import { ArchiveTicketStore, type ArchiveTicket } from '../../application/purchases/archive-tickets.js';
import type { ArchiveStatus } from '../../application/purchases/contract.js';
import { Database } from '../platform/database/database.js';
import type { ArchiveTicket as TicketRow } from '../platform/database/schema.js';

@Injectable()
export class PostgresArchiveTickets implements ArchiveTicketStore {
  constructor(private readonly database: Database) {}

  async issue(ticket: ArchiveTicket, now: Date): Promise<void> {
    const { db } = this.database;
    await db.deleteFrom('archive_ticket').where('expires_at', '<', now).execute();
    const { ticketId, userId, sampleIds, name, expiresAt } = ticket;
    await db
      .insertInto('archive_ticket')
      .values({ ticket_id: ticketId, user_id: userId, sample_ids: sampleIds, name, expires_at: expiresAt })
      .execute();
  }

  async find(
    ticketId: string,
    userId: string,
    now: Date,
  ): Promise<{ ticket: ArchiveTicket; status: ArchiveStatus['status'] } | undefined> {
    const row = await this.database.db
      .selectFrom('archive_ticket')
      .select(['ticket_id as ticketId', 'user_id as userId', 'sample_ids as sampleIds', 'name'])
      .select(['expires_at as expiresAt', 'begun_at', 'sent_at', 'broken_at'])
      .where('ticket_id', '=', ticketId)
      .where('user_id', '=', userId)
      .where('expires_at', '>=', now)
      .executeTakeFirst();
    if (!row) return undefined;
    const { begun_at: begun, sent_at: sent, broken_at: broken, ...ticket } = row;
    return { ticket, status: sent ? 'sent' : broken ? 'broken' : begun ? 'sending' : 'waiting' };
  }

  async begin(ticketId: string, at: Date): Promise<void> {
    await this.set(ticketId, { begun_at: at, sent_at: null, broken_at: null });
  }

  async end(ticketId: string, whole: boolean, at: Date): Promise<void> {
    await this.set(ticketId, { sent_at: whole ? at : null, broken_at: whole ? null : at });
  }

  private async set(ticketId: string, change: Updateable<TicketRow>): Promise<void> {
    await this.database.db
      .updateTable('archive_ticket')
      .set(change)
      .where('ticket_id', '=', ticketId)
      .execute();
  }
}
