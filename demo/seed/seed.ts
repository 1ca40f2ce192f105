import { availableParallelism } from 'node:os';
import { creditAccountDecider } from '../../domain/credits/credit-account.js';
import { DEMO_PACKS } from '../catalogue.js';
import type { DemoPack } from '../catalogue/entries.js';
import { AccountStore } from '../../application/accounts/account-store.js';
import { downloads, giveCredits, grantIdOf, hearts, income, regulars, type Moment } from './history.js';
import { demoListener } from './listener.js';
import { DEMO_CREATOR, LISTENER_EMAIL, meetPeople, type DemoListener, type DemoPeople } from './people.js';
import { isShelved, shelvePack, SoundQueue, type Awaited, type Listed } from './catalogue.js';
import { askForConsent, complain, suspectCopy } from './cases.js';
import { DemoIncomplete } from './domain.js';
import { isOutage } from '../../adapters/platform/database/lost-connection.js';
import { openDemoProduct, type DemoProduct } from './demo.js';
import type { Product } from '../../bootstrap/product.js';
import { Sweeps } from '../../bootstrap/sweeps.js';

const WELCOME_CREDITS = 10;
/** The ages of the oldest and the newest pack. */
const OLDEST_DAYS = 75;
const NEWEST_DAYS = 2;
/** The first credits are bought a day before the oldest pack is published. */
const FIRST_DAY = OLDEST_DAYS + 1;
const THREADS_LIMIT = 4;
/** How many sounds are made ahead. Enough to keep the threads busy while listeners buy between two packs. */
const SOUNDS_AHEAD = 32;

export interface SeedOptions {
  /** Receives lines of progress to print. */
  onProgress: (line: string) => void;
  /** All packs unless a test wants fewer. */
  packs?: readonly DemoPack[];
  /** Stops the seeding early when aborted. The next start continues. */
  signal?: AbortSignal;
}

/**
 * Fills an empty demo with people, packs and months of downloads, through the product's own use cases. Continues
 * after an interruption, and does nothing if the demo is complete.
 * @throws DemoIncomplete
 */
export async function seedDemo(product: Product, options: SeedOptions): Promise<void> {
  if (await isSeeded(product)) return;
  // A sweep would record today what the demo's past still lacks, and at the time of the simulator.
  await product.app.get(Sweeps, { strict: false }).pausedFor(() => seed(product, options));
}

async function seed(product: Product, options: SeedOptions): Promise<void> {
  const packs = options.packs ?? DEMO_PACKS;
  const demo = await openDemoProduct(product.resources, Math.min(THREADS_LIMIT, availableParallelism()));
  try {
    options.onProgress('Making demo content, once:');
    demo.clock.moveTo(FIRST_DAY);
    const people = await meetPeople(demo);
    const awaited = await stillToMake(demo, packs, people);
    demo.checkout?.open(demo.clock.now());
    const queue = new SoundQueue(demo, awaited, SOUNDS_AHEAD, options.signal);
    const moments = history(demo, packs, people, queue, progressOf(awaited.length, options));
    await live(demo, moments, options.signal);
    await askForConsent(demo, people);
    await suspectCopy(demo, packs, people.creators.get('rook-daughters') as string);
    await complain(demo, packs, people);
    await giveCredits(demo, people.listeners[0] as DemoListener, 'welcome', WELCOME_CREDITS);
  } catch (error) {
    if (options.signal?.aborted) return;
    if (!isOutage(error)) throw error;
    const { message } = error as Error;
    throw new DemoIncomplete(`The demo content is incomplete: ${message}. The next start continues it.`, {
      cause: error,
    });
  } finally {
    await demo.checkout?.close(product.resources.wallClock.now());
    await demo.close();
  }
}

/** The demo listener gets welcome credits last, so they show that seeding is complete. */
async function isSeeded({ app, resources }: Product): Promise<boolean> {
  const listener = await app.get(AccountStore).findByEmail(LISTENER_EMAIL);
  if (!listener) return false;
  const events = await resources.eventStore.readStream(creditAccountDecider.streamOf(listener.userId));
  return events.some(
    ({ data }) => 'lotId' in data && data.lotId === `promotion-${grantIdOf('welcome', listener.userId)}`,
  );
}

const creatorOf = (people: DemoPeople, pack: DemoPack): string => people.creators.get(pack.creator) as string;

async function stillToMake(
  demo: DemoProduct,
  packs: readonly DemoPack[],
  people: DemoPeople,
): Promise<Awaited[]> {
  const awaited: Awaited[] = [];
  for (const pack of packs)
    for (const sample of pack.samples)
      if (!(await isShelved(demo, pack, sample, creatorOf(people, pack)))) awaited.push({ pack, sample });
  return awaited;
}

/** Returns everything that happens, by date: packs are published, and listeners buy and save published samples. */
function history(
  demo: DemoProduct,
  packs: readonly DemoPack[],
  people: DemoPeople,
  queue: SoundQueue,
  onMade: () => void,
): Moment[] {
  const [listed, ofDemoCreator]: [Listed[], Listed[]] = [[], []];
  const step = (OLDEST_DAYS - NEWEST_DAYS) / Math.max(1, packs.length - 1);
  const releases = packs.map((pack, i): Moment => ({
    daysAgo: OLDEST_DAYS - i * step,
    happen: async () => {
      const samples = await shelvePack(demo, pack, creatorOf(people, pack), async (sample) => {
        const result = await queue.take(pack, sample);
        onMade();
        return result;
      });
      if (!pack.draft) (pack.creator === DEMO_CREATOR.key ? ofDemoCreator : listed).push(...samples);
    },
  }));
  const forSale = (): Listed[] => listed;
  return [
    ...income(demo, people, FIRST_DAY),
    ...releases,
    ...regulars(demo, people.listeners, () => ofDemoCreator),
    ...downloads(demo, people.listeners, forSale),
    ...hearts(demo, people.listeners, forSale),
    ...demoListener(demo, people, () => [...listed, ...ofDemoCreator]),
  ].sort((a, b) => b.daysAgo - a.daysAgo);
}

async function live(demo: DemoProduct, moments: Moment[], signal?: AbortSignal): Promise<void> {
  for (const { daysAgo, happen } of moments) {
    signal?.throwIfAborted();
    demo.clock.moveTo(daysAgo);
    await demo.checkout?.follow();
    await happen();
  }
  demo.clock.moveTo(0);
}

/** Returns a function that counts one sound, and reports progress after every tenth of the total. */
function progressOf(total: number, { onProgress, signal }: SeedOptions): () => void {
  let made = 0;
  return () => {
    signal?.throwIfAborted();
    made += 1;
    const tenth = Math.floor((made * 10) / total);
    if (tenth > Math.floor(((made - 1) * 10) / total)) onProgress(`${made} of ${total} sounds`);
  };
}
