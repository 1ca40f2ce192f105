import type { Decider } from '../shared/decider.js';
import { accept, reject, unreachable, type Decision } from '../shared/decision.js';
import type { LotSegment } from '../shared/invoice-event.js';
import { floorShare } from '../shared/micro-usd.js';
import type { Remark } from '../shared/remark.js';
import type { SharePolicy } from '../shared/share-policy.js';

/** The relation of one buyer to one sample. */
export type Purchase =
  | { status: 'NotOwned' }
  | { status: 'Owned'; purchaseId: string; certificateId: string; audioVersion: number }
  /** Undone: the credits went back, and the buyer may buy the sample again. */
  | { status: 'Returned'; purchaseId: string; certificateId: string; audioVersion: number };

/** The sample in the catalogue now: price and creator come from here, never from the buyer. */
export interface SampleOnOffer {
  sampleId: string;
  packId: string;
  creatorId: string;
  priceCredits: number;
  audioVersion: number;
  fileSha256: string;
  /** On sale: published, not removed, not taken down. */
  available: boolean;
  /** Nobody gets the file any more, not even its buyers. */
  takenDown: boolean;
}

export type PurchaseCommand =
  | {
      type: 'AcquireSample';
      buyerId: string;
      purchaseId: string;
      certificateId: string;
      sample: SampleOnOffer;
      /** What the credits spent on it were worth; 0 for one's own sample. */
      valueMicroUsd: number;
      policy: SharePolicy;
    }
  | {
      type: 'ReturnPurchase';
      purchase: PaidPurchase;
      reason: ReturnReason;
      explanation: string;
      remark?: Remark | undefined;
      /** A bank is deciding about a payment behind it. */
      disputed: boolean;
      /** The part whose money went back before: it does not go back twice. */
      withheld: LotSegment[];
    };

export type ReturnReason = 'takedown' | 'defect';

interface Licence {
  purchaseId: string;
  buyerId: string;
  sampleId: string;
  packId: string;
  creatorId: string;
  certificateId: string;
  audioVersion: number;
  fileSha256: string;
}

/** A paid licence, as its event describes it. */
export type PaidPurchase = Licence & {
  priceCredits: number;
  valueMicroUsd: number;
  shareMicroUsd: number;
  shareBps: number;
  policyVersion: number;
};

export type PurchaseEvent =
  | { type: 'SamplePurchased'; data: PaidPurchase }
  /** A creator takes a file of their own: a licence, but no debit and no earning. */
  | { type: 'OwnSampleLicensed'; data: Licence }
  /** The audio was replaced after the purchase: the buyer gets the new file free, with a certificate of its own. */
  | { type: 'NewVersionLicensed'; data: Licence }
  /** Undone: the price goes back, and so does the creator's share. The certificate stays. */
  | {
      type: 'PurchaseReturned';
      data: PaidPurchase &
        Partial<Remark> & {
          reason: ReturnReason;
          /** In short; the whole is in the remark, if there is one. */
          explanation: string;
          /** Present if a part of the price does not go back, because its money went back before. */
          withheld?: LotSegment[];
        };
    };

export type PurchaseRejection =
  | { code: 'SampleNotAvailable' }
  | { code: 'Gone' }
  | { code: 'NotPurchased' }
  /** A buyer who may get the money back must not get the credits as well, so the return waits for the bank. */
  | { code: 'PaymentDisputed' };

const initialState: Purchase = { status: 'NotOwned' };

/** Names the stream of a purchase: one buyer and one sample. */
export interface PurchaseId {
  buyerId: string;
  sampleId: string;
}

const streamOf = ({ buyerId, sampleId }: PurchaseId): string => `purchase-${buyerId}.${sampleId}`;

/** What a buyer pays for this sample now: nothing for one's own, nothing twice. */
export function priceFor(buyerId: string, sample: SampleOnOffer, state: Purchase): number {
  return state.status === 'Owned' || sample.creatorId === buyerId ? 0 : sample.priceCredits;
}

