import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Decision, Decider } from '../../domain/shared/decision.js';
import {
  EventStore,
  StreamVersionConflict,
  type EventMetadata,
  type NewEvent,
  type Recorded,
} from './event-store.js';

/** How often a command is tried if other writers append first. After that, the caller gets the conflict. */
export const MAX_ATTEMPTS = 40;

/** A command without its time, which the handler sets. */
export type Unclocked<Command> = Command extends unknown ? Omit<Command, 'now'> : never;

/** The outcome of a command: the stream's new state, or the refusal. */
export type Executed<State, Event, Rejection> =
  | {
      accepted: true;
      state: State;
      events: readonly Event[];
    }
  | { accepted: false; rejection: Rejection };

/** Metadata of the events. A command that names no correlation id gets a new one. */
type CommandMetadata = Omit<EventMetadata, 'correlationId'> & { correlationId?: string };

interface Opened {
  readonly name: string;
  readonly versionRead: number;
  readonly events: readonly NewEvent[];
  position?: number;
}

/** A stream as it was read, with the events that were decided since then. */
class OpenStream<Command, State, Event extends NewEvent, Rejection> implements Opened {
  readonly events: Event[] = [];
  position?: number;

  constructor(
    readonly name: string,
    private readonly decider: Pick<Decider<Command, State, Event, Rejection>, 'decide' | 'evolve'>,
    public state: State,
    /** The version of the stream when it was read. Events are appended only if the version is still the same. */
    readonly versionRead: number,
  ) {}

  get version(): number {
    return this.versionRead + this.events.length;
  }

  /** Decides a command, and adds its events to the stream. A refusal adds nothing. */
  decide(command: Command): Decision<Event, Rejection> {
    const decision = this.decider.decide(command, this.state);
    if (decision.accepted) this.add(decision.events);
    return decision;
  }

  add(events: readonly Event[]): void {
    this.events.push(...events);
    this.state = events.reduce(this.decider.evolve, this.state);
  }
}

export class Work {
  private readonly opened: Opened[] = [];

  constructor(private readonly log: EventStore) {}

  async open<Command, State, Event extends NewEvent, Rejection, Id>(
    decider: Decider<Command, State, Event, Rejection, Id>,
    id: Id,
  ): Promise<OpenStream<Command, State, Event, Rejection>> {
    const name = decider.streamOf(id);
    const history = await this.log.readStream<Event>(name);
    const state = history.reduce<State>(decider.evolve, decider.initialState);
    const stream = new OpenStream(name, decider, state, history.length);
    this.opened.push(stream);
    return stream;
  }

  /**
   * Appends the decided events. If there are none, checks that the opened streams are unchanged, because the decision
   * may have used other data that is newer than the streams.
   * @throws StreamVersionConflict
   */
  async record(metadata: EventMetadata): Promise<void> {
    const changed = this.opened.filter(({ events }) => events.length > 0);
    if (changed.length === 0) return this.confirm();
    const recorded = await this.log.append(
      changed.map(({ name, versionRead, events }) => ({
        stream: name,
        expectedVersion: versionRead,
        events: [...events],
      })),
      metadata,
    );
    for (const stream of changed)
      stream.position = recorded.findLast((event) => event.stream === stream.name)?.position;
  }

  private async confirm(): Promise<void> {
    for (const { name, versionRead } of this.opened)
      if ((await this.log.readStream(name, versionRead)).length > 0) throw new StreamVersionConflict(name);
  }
}

/** Executes commands on streams: reads, decides, appends, and retries if another writer was first. */
@Injectable()
export class Streams {
  constructor(private readonly log: EventStore) {}

  head(): Promise<{ position: number; hash: string }> {
    return this.log.head();
  }

  history<Command, State, Event extends NewEvent, Rejection, Id>(
    decider: Decider<Command, State, Event, Rejection, Id>,
    id: Id,
  ): Promise<Recorded<Event>[]> {
    return this.log.readStream<Event>(decider.streamOf(id));
  }

  async load<Command, State, Event extends NewEvent, Rejection, Id>(
    decider: Decider<Command, State, Event, Rejection, Id>,
    id: Id,
  ): Promise<State> {
    return (await new Work(this.log).open(decider, id)).state;
  }

  execute<Command, State, Event extends NewEvent, Rejection, Id>(
    decider: Decider<Command, State, Event, Rejection, Id>,
    id: Id,
    command: NoInfer<Command>,
    metadata: CommandMetadata,
  ): Promise<Executed<State, Event, Rejection>> {
    return this.transact(metadata, async (work) => {
      const stream = await work.open(decider, id);
      const decision = stream.decide(command);
      return decision.accepted ? { ...decision, state: stream.state } : decision;
    });
  }

  /**
   * Appends the decided events of all opened streams in one transaction, in the order of opening.
   * @param decide is called again on newer state if another writer was first, even if there are no events to append.
   * If `decide` throws, nothing is appended.
   * @throws StreamVersionConflict after too many attempts
   */
  async transact<Result>(metadata: CommandMetadata, decide: (work: Work) => Promise<Result>) {
    const complete = { correlationId: randomUUID(), ...metadata };
    for (let attempt = 1; ; attempt += 1) {
      const work = new Work(this.log);
      const result = await decide(work);
      try {
        await work.record(complete);
        return result;
      } catch (error) {
        if (!(error instanceof StreamVersionConflict) || attempt >= MAX_ATTEMPTS) throw error;
      }
    }
  }
}
