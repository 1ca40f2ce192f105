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

/** Requests creator access. An administrator decides, unless the configuration approves automatically. */
export class ApplyAsCreator extends Command<CreatorOutcome> {
  constructor(readonly userId: string) {
    super();
  }
}

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

/** Records that an administrator verified the identity of the creator with this name. */
export class VerifyCreator extends Command<VerificationOutcome> {
  constructor(
    readonly userId: string,
    readonly displayName: string,
    readonly by: string,
  ) {
    super();
  }
}
