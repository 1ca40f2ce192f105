import { randomUUID } from 'node:crypto';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { packDecider, newlyOnSale, publishedByAnother, type Pack } from '../../domain/publishing/pack.js';
import type {
  PackCommand,
  PackEvent,
  PackRejection,
  TakeDownPack,
} from '../../domain/publishing/pack-messages.js';
import { decideInOrder } from '../../domain/shared/decider.js';
import { StreamVersionConflict } from '../shared/event-store.js';
import { PublishedRecordings } from './published-recordings.js';
import { Streams } from '../shared/streams.js';

export type PackOutcome =
  | {
      accepted: true;
      events: PackEvent[];
      /** Of the pack after it, for `If-Match` next time. */
      version: number;
      /** Of the last event recorded; undefined when nothing had to change. */
      position?: number | undefined;
    }
  | { accepted: false; rejection: PackRejection | { code: 'StaleVersion'; version: number } };

/** Decides commands on one pack in their order, and records all their events or none. */
export class ExecutePackCommands extends Command<PackOutcome> {
  constructor(
    readonly packId: string,
    readonly commands: ReadonlyArray<PackCommand | TakeDownPack>,
    /** User id, or `system:{name}`. */
    readonly actor: string,
    /** The version the caller has seen; undefined: whatever it is. */
    readonly expectedVersion?: number,
  ) {
    super();
  }
}

@CommandHandler(ExecutePackCommands)
export class PackCommandHandler implements ICommandHandler<ExecutePackCommands> {
  constructor(
    private readonly streams: Streams,
    private readonly recordings: PublishedRecordings,
  ) {}

  /** The last of each pack's commands in this process: they take turns instead of losing races. */
  private readonly queues = new Map<string, Promise<unknown>>();

  async execute(request: ExecutePackCommands): Promise<PackOutcome> {
    const { packId } = request;
    const before = this.queues.get(packId) ?? Promise.resolve();
    const turn = before.then(() => this.decide(request));
    const settled = turn.catch(() => {});
    this.queues.set(packId, settled);
    try {
      return await turn;
    } finally {
      if (this.queues.get(packId) === settled) this.queues.delete(packId);
    }
  }

  /** Another process may still be first; whoever loses too often is told that the pack keeps changing. */
  private async decide(request: ExecutePackCommands): Promise<PackOutcome> {
    const { packId, commands, actor, expectedVersion } = request;
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
