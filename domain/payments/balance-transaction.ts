import { evolveBy } from '../shared/by-type.js';
import { accept, reject, unreachable, type Decision, type Decider } from '../shared/decision.js';
import {
  feeOfRecord,
  isDispute,
  OPENING,
  RESERVE,
  reserveItem,
  type BalanceTransaction,
  type BalanceTransactionEvent,
  type HeldMovement,
  type MovementKind,
} from '../shared/balance-movement.js';
import { inUsd, microUsdFromCents, inCurrency, microOf } from '../shared/micro-usd.js';

/** The provider's report of a movement. A movement never changes afterwards. */
export interface RecordBalanceTransaction {
  type: 'RecordBalanceTransaction';
  /** The provider's id, such as `txn_…`. */
  transactionId: string;
  kind: MovementKind;
  /**
   * The id of the invoice, refund, dispute, transfer, reversal or payout behind the movement, as our events name it.
   * Absent if no event of ours can be about the movement.
   */
  about?: string;
  /** The provider's id of the source, such as a charge. */
  source?: string;
  /** The provider's name for the type of movement, if the kind is `other` or `reserve`. */
  providerType?: string;
  /** Negative for outgoing money. */
  grossUsdCents: number;
  /**
   * The provider's fee. Our balance changes by the gross amount less this fee. Negative if the provider returns a
   * fee.
   */
  feeUsdCents: number;
  /** Present if the movement is in another currency. The amounts above are then 0. */
  foreign?: NonNullable<BalanceTransaction['foreign']>;
  /** The time by the provider's clock, in ISO 8601. */
  at: string;
}

/** The provider reported this movement before with other amounts. A person must look at it. */
export type BalanceTransactionRejection = { code: 'BalanceTransactionContradicts'; detail: string };

export type BalanceTransactionCommand = (
  | RecordBalanceTransaction
  /** No event of ours explains the movement, or a new first month of the books moves it to another account. */
  | { type: 'HoldInSuspense' }
  /** The event that explains the movement arrived late. */
  | { type: 'Explain' }
) &
  Beginning;

interface Beginning {
  /** The beginning of the first month of the books, ISO 8601. If absent, the books begin with their first entry. */
  booksBegin?: string | undefined;
}

/** The record of a movement, and the part of it that is in suspense. */
export interface KnownMovement {
  recorded?: BalanceTransaction;
  held?: HeldMovement;
}

type Answer = Decision<BalanceTransactionEvent, BalanceTransactionRejection>;

function decide(command: BalanceTransactionCommand, { recorded, held }: KnownMovement): Answer {
  switch (command.type) {
    case 'RecordBalanceTransaction':
      return record(command, recorded);
    case 'HoldInSuspense': {
      const place = recorded && placeOf(recorded, command);
      if (held && (held.account === OPENING) === (place?.account === OPENING)) return accept();
      return accept<BalanceTransactionEvent>(...explained(held), ...inPlace(place));
    }
    case 'Explain':
      return accept(...explained(held));
    default:
      return unreachable(command);
  }
}

/**
 * Records a new movement. If no event of ours can ever explain the movement, also puts it into
 * suspense. Ignores a repeated report.
 */
function record(
  { type: _, grossUsdCents, feeUsdCents, booksBegin, ...movement }: RecordBalanceTransaction & Beginning,
  known: BalanceTransaction | undefined,
): Answer {
  const data = {
    ...movement,
    grossMicroUsd: microUsdFromCents(grossUsdCents),
    feeMicroUsd: microUsdFromCents(feeUsdCents),
  };
  if (!known)
    return accept<BalanceTransactionEvent>(
      { type: 'BalanceTransactionRecorded', data },
      ...(isNobodys(data) ? inPlace(placeOf(data, { booksBegin })) : []),
    );
  if (known.grossMicroUsd !== data.grossMicroUsd || known.feeMicroUsd !== data.feeMicroUsd)
    return reject({
      code: 'BalanceTransactionContradicts',
      detail: `${data.transactionId} was ${amountsOf(known)} and is ${amountsOf(data)} now`,
    });
  return accept();
}

const explained = (held: HeldMovement | undefined): BalanceTransactionEvent[] =>
  held ? [{ type: 'MovementExplained', data: held }] : [];
