import * as z from 'zod';
import { Id, IsoTime, page, pageQuery, namedObject, soughtText } from '../shared/contract.js';
import { CLAIM_CODE_LENGTH } from './values.js';

export const ConnectAnswer = namedObject('ConnectAnswer', { url: z.string() });

export const ConnectStatus = namedObject('ConnectStatus', {
  connected: z.boolean(),
  payoutsEnabled: z.boolean(),
  chargesEnabled: z.boolean(),
  accountId: z.string().nullable(),
  /** The open requirements, as the provider's codes. */
  requirements: z.array(z.string()),
  /** The open requirements as texts, each text once. */
  needs: z.array(
    z.object({
      text: z.string(),
      /** Whether the deadline has passed. Then nothing is paid until the creator meets the requirement. */
      late: z.boolean(),
      /** Why the provider rejected what the creator submitted, if it did. */
      problem: z.string().nullable(),
    }),
  ),
  neededBy: IsoTime.nullable(),
  /** The country of the account. Null if there is none, or the provider does not answer. */
  country: z.string().nullable(),
});
export type ConnectStatus = z.infer<typeof ConnectStatus>;

export const ConnectCountries = namedObject('ConnectCountries', {
  /** The code of our own country. The provider converts payouts to other countries' currencies. */
  home: z.string(),
  items: z.array(z.string()),
});
export type ConnectCountries = z.infer<typeof ConnectCountries>;

export const Payout = namedObject('Payout', {
  id: z.string(),
  amountUsdCents: z.int(),
  /** `reversed` and `partly_reversed`: the payout was paid, and all or a part of it came back. */
  status: z.enum(['requested', 'unknown', 'paid', 'partly_reversed', 'reversed', 'failed']),
  requestedAt: IsoTime,
  /** When the payout was paid or failed. */
  settledAt: IsoTime.nullable(),
  transferId: z.string().nullable(),
  reversedUsdCents: z.int(),
  /** Why the payout failed, as the provider's code. */
  failure: z.string().nullable(),
});
export type Payout = z.infer<typeof Payout>;

/** `monthly` withdraws the available amount on the first of each month (UTC), if it reaches the minimum. */
const ScheduleChoice = z.enum(['on_demand', 'monthly']);
export type ScheduleChoice = z.infer<typeof ScheduleChoice>;
export const PayoutScheduleBody = z.strictObject({ schedule: ScheduleChoice });
export const PayoutSchedule = namedObject('PayoutSchedule', {
  schedule: ScheduleChoice,
  /** The next payout; null if nothing is scheduled. */
  nextAt: IsoTime.nullable(),
});
export type PayoutSchedule = z.infer<typeof PayoutSchedule>;

/**
 * The country (ISO 3166) where the most valuable credits of the sale were taxed, or else the country of their payer.
 * Null for promotional credits.
 */
const CountryOfSale = z.string().nullable();

export const StatementLine = z.object({
  /**
   * `sale`: a share, whole or in part.
   * `payout_reversal`: a part of an earlier payout that came back and is paid again.
   * `reversal`: shares that were taken back and that no earlier payout deducted, as a negative amount.
   */
  kind: z.enum(['sale', 'payout_reversal', 'reversal']),
  purchaseId: z.string().nullable(),
  sampleId: z.string().nullable(),
  sampleTitle: z.string().nullable(),
  packTitle: z.string().nullable(),
  soldAt: IsoTime.nullable(),
  creditsUsed: z.int().nullable(),
  country: CountryOfSale,
  /** The creator's whole share of the sale. */
  shareMicroUsd: z.int().nullable(),
  /** The amount of this line. For a `sale`, it is the part of the share that this payout pays. */
  amountMicroUsd: z.int(),
  /** The id and request time of the payout that came back. */
  reversedPayoutId: z.string().nullable(),
  reversedPayoutAt: IsoTime.nullable(),
  /** The provider's id of the reversal. This line pays the reversed amount again. */
  reversalId: z.string().nullable(),
});
export type StatementLine = z.infer<typeof StatementLine>;

export const Statement = Payout.extend({
  /** The original amount of the payout, even if a part came back since. */
  amountMicroUsd: z.int(),
  /** The amounts of the lines add up to `amountMicroUsd` and never change. Titles are those of today. */
  lines: z.array(StatementLine),
}).meta({ id: 'Statement' });
export type Statement = z.infer<typeof Statement>;

