import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Outcome } from '../../domain/shared/decision.js';
import { WallClock } from '../shared/clock.js';
import type { ArchiveAnswer, ArchiveStatus } from './contract.js';
import { ZipDownloads, type ZipRejection, type ZipResult } from './zip-downloads.js';

const LIFETIME_MS = 60 * 60_000;

/** An archive that a user requested and may download until it expires. */
export interface ArchiveTicket {
  ticketId: string;
  userId: string;
  sampleIds: string[];
  name: string | null;
  expiresAt: Date;
}

export abstract class ArchiveTicketStore {
  /** Stores a ticket and deletes those that expired before `now`. */
  abstract issue(ticket: ArchiveTicket, now: Date): Promise<void>;
  /** Undefined if the ticket is unknown, expired or another user's. */
  abstract find(
    ticketId: string,
    userId: string,
    now: Date,
  ): Promise<{ ticket: ArchiveTicket; status: ArchiveStatus['status'] } | undefined>;
  /** Records that the browser began a download, and deletes the outcome of an earlier attempt. */
  abstract begin(ticketId: string, at: Date): Promise<void>;
  abstract end(ticketId: string, whole: boolean, at: Date): Promise<void>;
}

/**
 * Delivers archives in two steps. First a request names any number of samples and learns what will be missing. Then the
 * browser downloads from a short address and writes the archive to disk as it arrives. Clients can query the progress.
 */
@Injectable()
export class ArchiveTickets {
  constructor(
    private readonly zips: ZipDownloads,
    private readonly store: ArchiveTicketStore,
    private readonly clock: WallClock,
  ) {}

  /** @throws StorageUnavailable */
  async issue(
    userId: string,
    sampleIds: readonly string[],
    name: string | undefined,
  ): Promise<Outcome<{ answer: ArchiveAnswer }, ZipRejection>> {
    const inspected = await this.zips.inspect(userId, sampleIds, name);
    if (!inspected.accepted) return inspected;
    const now = this.clock.now();
    const ticket = {
      ticketId: randomUUID(),
      userId,
      sampleIds: [...sampleIds],
      name: name ?? null,
      expiresAt: new Date(now.getTime() + LIFETIME_MS),
    };
    await this.store.issue(ticket, now);
    const { filename, sampleCount, leftOut } = inspected;
    const url = `/api/library/archives/${ticket.ticketId}.zip`;
    const expiresAt = ticket.expiresAt.toISOString();
    return {
      accepted: true,
      answer: { id: ticket.ticketId, url, filename, sampleCount, leftOut, expiresAt },
    };
  }

  async status(userId: string, ticketId: string): Promise<ArchiveStatus | undefined> {
    const found = await this.store.find(ticketId, userId, this.clock.now());
    return found && { status: found.status };
  }

  /** @returns undefined if the ticket is unknown, expired or another user's */
  async open(userId: string, ticketId: string): Promise<ZipResult | undefined> {
    const found = await this.store.find(ticketId, userId, this.clock.now());
    if (!found) return undefined;
    const { sampleIds, name } = found.ticket;
    const result = await this.zips.pack(userId, sampleIds, name ?? undefined);
    if (result.accepted) await this.store.begin(ticketId, this.clock.now());
    return result;
  }

  async close(ticketId: string, whole: boolean): Promise<void> {
    await this.store.end(ticketId, whole, this.clock.now());
  }
}
