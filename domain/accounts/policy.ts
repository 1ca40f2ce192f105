const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export const accountPolicy = {
  /** A renewed session gets a new token with the same lifetime. */
  sessionLifetimeMs: 7 * DAY_MS,
  /** The precision of the recorded time of a session's last use. */
  lastUsedMs: 5 * MINUTE_MS,
  tokensPerAccount: 50,
  /** A browser that was not used for this long counts as new, and the user gets a mail about its sign-in. */
  knownBrowserMs: 90 * DAY_MS,
  /** Ended sessions and tokens are deleted after this time. */
  endedKeptMs: 7 * DAY_MS,
  /** How long a Google identity waits for the password of the account with its address. */
  identityLinkLifetimeMs: 10 * MINUTE_MS,
  /** Requests that need a fresh sign-in are allowed for this long after a sign-in or a password check. */
  freshSignInMs: 10 * MINUTE_MS,
  /** The time limit for the second factor of a sign-in, and for the answer of a passkey. */
  challengeLifetimeMs: 5 * MINUTE_MS,
  proofsPerSignIn: 5,
  /**
   * Wrong codes per account and window.
   * - `codesPerWindow`: for each session and each known browser, and for all strangers together
   * - `codesPerNetwork`: for the strangers of one network
   */
  codesPerWindow: 20,
  codesPerNetwork: 10,
  codeWindowMs: 60 * MINUTE_MS,
  /** The number of wrong passwords that cause no delay. Each later attempt waits twice as long as the one before. */
  unpacedTries: 10,
  firstPaceMs: 1_000,
  slowestPaceMs: 8_000,
  /** How long a wrong password counts. */
  paceWindowMs: DAY_MS,
  /** The number of sign-ins that may wait per account and node. Further ones are refused at once. */
  waitingTries: 8,
  /** The owner gets a mail after this many wrong passwords. */
  toldWrongPasswords: 20,
  /** Browsers that signed in before skip the delay for this long, unless they send this many wrong passwords. */
  rememberedBrowserMs: 180 * DAY_MS,
  rememberedBrowserTries: 10,
  /** For this long, the owner of the former address can undo the change, and no other account gets that address. */
  undoEmailLifetimeMs: 7 * DAY_MS,
  /** The most mails of one kind to one address, and the most address changes of one account, per window. */
  mailsPerWindow: 5,
  mailWindowMs: 60 * MINUTE_MS,
  verifyEmailLifetimeMs: 3 * DAY_MS,
  /** Duration of every answer about a forgotten password, so that it does not reveal whether the account exists. */
  forgotAnswerMs: 150,
  resetPasswordLifetimeMs: 60 * MINUTE_MS,
} as const;