/** Balances owed to deleted accounts. Only the ids of these accounts are left. */
export const PayoutClaims = namedObject('PayoutClaims', {
  items: z.array(
    z.object({
      creatorId: z.string(),
      madeAt: IsoTime,
      payableUntil: IsoTime,
      /** The present balance of the account, including held shares. */
      owedMicroUsd: z.int(),
      /** How often the claim was paid so far. */
      payouts: z.int(),
    }),
  ),
});
export type PayoutClaims = z.infer<typeof PayoutClaims>;
/** The code of a claim, and the user who presented the code and is paid. */
export const PayClaimBody = z.strictObject({
  code: z
    .string()
    .regex(
      new RegExp(`^\\s*[0-9a-fA-F]{${CLAIM_CODE_LENGTH}}\\s*$`),
      `A claim code has ${CLAIM_CODE_LENGTH} characters, 0 to 9 and a to f`,
    )
    .meta({ examples: ['0'.repeat(40)] }),
  userId: Id,
});

export const Statements = page(Payout);
export type Statements = z.infer<typeof Statements>;

export const CreatorBalance = namedObject('CreatorBalance', {
  /** All shares ever earned, less those taken back. */
  totalEarningsMicroUsd: z.int(),
  /**
   * Released shares, less those under review, taken back, paid or in transit, plus debts that were written off. Can
   * be negative.
   */
  availableMicroUsd: z.int(),
  heldMicroUsd: z.int(),
  /** The part of `heldMicroUsd` that time does not release, because the sale is under review. */
  inDoubtMicroUsd: z.int(),
  heldUntil: IsoTime.nullable(),
  /** Paid to the creator, less what came back. */
  paidUsdCents: z.int(),
  minimumUsdCents: z.int(),
  inFlight: Payout.nullable(),
});
export type CreatorBalance = z.infer<typeof CreatorBalance>;

/** A creator's account in the books: earned − taken back − in transit − paid + written off = balance. */
export const CreatorAccount = namedObject('CreatorAccount', {
  creatorId: z.string(),
  displayName: z.string(),
  handle: z.string().nullable(),
  earnedMicroUsd: z.int(),
  takenBackMicroUsd: z.int(),
  /** Withdrawn, but neither paid nor failed yet. */
  inTransitMicroUsd: z.int(),
  paidMicroUsd: z.int(),
  writtenOffMicroUsd: z.int(),
  /** What we owe the creator. Negative if paid shares were taken back. */
  balanceMicroUsd: z.int(),
});
export type CreatorAccount = z.infer<typeof CreatorAccount>;
/** A page of accounts, highest balance first. `totals` sums all accounts that match the search. */
export const CreatorAccounts = page(CreatorAccount).extend({
  total: z.int(),
  totals: CreatorAccount.omit({ creatorId: true, displayName: true, handle: true }),
});
export type CreatorAccounts = z.infer<typeof CreatorAccounts>;

/** Splits the balance: held + available = balance. */
export const CreatorAccountByState = CreatorAccount.extend({
  heldMicroUsd: z.int(),
  heldUntil: IsoTime.nullable(),
  availableMicroUsd: z.int(),
}).meta({ id: 'CreatorAccountByState' });
export type CreatorAccountByState = z.infer<typeof CreatorAccountByState>;

/**
 * A sale that brought more per credit than the highest price of a credit in any
 * product. Two people must release its share.
 */
export const SaleUnderReview = namedObject('SaleUnderReview', {
  purchaseId: z.string(),
  soldAt: IsoTime,
  creatorId: z.string(),
  creatorName: z.string(),
  /** The creators who share the sale. Absent if only one creator earns from the sale. */
  sharedBy: z.array(z.string()).optional(),
  buyerId: z.string(),
  buyerName: z.string(),
  sampleId: z.string(),
  sampleTitle: z.string().nullable(),
  credits: z.int(),
  valueMicroUsd: z.int(),
  perCreditMicroUsd: z.int(),
  dearestMicroUsd: z.int(),
  /** The sum of all creators' shares of the sale, less what was taken back. */
  shareMicroUsd: z.int(),
  /** How the buyer got the most expensive credits that paid for the sale, as a sentence. */
  reason: z.string(),
  /** The id of the request to release the sale, until a second person decides it. */
  requestId: z.string().nullable(),
});
export type SaleUnderReview = z.infer<typeof SaleUnderReview>;
/** A page of sales, newest first. `total` counts all sales under review, and `shareMicroUsd` sums their shares. */
export const SalesUnderReview = page(SaleUnderReview).extend({ total: z.int(), shareMicroUsd: z.int() });
export type SalesUnderReview = z.infer<typeof SalesUnderReview>;

