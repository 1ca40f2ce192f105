import { jest } from '@jest/globals';

/**
 * How often tests repeat random input or kills: in `npm test`, and in `npm run test:long`.
 * An environment variable of the same name sets another number.
 */
const SIZES = {
  /** Nodes killed during purchases, each at another statement. */
  APP_KILLS: [36, 200],
  /** Databases killed during purchases. */
  DATABASE_KILLS: [8, 25],
  /** Whole products killed under many purchases, and as many databases. */
  PRODUCT_KILLS: [3, 20],
  /** Histories of lost answers, crashes and reversals around transfers. */
  TRANSFER_RUNS: [150, 3_000],
  /** Orders in which a provider's webhooks arrive. */
  WEBHOOK_PERMUTATIONS: [500, 20_000],
  /** Histories of the whole business, compared with an oracle. */
  MODEL_HISTORIES: [2_000, 50_000],
  PAYOUT_HISTORIES: [300, 30_000],
  FUZZ_ROUNDS: [20, 400],
  /** Invalid values that each route gets, of about twenty. */
  JUNK_A_ROUTE: [7, 100],
  /** Generated requests to each route. */
  ATTACKS_A_ROUTE: [8, 200],
  /** Random queries that every search must answer with the same result. */
  SEARCH_QUERIES: [150, 2_000],
  /** Recordings that one import reads. */
  RECORDINGS: [60, 200],
  /** Changes of packs that a projection processes one by one and in pages. */
  PACK_CHANGES: [240, 10_000],
} as const satisfies Record<string, readonly [suite: number, long: number]>;

const long = process.env.TEST_SIZE === 'long';

export const sizeOf = (name: keyof typeof SIZES): number =>
  Number(process.env[name] ?? SIZES[name][long ? 1 : 0]);

// Applies to the file that imports this module. A test that sets its own limit keeps it.
jest.setTimeout(long ? 3_600_000 : 300_000);

/** Different in each run; set `SEED` to repeat a run. */
export const SEED = process.env.SEED ?? String(Date.now() % 2 ** 31);
