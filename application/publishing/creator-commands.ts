import { Command } from '@nestjs/cqrs';
import type {
  CreatorCommand,
  CreatorRejection,
  CreatorStatus,
} from '../../domain/publishing/creator-access.js';
import type { NameTaken } from '../accounts/display-names.js';
import type { VerificationOutcome } from '../profiles/end-verification.js';
import type { Unclocked } from '../shared/streams.js';

export type CreatorOutcome =
  | { accepted: true; status: CreatorStatus['status'] }
  | { accepted: false; rejection: CreatorRejection | NameTaken };

/** Approved at once if the configuration says so, else an administrator decides. */
export class ApplyAsCreator extends Command<CreatorOutcome> {
  constructor(readonly userId: string) {
    super();
  }
}

/** An administrator's decision about a person's access as a creator. */
export abstract class DecideOnCreator extends Command<CreatorOutcome> {
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

/** An administrator has checked who the creator with this name is. */
export class VerifyCreator extends Command<VerificationOutcome> {
  constructor(
    readonly userId: string,
    readonly displayName: string,
    readonly by: string,
  ) {
    super();
  }
}