const SplitCreator = z.object({ id: z.string(), displayName: z.string(), handle: z.string().nullable() });
/** A part of a pack's share that its creator gives to a collaborator. It counts from the next sale after acceptance. */
export const Split = namedObject('Split', {
  id: z.string(),
  packId: z.string(),
  packTitle: z.string(),
  packSlug: z.string(),
  owner: SplitCreator,
  collaborator: SplitCreator,
  /** The collaborator's part in basis points. */
  bps: z.int(),
  status: z.enum(['proposed', 'accepted', 'declined', 'ended']),
  proposedAt: IsoTime,
  /** When the split was proposed, answered or ended. */
  changedAt: IsoTime,
});
export type Split = z.infer<typeof Split>;

export const SplitOffer = z.strictObject({
  /** The collaborator's handle or confirmed e-mail address. */
  creator: soughtText(254).trim().min(1, 'Name a creator'),
  /** The part in basis points. All parts sum to 10,000, and the caller keeps at least one basis point. */
  bps: z.int().min(1).max(9_999),
});
export type SplitOffer = z.infer<typeof SplitOffer>;

/** Whether creators see a buyer's first name and initial, or no name. */
export const BuyerName = z.strictObject({ isHidden: z.boolean() });

export const SALES_PERIODS = ['week', 'month', '3months', 'year'] as const;
export type SalesPeriod = (typeof SALES_PERIODS)[number];
export const PERIOD_DAYS: Record<SalesPeriod, number> = { week: 7, month: 30, '3months': 90, year: 365 };

/** The sales of one day (UTC), without returned ones. */
export const SalesPoint = z.object({ date: z.iso.date(), downloads: z.int(), revenueMicroUsd: z.int() });
export type SalesPoint = z.infer<typeof SalesPoint>;

export const Sale = z.object({
  id: z.string(),
  /** The first name and an initial. `User ` and the start of the id if the buyer has no name, or hides it. */
  buyerName: z.string(),
  createdAt: IsoTime,
  sampleId: z.string(),
  sampleTitle: z.string().nullable(),
  packTitle: z.string().nullable(),
  creditsUsed: z.int(),
  country: CountryOfSale,
  /** The creator's share; 0 if promotional credits paid for the sale. */
  amountMicroUsd: z.int(),
  /** The end of the hold. Null if it is over, and for a sale without a share. */
  heldUntil: IsoTime.nullable(),
});
export type Sale = z.infer<typeof Sale>;

export const Sales = namedObject('Sales', {
  totalEarningsMicroUsd: z.int(),
  availableMicroUsd: z.int(),
  heldMicroUsd: z.int(),
  /** Every day of the period, today last. */
  points: z.array(SalesPoint),
  /** Sales of all time, newest first, not only those of the period. */
  items: z.array(Sale),
  nextCursor: z.string().nullable(),
});
export type Sales = z.infer<typeof Sales>;

/** A month by UTC. opening + earned − takenBack − withdrawn + writtenOff = closing, to the micro-dollar. */
export const EarningsMonth = namedObject('EarningsMonth', {
  month: z.string(),
  /** Sales of the month, also those that were undone later. */
  sales: z.int(),
  openingMicroUsd: z.int(),
  earnedMicroUsd: z.int(),
  /** Shares of returned sales, and of sales whose payment a bank took back. */
  takenBackMicroUsd: z.int(),
  /** Withdrawals requested, less those that failed or were sent back. */
  withdrawnMicroUsd: z.int(),
  writtenOffMicroUsd: z.int(),
  closingMicroUsd: z.int(),
  /** Samples that the creator's promotion codes gave. No amount includes them. */
  freeDownloads: z.int(),
});
export type EarningsMonth = z.infer<typeof EarningsMonth>;
export const EarningsMonths = z.object({ items: z.array(EarningsMonth) });

export const YearMonth = EarningsMonth.extend({
  /** Sales that were undone in this month, including sales of earlier months. */
  returns: z.int(),
  /** The value of the credits spent on the sales of the month, also of those undone later. */
  grossMicroUsd: z.int(),
  grossReturnedMicroUsd: z.int(),
  /** What the shop keeps: the gross value less the returned value, less the creator's share of that difference. */
  feesMicroUsd: z.int(),
}).meta({ id: 'YearMonth' });
export type YearMonth = z.infer<typeof YearMonth>;
/** A calendar year (UTC) of a creator's account. Months without an entry or free download are absent. */
export const EarningsYear = namedObject('EarningsYear', {
  year: z.string(),
  /** The months, oldest first. */
  items: z.array(YearMonth),
  openingMicroUsd: z.int(),
  closingMicroUsd: z.int(),
});
export type EarningsYear = z.infer<typeof EarningsYear>;
export const Year = z
  .string()
  .regex(/^20\d{2}$/, 'not a year')
  .meta({ examples: ['2026'] });