/** What keeps this buyer from the sample, if anything does; credits aside. */
export function obstacleTo(
  buyerId: string,
  sample: SampleOnOffer,
  state: Purchase,
): PurchaseRejection | undefined {
  if (sample.takenDown) return { code: 'Gone' };
  if (state.status === 'Owned' || sample.creatorId === buyerId || sample.available) return undefined;
  return { code: 'SampleNotAvailable' };
}

/** Repeating a command records nothing. */
function decide(command: PurchaseCommand, state: Purchase): Decision<PurchaseEvent, PurchaseRejection> {
  return command.type === 'AcquireSample' ? acquire(command, state) : giveBack(command, state);
}

function giveBack(
  {
    purchase,
    reason,
    explanation,
    remark,
    disputed,
    withheld,
  }: Extract<PurchaseCommand, { type: 'ReturnPurchase' }>,
  state: Purchase,
): Decision<PurchaseEvent, PurchaseRejection> {
  if (state.status === 'NotOwned' || state.purchaseId !== purchase.purchaseId)
    return reject({ code: 'NotPurchased' });
  if (state.status === 'Returned') return accept();
  if (disputed) return reject({ code: 'PaymentDisputed' });
  const { certificateId, audioVersion } = state;
  return accept<PurchaseEvent>({
    type: 'PurchaseReturned',
    data: {
      ...purchase,
      certificateId,
      audioVersion,
      reason,
      explanation,
      ...remark,
      ...(withheld.length > 0 ? { withheld } : {}),
    },
  });
}

/** Decides after the credits were taken. */
function acquire(
  command: Extract<PurchaseCommand, { type: 'AcquireSample' }>,
  state: Purchase,
): Decision<PurchaseEvent, PurchaseRejection> {
  const { buyerId, purchaseId, certificateId, sample, valueMicroUsd, policy } = command;
  const obstacle = obstacleTo(buyerId, sample, state);
  if (obstacle) return reject(obstacle);
  const licence: Licence = {
    purchaseId,
    buyerId,
    sampleId: sample.sampleId,
    packId: sample.packId,
    creatorId: sample.creatorId,
    certificateId,
    audioVersion: sample.audioVersion,
    fileSha256: sample.fileSha256,
  };
  if (state.status === 'Owned') {
    // Re-downloads are free: the licence was bought, not the file.
    return state.audioVersion === sample.audioVersion
      ? accept()
      : accept<PurchaseEvent>({
          type: 'NewVersionLicensed',
          data: { ...licence, purchaseId: state.purchaseId },
        });
  }
  if (sample.creatorId === buyerId)
    return accept<PurchaseEvent>({ type: 'OwnSampleLicensed', data: licence });
  return accept<PurchaseEvent>({
    type: 'SamplePurchased',
    // Sets a field of the licence; V8 spreads it into a new object sixty times slower.
    data: Object.assign(licence, {
      priceCredits: sample.priceCredits,
      valueMicroUsd,
      shareMicroUsd: floorShare(valueMicroUsd, policy),
      shareBps: policy.shareBps,
      policyVersion: policy.policyVersion,
    }),
  });
}

function evolve(_state: Purchase, event: PurchaseEvent): Purchase {
  switch (event.type) {
    case 'SamplePurchased':
    case 'OwnSampleLicensed':
    case 'NewVersionLicensed': {
      const { purchaseId, certificateId, audioVersion } = event.data;
      return { status: 'Owned', purchaseId, certificateId, audioVersion };
    }
    case 'PurchaseReturned': {
      const { purchaseId, certificateId, audioVersion } = event.data;
      return { status: 'Returned', purchaseId, certificateId, audioVersion };
    }
    default:
      return unreachable(event);
  }
}

export const purchaseDecider: Decider<
  PurchaseCommand,
  Purchase,
  PurchaseEvent,
  PurchaseRejection,
  PurchaseId
> = { streamOf, initialState, decide, evolve };
