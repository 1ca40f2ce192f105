import { Injectable } from '@nestjs/common';
import { ArchiveTicketStore, type ArchiveTicket } from '../../application/purchases/archive-tickets.js';
import type { ArchiveStatus } from '../../application/purchases/contract.js';
import { Database } from '../platform/database/database.js';

@Injectable()
export class PostgresArchiveTickets extends ArchiveTicketStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async issue(ticket: ArchiveTicket, now: Date): Promise<void> {
    await this.database.pool.query(`delete from archive_ticket where expires_at < $1`, [now]);
    const { ticketId, userId, sampleIds, name, expiresAt } = ticket;
    await this.database.pool.query(
      `insert into archive_ticket (ticket_id, user_id, sample_ids, name, expires_at) values ($1, $2, $3, $4, $5)`,
      [ticketId, userId, sampleIds, name, expiresAt],
    );
  }

  override async find(
    ticketId: string,
    userId: string,
    now: Date,
  ): Promise<{ ticket: ArchiveTicket; status: ArchiveStatus['status'] } | undefined> {
    const { rows } = await this.database.pool.query<ArchiveTicket & { status: ArchiveStatus['status'] }>(
      `select ticket_id as "ticketId", user_id as "userId", sample_ids as "sampleIds", name, expires_at as "expiresAt",
              case when sent_at is not null then 'sent' when broken_at is not null then 'broken'
                   when begun_at is not null then 'sending' else 'waiting' end as status
         from archive_ticket where ticket_id = $1 and user_id = $2 and expires_at >= $3`,
      [ticketId, userId, now],
    );
    const [row] = rows;
    if (!row) return undefined;
    const { status, ...ticket } = row;
    return { ticket, status };
  }

  override async begin(ticketId: string, at: Date): Promise<void> {
    await this.database.pool.query(
      `update archive_ticket set begun_at = $2, sent_at = null, broken_at = null where ticket_id = $1`,
      [ticketId, at],
    );
  }

  override async end(ticketId: string, whole: boolean, at: Date): Promise<void> {
    await this.database.pool.query(
      `update archive_ticket set sent_at = case when $2 then $3::timestamptz end, broken_at = case when $2 then null else $3::timestamptz end
        where ticket_id = $1`,
      [ticketId, whole, at],
    );
  }
}
