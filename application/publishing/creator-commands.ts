import { Command } from '@nestjs/cqrs';
import type {
  CreatorCommand,
  CreatorRejection,
  CreatorStanding,
} from '../../domain/publishing/creator-standing.js';
import type { Unclocked } from '../shared/streams.js';

export type StandingOutcome =
  { accepted: true; status: CreatorStanding['status'] } | { accepted: false; rejection: CreatorRejection };

/** Approved at once where the configuration says so, else an administrator decides. */
export class ApplyAsCreator extends Command<StandingOutcome> {
  constructor(readonly userId: string) {
    super();
  }
}

/** What an administrator decides about somebody's access as a creator. */
export abstract class DecideOnCreator extends Command<StandingOutcome> {
  constructor(
    readonly decision: Unclocked<CreatorCommand>,
    readonly by: string,
  ) {
    super();
  }
}

export class ApproveCreator extends DecideOnCreator {
  constructor(userId: string, by: string) {
    super({ type: 'ApproveCreator', userId, by }, by);
  }
}

export class DeclineCreator extends DecideOnCreator {
  constructor(userId: string, by: string, reason: string) {
    super({ type: 'DeclineCreator', userId, by, reason }, by);
  }
}

export class SuspendCreator extends DecideOnCreator {
  constructor(userId: string, by: string, reason: string) {
    super({ type: 'SuspendCreator', userId, by, reason }, by);
  }
}

export class ReinstateCreator extends DecideOnCreator {
  constructor(userId: string, by: string) {
    super({ type: 'ReinstateCreator', userId, by }, by);
  }
}
