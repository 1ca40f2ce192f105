import { availableParallelism } from 'node:os';
import { creditAccountDecider } from '../../domain/credits/credit-account.js';
import { GrantPromotion } from '../../application/purchases/commands.js';
import { DEMO_PACKS } from '../catalogue.js';
import type { DemoPack } from '../catalogue/entries.js';
import { AccountStore } from '../../application/accounts/account-store.js';
import { downloads, hearts, income, regulars, type Moment } from './history.js';
import { DEMO_CREATOR, LISTENER_EMAIL, meetPeople, type DemoPeople } from './people.js';
import { isShelved, shelvePack, SoundQueue, type Awaited, type Shelved } from './catalogue.js';
import { openDemoShop, type DemoShop } from './shop.js';
import type { Product } from '../../bootstrap/product.js';

const LISTENER_CREDITS = 10;
/** The oldest packs were published this long ago; the newest two days ago. */
const OLDEST_DAYS = 44;
const NEWEST_DAYS = 2;
/** When the first credits were bought. */
const FIRST_DAY = OLDEST_DAYS + 1;
const THREADS_LIMIT = 4;
/** Enough that the threads have work while a month of downloads is lived through between two packs. */
const SOUNDS_AHEAD = 32;

export interface SeedOptions {
  /** One line for people, now and then. */
  onProgress: (line: string) => void;
  /** Which packs; all of them unless a test wants fewer. */
  packs?: readonly DemoPack[];
  /** Told to stop, it returns early; the next start goes on. */
  signal?: AbortSignal;
}

/**
 * Fills an empty shop with people, packs, and a month of downloads, through the product's own use cases.
 * Interrupted, it goes on where it was; finished, it does nothing.
 */
export async function seedDemo(product: Product, options: SeedOptions): Promise<void> {
  if (await isSeeded(product)) return;
  const packs = options.packs ?? DEMO_PACKS;
  const shop = await openDemoShop(
    product.resources,
    Math.max(1, Math.min(THREADS_LIMIT, availableParallelism())),
  );
  try {
    options.onProgress('Making demo content, once:');
    shop.clock.moveTo(FIRST_DAY);
    const people = await meetPeople(shop);
    const awaited = await stillToMake(shop, packs, people);
    shop.till?.open(shop.clock.now());
    const queue = new SoundQueue(shop, awaited, SOUNDS_AHEAD, options.signal);
    await live(
      shop,
      history(shop, packs, people, queue, progressOf(awaited.length, options)),
      options.signal,
    );
    const listenerId = people.listeners[0]?.userId as string;
    const grant = {
      userId: listenerId,
      grantId: `demo-welcome-${listenerId}`,
      credits: LISTENER_CREDITS,
      grantedAt: shop.clock.now(),
    };
    await shop.commands.execute(new GrantPromotion(grant));
  } catch (error) {
    if (!options.signal?.aborted) throw error;
  } finally {
    await shop.till?.close(product.resources.wallClock.now());
    await shop.close();
  }
}

/** The demo listener's welcome credits are given last: whoever has them has everything. */
async function isSeeded({ app, resources }: Product): Promise<boolean> {
  const listener = await app.get(AccountStore, { strict: false }).findByEmail(LISTENER_EMAIL);
  if (!listener) return false;
  return (await resources.eventStore.readStream(creditAccountDecider.streamOf(listener.userId))).length > 0;
}

const creatorOf = (people: DemoPeople, pack: DemoPack): string => people.creators.get(pack.creator) as string;

async function stillToMake(
  shop: DemoShop,
  packs: readonly DemoPack[],
  people: DemoPeople,
): Promise<Awaited[]> {
  const awaited: Awaited[] = [];
  for (const pack of packs)
    for (const sample of pack.samples)
      if (!(await isShelved(shop, pack, sample, creatorOf(people, pack)))) awaited.push({ pack, sample });
  return awaited;
}

/** Everything that happens, by date: packs come out, listeners buy and save what is out by then. */
function history(
  shop: DemoShop,
  packs: readonly DemoPack[],
  people: DemoPeople,
  queue: SoundQueue,
  onMade: () => void,
): Moment[] {
  const [shelved, ofDemoCreator]: [Shelved[], Shelved[]] = [[], []];
  const step = (OLDEST_DAYS - NEWEST_DAYS) / Math.max(1, packs.length - 1);
  const releases = packs.map((pack, i): Moment => ({
    daysAgo: OLDEST_DAYS - i * step,
    happen: async () => {
      const samples = await shelvePack(shop, pack, creatorOf(people, pack), async (sample) => {
        const result = await queue.take(pack, sample);
        onMade();
        return result;
      });
      if (!pack.draft) (pack.creator === DEMO_CREATOR.key ? ofDemoCreator : shelved).push(...samples);
    },
  }));
  const forSale = (): Shelved[] => shelved;
  return [
    ...income(shop, people, FIRST_DAY),
    ...releases,
    ...regulars(shop, people.listeners, () => ofDemoCreator),
    ...downloads(shop, people.listeners, forSale),
    ...hearts(shop, people.listeners, forSale),
  ].sort((a, b) => b.daysAgo - a.daysAgo);
}

async function live(shop: DemoShop, moments: Moment[], signal?: AbortSignal): Promise<void> {
  for (const { daysAgo, happen } of moments) {
    signal?.throwIfAborted();
    shop.clock.moveTo(daysAgo);
    await shop.till?.follow();
    await happen();
  }
  shop.clock.moveTo(0);
}

/** Tells every tenth of the way. */
function progressOf(total: number, { onProgress, signal }: SeedOptions): () => void {
  let made = 0;
  return () => {
    signal?.throwIfAborted();
    made += 1;
    const tenth = Math.floor((made * 10) / total);
    if (tenth > Math.floor(((made - 1) * 10) / total)) onProgress(`${made} of ${total} sounds`);
  };
}
