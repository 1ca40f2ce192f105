const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** How long sessions, tokens and addresses stand for a person. */
export const accountPolicy = {
  /** One token; renewing replaces it by another of the same life. */
  sessionLifetimeMs: 7 * DAY_MS,
  /** How exactly a session knows when it was last used. */
  lastUsedMs: 5 * MINUTE_MS,
  /** A browser that was not seen for this long is told of as a new one. */
  knownBrowserMs: 90 * DAY_MS,
  /** Sessions and tokens that ended are forgotten after this. */
  endedKeptMs: 7 * DAY_MS,
  /** How long a Google identity waits for the password of the account with its address. */
  identityLinkLifetimeMs: 10 * MINUTE_MS,
  /** After signing in, or giving the password again, a person may move or erase the account for this long. */
  freshSignInMs: 10 * MINUTE_MS,
  /** How long a sign-in waits for its second proof, and how long a question for a passkey may be answered. */
  challengeLifetimeMs: 5 * MINUTE_MS,
  /** So many proofs of one sign-in are looked at. */
  proofsPerSignIn: 5,
  /**
   * So many wrong codes for one account are looked at: from each session and each browser that signed in before, and
   * from all strangers together; fewer from one network of strangers.
   */
  codesPerWindow: 20,
  codesPerNetwork: 10,
  codeWindowMs: 60 * MINUTE_MS,
  /** So many passwords for one account are looked at as they come; the next ones wait, each twice as long. */
  unpacedTries: 10,
  firstPaceMs: 1_000,
  slowestPaceMs: 8_000,
  /** Wrong passwords slow the next ones down for this long. */
  paceWindowMs: DAY_MS,
  /** Of one account and node; more are sent away at once. */
  waitingTries: 8,
  /** The owner is told of so many wrong passwords. */
  toldWrongPasswords: 20,
  /** A browser that signed in goes ahead for this long, and no longer after so many wrong passwords. */
  rememberedBrowserMs: 180 * DAY_MS,
  rememberedBrowserTries: 10,
  /** The former address may take an account back for this long; nobody else gets that address until then. */
  undoEmailLifetimeMs: 7 * DAY_MS,
  /** Mails of one kind to one address, and changes of address by one account. */
  mailsPerWindow: 5,
  mailWindowMs: 60 * MINUTE_MS,
  /** The link in a confirmation mail. */
  verifyEmailLifetimeMs: 3 * DAY_MS,
  /** How long an answer about a forgotten password takes, with an account or without. */
  forgotAnswerMs: 150,
  /** The link in a password mail. */
  resetPasswordLifetimeMs: 60 * MINUTE_MS,
} as const;
