import { Injectable } from '@nestjs/common';
import { creatorDecider } from '../../domain/publishing/creator-access.js';
import {
  notAccepted,
  undeclared,
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
import { reject, decideInOrder, type Outcome } from '../../domain/shared/decision.js';
import { Clock } from '../shared/clock.js';
import { StreamVersionConflict } from '../shared/event-store.js';
import { InTurn } from '../shared/in-turn.js';
import { Remarks, textOf } from '../shared/remarks.js';
import { Streams } from '../shared/streams.js';
import { PublishingSettings } from './publishing-settings.js';

/** The slugs of packs, unique per creator. A slug is claimed before the event that uses it is appended. */
export abstract class PackSlugs {
  /** Claims `drums`, or else `drums-2`, `drums-3`, … A claim of the same pack returns the slug that it already has. */
  abstract claim(creatorId: string, packId: string, name: string): Promise<string>;
}

export interface PackWriter {
  userId: string;
  packId: string;
  /** If undefined, any version is accepted. */
  expectedVersion?: number | undefined;
  /** When the change was made, for imports. Default: now. */
  at?: Date;
  /**
   * Publishes samples even if their origin is not stated. Set for imports, and for releases on their scheduled
   * date.
   */
  takesUnstated?: true;
}

/** A command without the fields that `Packs` adds: pack id, actor and time. */
export type WithoutActor<Decision = PackCommand | StaffCommand> = Decision extends unknown
  ? Omit<Decision, 'packId' | 'actorId' | 'now'>
  : never;

export type PackRefusal = PackRejection | { code: 'StaleVersion'; version: number };

export type PackOutcome<FurtherRefusal extends { code: string } = never> = Outcome<
  {
    events: readonly PackEvent[];
    version: number;
    /** The log position of the last appended event. Undefined if nothing had to change. */
    position?: number | undefined;
  },
  PackRefusal | FurtherRefusal
>;

export interface RecordingOnSale {
  sampleId: string;
  sha256: string;
}

/** Reserves recordings for publication: only the first creator to publish a recording may sell it. */
export abstract class PublishedRecordings {
  /** Returns the samples whose recording is withheld in any sample of the creator. */
  abstract withheld(creatorId: string, samples: readonly RecordingOnSale[]): Promise<Set<string>>;
  /** Reserves all recordings, or none if one is not available. @returns the samples that are not available */
  abstract take(creatorId: string, samples: readonly RecordingOnSale[]): Promise<Set<string>>;
}

@Injectable()
export class Packs {
  private readonly turns = new InTurn();

  constructor(
    private readonly streams: Streams,
    private readonly recordings: PublishedRecordings,
    private readonly remarks: Remarks,
    private readonly settings: PublishingSettings,
    private readonly clock: Clock,
  ) {}

  /** Applies commands in order. Appends all their events, or none if one command is refused. */
  decide(writer: PackWriter, ...decisions: WithoutActor[]): Promise<PackOutcome> {
    return this.turns.run(writer.packId, () => this.once(writer, decisions));
  }

  /** Retries if another process writes to the pack first. After too many conflicts, returns StaleVersion. */
  private async once(
    { userId: actor, packId, expectedVersion, at, takesUnstated }: PackWriter,
    decisions: readonly WithoutActor[],
  ): Promise<PackOutcome> {
    const present = this.clock.now();
    const now = (at && at < present ? at : present).toISOString();
    const commands = decisions.map(
      (each) => ({ ...each, packId, actorId: actor, now }) as PackCommand | StaffCommand,
    );
    try {
      const { pack, rejection } = await this.streams.transact({ actor }, async (work) => {
        const pack = await work.open(packDecider, packId);
        const before = pack.state;
        const { events, rejection } = decideInOrder(packDecider, commands, before);
        // NotFound takes precedence over StaleVersion, so that other creators do not learn the pack's version.
        if (
          expectedVersion !== undefined &&
          expectedVersion !== pack.version &&
          rejection?.code !== 'NotFound'
        )
          return { pack, rejection: staleAt(pack.version) };
        if (rejection) return { pack, rejection };
        // Staff decisions skip these checks, because staff who release a sample have decided that it may be sold.
        const after = events.reduce(packDecider.evolve, before);
        const refused = commands.some((command) => 'because' in command)
          ? undefined
          : (stoppedBySuspension((await work.open(creatorDecider, actor)).state, before, events) ??
            notAccepted(this.settings.refusedOrigins, before, after) ??
            (this.settings.requiresOrigin && !takesUnstated ? undeclared(before, after) : undefined) ??
            (await this.unsaleable(before, after)));
        if (!refused) pack.add(events);
        return { pack, rejection: refused };
      });
      if (rejection?.code === 'PackTakenDown')
        return reject({ code: rejection.code, reason: await textOf(this.remarks, rejection) });
      if (rejection) return reject(rejection);
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
