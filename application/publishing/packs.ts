import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { creatorDecider } from '../../domain/publishing/creator-access.js';
import {
  packDecider,
  publishedByAnother,
  stoppedBySuspension,
  withheldBefore,
} from '../../domain/publishing/pack.js';
import type {
  PackCommand,
  PackEvent,
  PackRejection,
  StaffCommand,
} from '../../domain/publishing/pack-messages.js';
import { newlyOnSale, type Pack } from '../../domain/publishing/pack-state.js';
import { decideInOrder } from '../../domain/shared/decider.js';
import { Clock } from '../shared/clock.js';
import { StreamVersionConflict } from '../shared/event-store.js';
import { Remarks, textOf } from '../shared/remarks.js';
import { Streams } from '../shared/streams.js';

/** A person who writes to a pack, and the version that they have seen. */
export interface PackWriter {
  userId: string;
  packId: string;
  /** undefined: any version. */
  expectedVersion?: number | undefined;
  /** When it happened, if that was elsewhere and earlier. */
  at?: Date;
}

/** A decision about a pack, before its owner and time are added. */
export type Unsigned<Decision = PackCommand | StaffCommand> = Decision extends unknown
  ? Omit<Decision, 'packId' | 'actorId' | 'now'>
  : never;

export type PackOutcome =
  | {
      accepted: true;
      events: readonly PackEvent[];
      /** The version of the pack afterwards, for the next `If-Match`. */
      version: number;
      /** The position of the last event recorded; undefined if nothing had to change. */
      position?: number | undefined;
    }
  | { accepted: false; rejection: PackRejection | { code: 'StaleVersion'; version: number } };

/** A sample about to go on sale. */
export interface RecordingOnSale {
  sampleId: string;
  /** Of the original. */
  sha256: string;
}

/** Which recordings are on sale, and by whom: only the first creator to publish a recording may sell it. */
export abstract class PublishedRecordings {
  /**
   * The samples whose recording is held, refused or taken down: theirs before they got other audio, or that of another
   * sample of their creator.
   */
  abstract withheld(creatorId: string, samples: readonly RecordingOnSale[]): Promise<Set<string>>;
  /**
   * Reserves recordings for a creator who is about to publish them, until the event is recorded. If two publish the
   * same at once, one is told to wait for the other.
   * @returns the samples whose recording another creator published before; then nothing is reserved
   */
  abstract take(creatorId: string, samples: readonly RecordingOnSale[]): Promise<Set<string>>;
}

/** Decides on packs. */
@Injectable()
export class Packs {
  /** The last of each pack's commands in this process: they take turns instead of losing races. */
  private readonly queues = new Map<string, Promise<unknown>>();

  constructor(
    private readonly streams: Streams,
    private readonly recordings: PublishedRecordings,
    private readonly remarks: Remarks,
    private readonly clock: Clock,
  ) {}

  /** In their order: all their events or none. */
  async decide(writer: PackWriter, ...decisions: Unsigned[]): Promise<PackOutcome> {
    const { packId } = writer;
    const before = this.queues.get(packId) ?? Promise.resolve();
    const turn = before.then(() => this.once(writer, decisions));
    const settled = turn.catch(() => {});
    this.queues.set(packId, settled);
    try {
      return await turn;
    } finally {
      if (this.queues.get(packId) === settled) this.queues.delete(packId);
    }
  }

  /** Another process may still be first; after too many losses the caller learns that the pack keeps changing. */
  private async once(
    { userId: actor, packId, expectedVersion, at }: PackWriter,
    decisions: readonly Unsigned[],
  ): Promise<PackOutcome> {
    const present = this.clock.now();
    const now = (at && at < present ? at : present).toISOString();
    const commands = decisions.map(
      (each) => ({ ...each, packId, actorId: actor, now }) as PackCommand | StaffCommand,
    );
    try {
      const { pack, rejection } = await this.streams.transact(
        { actor, correlationId: randomUUID() },
        async (work) => {
          const pack = await work.open(packDecider, packId);
          const before = pack.state;
          const { events, rejection } = decideInOrder(packDecider, commands, before);
          // Whose pack it is comes first: a stranger must not learn its version.
          if (
            expectedVersion !== undefined &&
            expectedVersion !== pack.version &&
            rejection?.code !== 'NotFound'
          )
            return { pack, rejection: staleAt(pack.version) };
          if (rejection) return { pack, rejection };
          // Staff who release a sample have decided that it may be sold.
          const refused = commands.some((command) => 'because' in command)
            ? undefined
            : (stoppedBySuspension((await work.open(creatorDecider, actor)).state, before, events) ??
              (await this.unsaleable(before, events.reduce(packDecider.evolve, before))));
          if (!refused) pack.add(events);
          return { pack, rejection: refused };
        },
      );
      if (rejection?.code === 'PackTakenDown')
        return {
          accepted: false,
          rejection: { code: rejection.code, reason: await textOf(this.remarks, rejection) },
        };
      if (rejection) return { accepted: false, rejection };
      const { events, version, position } = pack;
      return { accepted: true, events, version, position };
    } catch (error) {
      if (!(error instanceof StreamVersionConflict)) throw error;
      return {
        accepted: false,
        rejection: staleAt((await this.streams.history(packDecider, packId)).length),
      };
    }
  }

  private async unsaleable(before: Pack, after: Pack): Promise<PackRejection | undefined> {
    const samples = newlyOnSale(before, after);
    if (samples.length === 0 || after.status === 'none') return undefined;
    const withheld = await this.recordings.withheld(after.creatorId, samples);
    const again = samples.find(({ sampleId }) => withheld.has(sampleId));
    if (again) return withheldBefore(again);
    const refused = await this.recordings.take(after.creatorId, samples);
    const sample = samples.find(({ sampleId }) => refused.has(sampleId));
    return sample && publishedByAnother(sample);
  }
}

const staleAt = (version: number) => ({ code: 'StaleVersion', version }) as const;
