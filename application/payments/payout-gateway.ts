export interface ConnectedAccount {
  accountId: string;
  chargesEnabled: boolean;
  /** Whether the account can receive money. */
  payoutsEnabled: boolean;
  /** The requirements that are still open, as the provider's codes, such as `external_account`. */
  requirements: string[];
}

/**
 * What the provider says about the owner of an account. Once the owner has begun the onboarding, it says only a part,
 * and of tax numbers only whether it has them.
 */
export interface AccountHolder {
  kind: 'person' | 'company' | null;
  legalName: string | null;
  street: string | null;
  city: string | null;
  region: string | null;
  postalCode: string | null;
  birthDate: string | null;
  hasTaxId: boolean;
}

/** The account with details that are not stored. */
export interface ConnectedAccountNow extends ConnectedAccount {
  country: string | null;
  holder: AccountHolder;
  /** The overdue requirements. The provider pays nothing until the creator meets them. */
  pastDue: string[];
  /** Why the provider rejected the creator's answers, as one sentence per requirement. */
  problems: Record<string, string>;
  deadline: Date | null;
}

export interface PayoutCountries {
  home: string;
  /** Country codes of two letters. */
  all: string[];
}

export interface Transfer {
  transferId: string;
  /** Identifies the withdrawal, so that we can find its transfer if the provider's answer was lost. */
  transferGroup: string;
  accountId: string;
  amountUsdCents: number;
  createdAt: Date;
  /** The reversals, oldest first. */
  reversals: { reversalId: string; amountUsdCents: number; createdAt: Date }[];
}

export interface BankPayoutNow {
  payoutId: string;
  amountUsdCents: number;
  status: 'in transit' | 'arrived' | 'failed';
  sentAt: Date;
  /** When the bank received the money, or is expected to receive it. */
  arrivalAt: Date;
}

/** The provider refuses the transfer. Nothing was sent. */
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

/** Failures other than TransferRefused throw PaymentGatewayUnavailable; the call may still have succeeded. */
export abstract class PayoutGateway {
  abstract listCountries(): Promise<PayoutCountries>;
  /** Creates one account per key. The account's country cannot change later. */
  abstract createAccount(options: {
    creatorId: string;
    email: string;
    country: string;
    /** Whether the country is not our own. Then the account can only receive transfers. */
    isAbroad: boolean;
    idempotencyKey: string;
  }): Promise<ConnectedAccountNow>;
  /** Opens a page where a creator answers the provider's questions. It works once, for a few minutes. */
  abstract openOnboarding(options: {
    accountId: string;
    returnUrl: string;
    refreshUrl: string;
  }): Promise<{ url: string }>;
  abstract readAccount(accountId: string): Promise<ConnectedAccountNow | undefined>;
  /** Sends one transfer per key. @throws TransferRefused if it is certain that nothing was sent */
  abstract createTransfer(options: {
    accountId: string;
    amountUsdCents: number;
    transferGroup: string;
    idempotencyKey: string;
  }): Promise<Transfer>;
  abstract findTransfers(transferGroup: string): Promise<Transfer[]>;
  abstract readTransfer(transferId: string): Promise<Transfer | undefined>;
  /** Lists reversed transfers that were made or reversed since a time, and before `until`. Replaces lost webhooks. */
  abstract listReversedTransfers(since: Date, until?: Date): Promise<Transfer[]>;
  abstract readBankPayout(payoutId: string): Promise<BankPayoutNow | undefined>;
  /** Lists payouts to our bank that began since a time, and before `until` if given, oldest first. */
  abstract listBankPayouts(since: Date, until?: Date): Promise<BankPayoutNow[]>;
}