export const SALES_GROUPS = ['sample', 'pack', 'day'] as const;
export type SalesGroup = (typeof SALES_GROUPS)[number];
export const REPORT_MOST_DAYS = 366;

/**
 * The first and last day of a report (UTC, both included), and the first day of an earlier, equally long period to
 * compare with.
 */
const reportFields = {
  by: z.enum(SALES_GROUPS).default('sample'),
  from: z.iso.date(),
  to: z.iso.date(),
  before: z.iso.date().optional().describe('The first day of the period to compare with, which is as long'),
};
const daysOf = ({ from, to }: { from: string; to: string }): number =>
  (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
const DAYS_IN_ORDER: [(query: { from: string; to: string }) => boolean, { path: string[]; message: string }] =
  [
    (query) => daysOf(query) >= 1 && daysOf(query) <= REPORT_MOST_DAYS,
    { path: ['to'], message: `to must be 0 to ${REPORT_MOST_DAYS - 1} days after from` },
  ];
export const SalesReportQuery = z.object({ ...reportFields, ...pageQuery }).refine(...DAYS_IN_ORDER);
export const SalesReportFileQuery = z.object(reportFields).refine(...DAYS_IN_ORDER);
export type SalesReportQuery = z.infer<typeof SalesReportQuery>;

const Sold = z.object({ downloads: z.int(), creditsUsed: z.int(), shareMicroUsd: z.int() });
export const SoldGroup = Sold.extend({
  /** The id of the sample or pack, or the day. */
  id: z.string(),
  title: z.string(),
  /** The title of the sample's pack; null for packs and days. */
  pack: z.string().nullable(),
  /** The figures of the period to compare with; null without one. */
  previous: Sold.nullable(),
  /**
   * How many listeners have the sample in their listening history, and how many have saved it; null for packs and
   * days.
   */
  heardBy: z.int().nullable(),
  savedBy: z.int().nullable(),
});
export type SoldGroup = z.infer<typeof SoldGroup>;

/** Groups with sales in one of the two periods, the highest share first, and days in order. */
export const SalesReport = namedObject('SalesReport', {
  items: z.array(SoldGroup),
  totals: Sold.extend({ previous: Sold.nullable() }),
  nextCursor: z.string().nullable(),
});
export type SalesReport = z.infer<typeof SalesReport>;

const reachFields = { from: reportFields.from, to: reportFields.to };
export const ReachQuery = z.object({ ...reachFields, ...pageQuery }).refine(...DAYS_IN_ORDER);
export const ReachFileQuery = z.object(reachFields).refine(...DAYS_IN_ORDER);
export type ReachQuery = z.infer<typeof ReachQuery>;

export const ReachedSample = z.object({
  id: z.string(),
  title: z.string(),
  pack: z.string(),
  views: z.int().describe('How often it was shown in search results or on its page'),
  plays: z.int().describe('By signed-in listeners'),
  saves: z.int(),
  downloads: z.int().describe('Purchases that were not undone'),
});
export type ReachedSample = z.infer<typeof ReachedSample>;

/** Samples that were shown, played, saved or bought, the most bought first. */
export const SampleReach = namedObject('SampleReach', {
  items: z.array(ReachedSample),
  nextCursor: z.string().nullable(),
});
export type SampleReach = z.infer<typeof SampleReach>;

/** Creators do not see terms with fewer finds, because a rare term could identify a person. */
export const SEARCH_FEWEST_FINDS = 3;
export const SearchesThatFound = namedObject('SearchesThatFound', {
  items: z.array(z.object({ term: z.string(), finds: z.int() })),
});
export type SearchesThatFound = z.infer<typeof SearchesThatFound>;

/** A figure of the last 30 days, and of the 30 days before. */
const Compared = z.object({ current: z.int(), previous: z.int() });
export const CreatorDashboard = namedObject('CreatorDashboard', {
  salesMicroUsd: Compared,
  downloads: Compared,
  /** The number of packs that are published now, and the number 30 days ago. */
  activePacks: Compared,
  creditsUsed: Compared,
  availableMicroUsd: z.int(),
  points: z.array(SalesPoint),
  /** The latest ten sales. */
  activity: z.array(Sale),
});
export type CreatorDashboard = z.infer<typeof CreatorDashboard>;
