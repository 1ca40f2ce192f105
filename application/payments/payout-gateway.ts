/** A creator's account with the payment provider, as the provider tells it now. */
export interface ConnectedAccount {
  accountId: string;
  chargesEnabled: boolean;
  /** Money may be sent to it. */
  payoutsEnabled: boolean;
  /** What the provider still needs, in its own words, such as `external_account`. */
  requirements: string[];
}

/** As the provider tells it now, with more than is kept. */
export interface ConnectedAccountNow extends ConnectedAccount {
  country: string | null;
  /** Those of the requirements that are late, so that nothing is sent any more. */
  pastDue: string[];
  /** What was wrong with an answer, in a sentence, by its requirement. */
  problems: Record<string, string>;
  /** Until when the provider waits for the requirements. */
  deadline: Date | null;
}

/** Where creators can be paid. */
export interface PayoutCountries {
  /** Our own. */
  home: string;
  /** Codes of two letters. */
  all: string[];
}

/** Money sent to a creator's account, re-read from the provider. */
export interface Transfer {
  transferId: string;
  /** Our name for the withdrawal, by which a transfer is found if its answer was lost. */
  transferGroup: string;
  accountId: string;
  amountUsdCents: number;
  createdAt: Date;
  /** The reversals, oldest first. */
  reversals: { reversalId: string; amountUsdCents: number; createdAt: Date }[];
}

/** A payout of our own money to our bank, as the provider says now. */
export interface BankPayoutNow {
  payoutId: string;
  amountUsdCents: number;
  status: 'in transit' | 'arrived' | 'failed';
  sentAt: Date;
  /** When the bank has it, or is to have it. */
  arrivalAt: Date;
}

/** The provider will not make this transfer; nothing was sent. */
export class TransferRefused extends Error {
  constructor(
    /** The provider's code, such as `balance_insufficient`. */
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`transfer refused: ${reason}`, options);
    this.name = 'TransferRefused';
  }
}

/**
 * Payments to creators, and to our bank. Other failures throw PaymentGatewayUnavailable, which leaves open whether
 * the call had its effect.
 */
export abstract class PayoutGateway {
  abstract listCountries(): Promise<PayoutCountries>;
  /** The same key makes one account. Its country stays. */
  abstract createAccount(options: {
    creatorId: string;
    email: string;
    country: string;
    /** It is not our own, so that the account receives transfers and does nothing else. */
    isAbroad: boolean;
    idempotencyKey: string;
  }): Promise<ConnectedAccountNow>;
  /** A page on which a creator answers the provider's questions; it works once, for minutes. */
  abstract openOnboarding(options: {
    accountId: string;
    returnUrl: string;
    refreshUrl: string;
  }): Promise<{ url: string }>;
  abstract readAccount(accountId: string): Promise<ConnectedAccountNow | undefined>;
  /** The same key sends once. @throws TransferRefused when it is certain that nothing was sent */
  abstract createTransfer(options: {
    accountId: string;
    amountUsdCents: number;
    transferGroup: string;
    idempotencyKey: string;
  }): Promise<Transfer>;
  abstract findTransfers(transferGroup: string): Promise<Transfer[]>;
  abstract readTransfer(transferId: string): Promise<Transfer | undefined>;
  /** Transfers that were reversed since, or made since or until a moment and reversed: for webhooks that never came. */
  abstract listReversedTransfers(since: Date, until?: Date): Promise<Transfer[]>;
  abstract readBankPayout(payoutId: string): Promise<BankPayoutNow | undefined>;
  /** Payouts to our bank begun since, or until a moment, oldest first. */
  abstract listBankPayouts(since: Date, until?: Date): Promise<BankPayoutNow[]>;
}
