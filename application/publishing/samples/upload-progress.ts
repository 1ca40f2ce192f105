import { Injectable } from '@nestjs/common';
import type * as z from 'zod';
import { WallClock } from '../../shared/clock.js';
import type { UploadProgress as UploadProgressShape } from '../contract.js';

export type UploadState = z.infer<typeof UploadProgressShape>;

export interface UploadName {
  userId: string;
  uploadId: string;
}

export abstract class UploadProgressStore {
  abstract save(upload: UploadName, state: UploadState, at: Date): Promise<void>;
  abstract find(upload: UploadName, since: Date): Promise<UploadState | undefined>;
}

const KEPT_MS = 10 * 60_000;
const KEPT_LIMIT = 5_000;
/** Within a phase, progress is stored at most this often. A new phase is stored at once. */
const STORED_EVERY_MS = 500;

interface Entry extends UploadState {
  userId: string;
  changedAtMs: number;
  storedAtMs: number;
  /** Resolves when earlier updates are stored. The next update waits for it, so that updates stay in order. */
  storing: Promise<void>;
}

/** The progress of uploads on all nodes. Entries expire ten minutes after their last update. */
@Injectable()
export class UploadBoard {
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly clock: WallClock,
    private readonly store: UploadProgressStore,
  ) {}

  report(uploadId: string | undefined, userId: string, state: UploadState): void {
    if (uploadId === undefined) return;
    const known = this.entries.get(uploadId);
    if (known && known.userId !== userId) return;
    const at = this.clock.now();
    const now = at.getTime();
    const { storing = Promise.resolve(), storedAtMs = 0, phase } = known ?? {};
    const isStored = phase === state.phase && now - storedAtMs < STORED_EVERY_MS;
    // Moves the entry to the end, so that the map is sorted by the time of change, oldest first.
    this.entries.delete(uploadId);
    this.entries.set(uploadId, {
      ...state,
      userId,
      changedAtMs: now,
      storedAtMs: isStored ? storedAtMs : now,
      storing: isStored ? storing : storing.then(() => this.save({ userId, uploadId }, state, at)),
    });
    this.forgetOld();
  }

  /** Returns undefined for unknown uploads and for uploads of other users. */
  async find(uploadId: string, userId: string): Promise<UploadState | undefined> {
    const entry = this.entries.get(uploadId);
    const own = entry?.userId === userId ? { phase: entry.phase, share: entry.share } : undefined;
    if (own && own.phase !== 'receiving') return own;
    const stored = await this.store.find(
      { userId, uploadId },
      new Date(this.clock.now().getTime() - KEPT_MS),
    );
    // If another node encodes a file that this node received, the stored progress is newer than ours.
    return own && stored?.phase === 'receiving' ? own : (stored ?? own);
  }

  private save(upload: UploadName, state: UploadState, at: Date): Promise<void> {
    return this.store.save(upload, state, at).catch(() => undefined);
  }

  private forgetOld(): void {
    const oldestMs = this.clock.now().getTime() - KEPT_MS;
    for (const [uploadId, entry] of this.entries) {
      if (entry.changedAtMs >= oldestMs && this.entries.size <= KEPT_LIMIT) return;
      this.entries.delete(uploadId);
    }
  }
}