const inPlace = (place: HeldMovement | undefined): BalanceTransactionEvent[] =>
  place ? [{ type: 'MovementHeldInSuspense', data: place }] : [];

const amountsOf = ({ grossMicroUsd, feeMicroUsd }: BalanceTransaction): string =>
  `${inUsd(grossMicroUsd)} less ${inUsd(feeMicroUsd)}`;

/** Returns whether no event of ours can ever explain the movement. Our events are in dollars. */
const isNobodys = ({ kind, about, foreign, grossMicroUsd }: BalanceTransaction): boolean =>
  foreign
    ? foreign.grossMinorUnits !== foreign.feeMinorUnits
    : grossMicroUsd !== 0 && (kind === 'other' || about === undefined);

const RESERVE_REASON = 'withheld as a reserve';

/** Why a movement without an event is in suspense. Fees are booked without an event, so they need no reason. */
const REASONS: Partial<Record<MovementKind, string>> = {
  charge: 'a payment for no plan',
  refund: 'a refund that belongs to no sale',
  'refund failed': 'a failed refund that belongs to no sale',
  dispute: 'a dispute that belongs to no sale',
  'dispute won': 'a dispute that belongs to no sale',
  'dispute adjusted': 'a dispute that belongs to no sale',
  'payment failed': 'a failed payment that belongs to no sale',
  transfer: 'a transfer without a withdrawal',
  'transfer reversed': 'a reversal without a withdrawal',
  reserve: RESERVE_REASON,
};

/**
 * Returns the account that holds a movement which no event of ours explains: suspense, the reserve or the opening
 * balance, which also holds the fee. Returns undefined for a mere fee, which is booked when it is recorded.
 */
function placeOf(movement: BalanceTransaction, { booksBegin }: Beginning): HeldMovement | undefined {
  const { transactionId, kind, about, source, providerType, grossMicroUsd, feeMicroUsd, at, foreign } =
    movement;
  const isReserve = kind === 'reserve';
  // The provider releases a reserve later. Both movements must be in the reserve account to cancel each other.
  const opens = booksBegin !== undefined && Date.parse(at) < Date.parse(booksBegin) && !isReserve;
  if (kind === 'fee' && !foreign && !opens) return undefined;
  const item = isReserve ? reserveItem(foreign?.currency) : (source ?? about ?? transactionId);
  const account: HeldMovement['account'] = isReserve ? RESERVE : opens ? OPENING : undefined;
  const held = { transactionId, ...(account && { account }), item, at };
  if (foreign) {
    const { currency, grossMinorUnits, feeMinorUnits } = foreign;
    const amountMicro = microOf(grossMinorUnits - feeMinorUnits, currency);
    const reason = isReserve
      ? RESERVE_REASON
      : `${inCurrency(amountMicro, currency)} moved, in a currency that we do not sell in: ${providerType ?? kind}`;
    return { ...held, amountMicroUsd: 0, feeMicroUsd: 0, foreign: { currency, amountMicro }, reason };
  }
  const reason = REASONS[kind] ?? `an unknown movement: ${providerType ?? kind}`;
  if (opens)
    return {
      ...held,
      amountMicroUsd: grossMicroUsd - feeMicroUsd,
      feeMicroUsd: 0 - feeOfRecord(movement),
      ...(kind !== 'dispute won' && ({ feeAccount: 'stripe-fees' } as const)),
      reason,
    };
  const fee = isDispute(movement) ? feeMicroUsd : 0;
  return { ...held, amountMicroUsd: grossMicroUsd, feeMicroUsd: fee, reason };
}

/** Stream `balance-{transactionId}`: one movement of our balance at the payment provider. */
export const balanceTransactionDecider: Decider<
  BalanceTransactionCommand,
  KnownMovement,
  BalanceTransactionEvent,
  BalanceTransactionRejection
> = {
  streamOf: (transactionId) => `balance-${transactionId}`,
  initialState: {},
  decide,
  evolve: evolveBy<KnownMovement, BalanceTransactionEvent>({
    BalanceTransactionRecorded: (_, recorded) => ({ recorded }),
    MovementHeldInSuspense: (state, held) => ({ ...state, held }),
    MovementExplained: ({ recorded }) => ({ recorded }),
  }),
};
