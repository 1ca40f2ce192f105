import { accept, reject, unreachable, type Decision, type Decider } from '../shared/decision.js';

/** `by` is an administrator. `EndVerification` may also come from the creator, by changing the name. */
export interface VerificationCommand {
  type: 'VerifyCreator' | 'EndVerification';
  userId: string;
  by: string;
  now: string;
}

export interface VerificationEvent {
  type: 'CreatorVerified' | 'VerificationEnded';
  data: { userId: string; by: string; at: string };
}

export type VerificationRejection = { code: 'OwnInterest' };

function decide(
  { type, userId, by, now: at }: VerificationCommand,
  { isVerified }: { isVerified: boolean },
): Decision<VerificationEvent, VerificationRejection> {
  switch (type) {
    case 'VerifyCreator':
      if (userId === by) return reject({ code: 'OwnInterest' });
      // Records the check even if the creator is verified already, because a crash may have prevented the event that
      // ends an earlier verification.
      return accept({ type: 'CreatorVerified', data: { userId, by, at } });
    case 'EndVerification':
      return isVerified ? accept({ type: 'VerificationEnded', data: { userId, by, at } }) : accept();
    default:
      return unreachable(type);
  }
}

/** Stream `verification-{userId}`: whether staff checked the creator's identity. */
export const verificationDecider: Decider<
  VerificationCommand,
  { isVerified: boolean },
  VerificationEvent,
  VerificationRejection
> = {
  streamOf: (userId) => `verification-${userId}`,
  initialState: { isVerified: false },
  decide,
  evolve: (_, { type }) => ({ isVerified: type === 'CreatorVerified' }),
};
