const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export const accountPolicy = {
  /** The lifetime of a session's token. A renewal issues a new token with this lifetime. */
  sessionLifetimeMs: 7 * DAY_MS,
  /** The last use of a session is recorded at most this often. */
  lastUsedMs: 5 * MINUTE_MS,
  tokensPerAccount: 50,
  /** A browser unused for this long counts as new, so that the user gets a mail about its next sign-in. */
  knownBrowserMs: 90 * DAY_MS,
  /** Sessions and tokens are deleted this long after their end. */
  endedKeptMs: 7 * DAY_MS,
  /** A Google identity waits this long for the password of the account that has its address. */
  identityLinkLifetimeMs: 10 * MINUTE_MS,
  /** After a sign-in or password check, sensitive requests such as erasing the account are allowed for this long. */
  freshSignInMs: 10 * MINUTE_MS,
  /** The time limit for entering the second factor, and for answering the challenge of a passkey. */
  challengeLifetimeMs: 5 * MINUTE_MS,
  proofsPerSignIn: 5,
  /**
   * Limits of wrong codes of strangers per account and window.
   * - `codesPerWindow`: for all strangers together
   * - `codesPerNetwork`: for all strangers in one network
   */
  codesPerWindow: 20,
  codesPerNetwork: 10,
  codeWindowMs: 60 * MINUTE_MS,
  /**
   * A session and a known browser may each send `ownCodes` wrong codes in `ownCodesWindowMs`, and after that one code
   * every `ownCodesPaceMs`. That is at most 308 codes a day. The chance to guess one of the three valid codes of six
   * digits is then 0.1 % a day.
   */
  ownCodes: 20,
  ownCodesWindowMs: DAY_MS,
  ownCodesPaceMs: 5 * MINUTE_MS,
  /** This many wrong passwords cause no delay. After that, the delay doubles with each attempt. */
  unpacedTries: 10,
  firstPaceMs: 1_000,
  slowestPaceMs: 8_000,
  /** How long wrong passwords count, from the first of them on. */
  paceWindowMs: DAY_MS,
  /** This many sign-ins of an account may wait on a node. Further ones are refused at once. */
  waitingTries: 8,
  /** After this many wrong passwords, the owner of the account gets a mail. */
  noticedWrongPasswords: 20,
  /** A browser skips the delay for this long after a sign-in, unless it sends this many wrong passwords. */
  rememberedBrowserMs: 180 * DAY_MS,
  rememberedBrowserTries: 10,
  /** For this long, an address change can be undone with a mailed link, and the former address stays reserved. */
  undoEmailLifetimeMs: 7 * DAY_MS,
  /** Per window: the maximum number of mails of one kind to an address, and of address changes of an account. */
  mailsPerWindow: 5,
  mailWindowMs: 60 * MINUTE_MS,
  verifyEmailLifetimeMs: 3 * DAY_MS,
  /** Every answer about a forgotten password takes this long, so that the time does not reveal accounts. */
  forgotAnswerMs: 150,
  resetPasswordLifetimeMs: 60 * MINUTE_MS,
} as const;
