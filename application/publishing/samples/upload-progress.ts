import { Injectable } from '@nestjs/common';
import type * as z from 'zod';
import { WallClock } from '../../shared/clock.js';
import type { UploadProgress as UploadProgressShape } from '../contract.js';

export type UploadState = z.infer<typeof UploadProgressShape>;

const KEPT_MS = 10 * 60_000;
const KEPT_LIMIT = 5_000;

interface Entry extends UploadState {
  userId: string;
  changedAtMs: number;
}

/** The progress of uploads that this process receives; forgotten ten minutes after their last update. */
@Injectable()
export class UploadBoard {
  private readonly entries = new Map<string, Entry>();

  constructor(private readonly clock: WallClock) {}

  report(uploadId: string | undefined, userId: string, state: UploadState): void {
    if (uploadId === undefined) return;
    const known = this.entries.get(uploadId);
    if (known && known.userId !== userId) return;
    // Set again at the end: the map stays in order of change, so the first entries are the oldest.
    this.entries.delete(uploadId);
    this.entries.set(uploadId, { ...state, userId, changedAtMs: this.clock.now().getTime() });
    this.forgetOld();
  }

  /** undefined for unknown uploads and other people's. */
  find(uploadId: string, userId: string): UploadState | undefined {
    const entry = this.entries.get(uploadId);
    return entry?.userId === userId ? { phase: entry.phase, share: entry.share } : undefined;
  }

  private forgetOld(): void {
    const oldestMs = this.clock.now().getTime() - KEPT_MS;
    for (const [uploadId, entry] of this.entries) {
      if (entry.changedAtMs >= oldestMs && this.entries.size <= KEPT_LIMIT) return;
      this.entries.delete(uploadId);
    }
  }
}
