import { randomUUID } from 'node:crypto';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { packDecider, newlyOnSale, publishedByAnother, type Pack } from '../../domain/publishing/pack.js';
import type {
  PackCommand,
  PackEvent,
  PackRejection,
  TakeDownPack,
} from '../../domain/publishing/pack-messages.js';
import { EventStore, StreamVersionConflict } from '../shared/event-store.js';
import { PublishedRecordings } from './published-recordings.js';

export type PackOutcome =
  | {
      accepted: true;
      events: PackEvent[];
      /** Of the pack after it, for `If-Match` next time. */
      version: number;
      /** Of the last event recorded; undefined when nothing had to change. */
      position?: number;
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

const ATTEMPTS = 3;

@CommandHandler(ExecutePackCommands)
export class PackCommandHandler implements ICommandHandler<ExecutePackCommands> {
  constructor(
    private readonly eventStore: EventStore,
    private readonly recordings: PublishedRecordings,
  ) {}

  /** The last of each pack's commands in this process: they take turns instead of losing races. */
  private readonly queues = new Map<string, Promise<unknown>>();

  async execute(request: ExecutePackCommands): Promise<PackOutcome> {
    const { packId } = request;
    const before = this.queues.get(packId) ?? Promise.resolve();
    const turn = before.then(() => this.retried(request));
    const settled = turn.catch(() => {});
    this.queues.set(packId, settled);
    try {
      return await turn;
    } finally {
      if (this.queues.get(packId) === settled) this.queues.delete(packId);
    }
  }

  /** Another process may still be first; whoever loses three times is told that the pack keeps changing. */
  private async retried(request: ExecutePackCommands): Promise<PackOutcome> {
    const correlationId = randomUUID();
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      try {
        return await this.attempt(request, correlationId);
      } catch (error) {
        if (!(error instanceof StreamVersionConflict)) throw error;
      }
    }
    const version = (await this.eventStore.readStream(packDecider.streamOf(request.packId))).length;
    return { accepted: false, rejection: { code: 'StaleVersion', version } };
  }

  private async attempt(
    { packId, commands, actor, expectedVersion }: ExecutePackCommands,
    correlationId: string,
  ): Promise<PackOutcome> {
    const stream = packDecider.streamOf(packId);
    const history = await this.eventStore.readStream(stream);
    const version = history.at(-1)?.version ?? 0;
    const before = history.reduce(
      (state, event) => packDecider.evolve(state, event as unknown as PackEvent),
      packDecider.initialState,
    );
    let pack = before;
    const isStale = expectedVersion !== undefined && expectedVersion !== version;
    const events: PackEvent[] = [];
    for (const command of commands) {
      const decision = packDecider.decide(command, pack);
      // Whose pack it is comes first: a stranger must not learn its version.
      if (isStale && (decision.accepted || decision.rejection.code !== 'NotFound'))
        return { accepted: false, rejection: { code: 'StaleVersion', version } };
      if (!decision.accepted) return decision;
      pack = decision.events.reduce(packDecider.evolve, pack);
      events.push(...decision.events);
    }
    if (events.length === 0) return { accepted: true, events, version };
    const refused = await this.publishedByOthers(before, pack);
    if (refused) return { accepted: false, rejection: refused };
    const recorded = await this.eventStore.append([{ stream, expectedVersion: version, events }], {
      actor,
      correlationId,
    });
    const last = recorded.at(-1);
    return { accepted: true, events, version: version + events.length, position: last?.position };
  }

  private async publishedByOthers(before: Pack, after: Pack): Promise<PackRejection | undefined> {
    const samples = newlyOnSale(before, after);
    if (samples.length === 0 || after.status === 'none') return undefined;
    const refused = await this.recordings.take(after.creatorId, samples);
    const sample = samples.find(({ sampleId }) => refused.has(sampleId));
    return sample && publishedByAnother(sample);
  }
}
