/** The one table from a rejection's code to what HTTP says. Adding a rejection without a row fails to compile. */
const PROBLEMS = {
  // Requests
  InvalidRequest: [400, 'The request is not valid'],
  MalformedJson: [400, 'The body is not valid JSON'],
  IdempotencyKeyMissing: [400, 'An Idempotency-Key header with a UUID is needed'],
  IdempotencyKeyReused: [422, 'This Idempotency-Key was used for another request'],
  IdempotencyInFlight: [409, 'The first request with this Idempotency-Key is still running'],
  CrossSiteRequest: [403, 'The request does not come from this site'],
  NotFound: [404, 'There is nothing here'],
  Gone: [410, 'This is no longer available'],
  UnknownHost: [421, 'This site has another address'],
  RequestTimeout: [408, 'The body did not arrive in time'],
  TakenDown: [410, 'This was taken down'],
  PayloadTooLarge: [413, 'The body is too large'],
  UnsupportedMediaType: [415, 'This kind of body is not accepted'],
  TooManyRequests: [429, 'Too many requests'],
  TooBusy: [503, 'Too much of this is asked for at once. Try again in a moment'],
  ServiceUnavailable: [503, 'A part of the service does not answer'],
  InternalError: [500, 'Something went wrong on our side'],
  // Accounts
  NotSignedIn: [401, 'Sign in first'],
  WrongPassword: [403, 'The current password is wrong'],
  FreshSignInRequired: [403, 'Confirm that it is you first'],
  InvalidCredentials: [401, 'E-mail or password is wrong'],
  EmailNotConfirmed: [403, 'Please confirm your email before signing in.'],
  NotAllowed: [403, 'You may not do this'],
  WeakPassword: [422, 'The password is too weak'],
  EmailTaken: [409, 'This e-mail address is in use'],
  TokenInvalid: [410, 'This link is no longer valid'],
  // Creators and packs
  CreatorAccessRequired: [403, 'Creator access is required'],
  CreatorSuspended: [403, 'This creator account is suspended'],
  ApplicationExists: [409, 'You have applied already'],
  StaleVersion: [409, 'Somebody changed this in the meantime'],
  PackHasNoSamples: [422, 'Please add at least one sample before publishing'],
  PackNotPublished: [409, 'The pack is not published'],
  PackAlreadyPublished: [409, 'The pack is published already'],
  PackTakenDown: [409, 'The pack was taken down'],
  PackDeleted: [410, 'The pack was deleted'],
  FeaturedTwice: [422, 'A sample can be featured once only'],
  SampleOrderMismatch: [409, 'The order must name every sample once'],
  DuplicateAudio: [409, 'This recording is there already'],
  TooManySamples: [422, 'A pack takes at most 1000 samples'],
  // Finance
  PeriodNotOver: [422, 'The month is not over'],
  PeriodBeforeBooks: [422, 'The books begin later'],
  PeriodOutOfOrder: [409, 'An earlier month comes first'],
  BooksBroken: [409, 'A rule of the books does not hold'],
  BooksBehind: [503, 'The books are still catching up'],
  // Administration
  SecondPersonNeeded: [403, 'Somebody else has to approve this'],
  OwnInterest: [403, 'Not for yourself, and not for who bought from you in the last 30 days'],
  CreditsWorthTooMuch: [422, 'Credits are worth at most what they cost in the dearest plan'],
  NothingToMakeGood: [422, 'Credits with a value must name a lot or a purchase of the same person'],
  AlreadyDecided: [409, 'This was decided before'],
  RevocationTooLarge: [422, 'The user has fewer unspent credits'],
  RefundWindowClosed: [422, 'Invoices are refunded within 14 days'],
  NothingToRefund: [422, 'Nothing of this invoice is unspent'],
  ReportUnreadable: [422, 'This is not a report of balance transactions'],
  InvoiceDisputed: [409, 'The bank disputes this payment'],
  // Files
  UnsupportedAudioType: [415, 'Please upload only .wav, .mp3, or .m4a files'],
  AudioUnreadable: [422, 'The audio cannot be read'],
  AudioEmpty: [422, 'The file holds no sound'],
  AudioTooLong: [422, 'The audio is too long'],
  AudioTooLarge: [413, 'The file is too large'],
  UnsupportedImageType: [415, 'Please upload only .jpg, .png, or .webp image files'],
  ImageTooLarge: [413, 'Image file size must be less than 5MB'],
  ImageUnreadable: [422, 'The image cannot be read'],
  RangeNotSatisfiable: [416, 'The range lies outside the file'],
  UploadInterrupted: [400, 'The upload ended early'],
  UnsupportedAttachment: [415, 'This kind of file cannot be attached'],
  // Credits, plans and purchases
  InsufficientCredits: [402, 'Not enough credits'],
  PriceChanged: [409, 'The price has changed'],
  SampleNotAvailable: [404, 'There is no such sample'],
  DownloadUnavailable: [404, 'This download is not available.'],
  SampleNotOwned: [403, 'You can only download what you own'],
  StudioPlanRequired: [403, 'Stems come with the Studio plan. Your plan must be Studio to download them.'],
  NotPurchased: [409, 'This was not bought'],
  PaymentDisputed: [409, 'A bank is deciding about the payment'],
  CreatorMismatch: [409, 'The sample is by another creator'],
  BuyerMismatch: [403, 'You can only buy for yourself'],
  SubscriptionExists: [409, 'There is a subscription already'],
  NoSubscription: [409, 'There is no active subscription'],
  PlanUnchanged: [409, 'This is the current plan'],
  ChangePending: [409, 'A change of the plan is under way'],
  ChangeRefused: [409, 'The payment provider refused this change. Nothing was charged or changed'],
  NothingScheduled: [409, 'No change is scheduled'],
  PaymentDeclined: [402, 'The card was declined. Nothing was charged or changed'],
  PaymentOverdue: [409, 'The last payment failed. Update the card first'],
  PaymentsUnavailable: [503, 'Payments do not answer'],
  WebhookRefused: [400, 'The webhook was refused'],
  // Payouts
  PayoutsNotEnabled: [422, 'The payment provider does not pay this account yet'],
  WithdrawalTooSmall: [422, 'Withdrawals start at 10 USD'],
  InsufficientEarnings: [422, 'There is not as much available'],
  PayoutOwed: [409, 'This account is owed money'],
  ClaimExpired: [410, 'This claim is no longer payable'],
  WithdrawalInFlight: [409, 'The last withdrawal is still on its way'],
} as const satisfies Record<string, readonly [number, string]>;

export type ProblemCode = keyof typeof PROBLEMS;

/** Every code there is, with the status that it is answered with and what it says. */
export const PROBLEM_CODES = Object.entries(PROBLEMS).map(([code, [status, title]]) => ({
  code,
  status,
  title,
}));

/** What any layer of HTTP throws to refuse; the filter turns it into application/problem+json. */
export class ProblemException extends Error {
  readonly status: number;
  readonly title: string;
  constructor(
    readonly code: ProblemCode,
    /** Sentence for people, and further members of the answer (`missing`, `errors`, …). */
    readonly details: { detail?: string; [member: string]: unknown } = {},
    readonly headers: Record<string, string> = {},
  ) {
    super(details.detail ?? PROBLEMS[code][1]);
    this.name = 'ProblemException';
    [this.status, this.title] = PROBLEMS[code];
  }
}

/** Refuses with everything the rejection carries. */
export function refuse({ code, ...details }: { code: ProblemCode } & Record<string, unknown>): never {
  throw new ProblemException(code, details);
}
