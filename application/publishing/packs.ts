import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { newlyOnSale, packDecider, publishedByAnother, type Pack } from '../../domain/publishing/pack.js';
import type { PackCommand, PackRejection, TakeDownPack } from '../../domain/publishing/pack-messages.js';
import { decideInOrder } from '../../domain/shared/decider.js';
import { Clock } from '../shared/clock.js';
import { StreamVersionConflict } from '../shared/event-store.js';
import { Streams } from '../shared/streams.js';
import type { PackOutcome, PackWriter, Unsigned } from './pack-commands.js';
import { PublishedRecordings } from './published-recordings.js';

/** Decides on packs. */
@Injectable()
export class Packs {
  /** The last of each pack's commands in this process: they take turns instead of losing races. */
  private readonly queues = new Map<string, Promise<unknown>>();

  constructor(
    private readonly streams: Streams,
    private readonly recordings: PublishedRecordings,
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

  /** Another process may still be first; whoever loses too often is told that the pack keeps changing. */
  private async once(
    { userId: actor, packId, expectedVersion, at }: PackWriter,
    decisions: readonly Unsigned[],
  ): Promise<PackOutcome> {
    const present = this.clock.now();
    const now = (at && at < present ? at : present).toISOString();
    const commands = decisions.map(
      (each) => ({ ...each, packId, actorId: actor, now }) as PackCommand | TakeDownPack,
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
          const refused = await this.publishedByOthers(before, events.reduce(packDecider.evolve, before));
          if (!refused) pack.add(events);
          return { pack, rejection: refused };
        },
      );
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

  private async publishedByOthers(before: Pack, after: Pack): Promise<PackRejection | undefined> {
    const samples = newlyOnSale(before, after);
    if (samples.length === 0 || after.status === 'none') return undefined;
    const refused = await this.recordings.take(after.creatorId, samples);
    const sample = samples.find(({ sampleId }) => refused.has(sampleId));
    return sample && publishedByAnother(sample);
  }
}

const staleAt = (version: number) => ({ code: 'StaleVersion', version }) as const;
