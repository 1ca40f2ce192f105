import { randomFrom } from '../../domain/shared/seeded-random.js';
import type { Listed } from './catalogue.js';
import type { DemoProduct } from './demo.js';
import { buy, type Moment } from './history.js';
import { DEMO_CREATOR, listenerNamed, type DemoListener, type DemoPeople } from './people.js';

/** The demo listener's purchases: how many days ago, and the number of samples. */
const SHOPPING = [
  [72, 2],
  [64, 3],
  [55, 2],
  [46, 3],
  [37, 2],
  [29, 3],
  [21, 2],
  [13, 3],
  [6, 2],
  [1.5, 3],
] as const;
/** How many days ago the demo listener saved a sample. */
const SAVED = [66, 49, 38, 29, 21, 16, 11, 8, 5, 3, 2.2, 0.6];
const FOLLOWED_CREATORS = [DEMO_CREATOR.key, 'junie-okafor', 'low-ceiling'];
const FOLLOWED_TAGS = ['Soul', 'Boom-Bap', 'Piano'];
const HELPER = 'sable';

/**
 * Returns what the demo listener did besides buying a plan, so that a newcomer sees a used account.
 * @param listed returns what is for sale at that moment
 */
export function demoListener(demo: DemoProduct, people: DemoPeople, listed: () => Listed[]): Moment[] {
  const listener = people.listeners[0] as DemoListener;
  return [
    ...purchases(demo, listener, listed),
    ...saved(demo, listener, listed),
    { daysAgo: 34, happen: () => follow(demo, people, listener) },
    ...collections(demo, people, listener, listed),
    // The demo listener subscribed to the weekly mail more than a week ago, so that a first mail is due.
    { daysAgo: 8, happen: () => demo.weeklyMails.choose(listener.userId, true) },
    { daysAgo: 1, happen: () => verse(demo, listener, listed()) },
  ];
}

/** Draws samples without repetition. A second run draws the same ones. */
function drawerOf(seed: string, listed: () => Listed[]): (count: number) => Listed[] {
  const random = randomFrom(seed);
  const drawn = new Set<string>();
  return (count) =>
    Array.from({ length: count }, random).flatMap((pick) => {
      const left = listed().filter(({ sampleId }) => !drawn.has(sampleId));
      const sample = left[Math.floor(pick * left.length)];
      if (!sample) return [];
      drawn.add(sample.sampleId);
      return [sample];
    });
}

function purchases(demo: DemoProduct, listener: DemoListener, listed: () => Listed[]): Moment[] {
  const draw = drawerOf('demo listener buys', listed);
  return SHOPPING.map(([daysAgo, count], at) => ({
    daysAgo,
    happen: async () => {
      const basket = draw(count);
      if (basket.length > 0) await buy(demo, listener, basket, `demo listener ${at}`);
    },
  }));
}

function saved(demo: DemoProduct, { userId }: DemoListener, listed: () => Listed[]): Moment[] {
  const draw = drawerOf('demo listener saves', listed);
  return SAVED.map((daysAgo) => ({
    daysAgo,
    happen: async () => {
      for (const { sampleId: id, name: title } of draw(1))
        await demo.library.save(userId, id, { id, type: 'sample', title }, demo.clock.now());
    },
  }));
}

async function follow(demo: DemoProduct, people: DemoPeople, { userId }: DemoListener): Promise<void> {
  for (const key of FOLLOWED_CREATORS)
    await demo.following.follow(userId, 'creator', people.creators.get(key) as string);
  for (const tag of FOLLOWED_TAGS) await demo.following.follow(userId, 'tag', tag);
}

/** One collection is private. The other is shared by link, and another listener adds to it. */
function collections(
  demo: DemoProduct,
  people: DemoPeople,
  { userId }: DemoListener,
  listed: () => Listed[],
): Moment[] {
  const draw = drawerOf('demo listener collects', listed);
  const create = async (name: string, description: string, count: number): Promise<string | undefined> => {
    const sampleIds = draw(count).map(({ sampleId }) => sampleId);
    // An earlier start that was interrupted may have created the collection.
    if ((await demo.collectionQueries.of(userId)).some((card) => card.name === name)) return undefined;
    const created = await demo.collections.create(userId, { name, description, sampleIds });
    if (!created.accepted) throw new Error(`the demo collection ${name} was refused`);
    return created.id;
  };
  const rainy = async () => {
    await create('Rainy Sunday', 'Slow keys and room noise for the ballad.', 9);
  };
  const bSide = async () => {
    const id = await create('Drums for the B-side', 'Sable adds the breaks, I add the rest.', 6);
    const added = draw(3).map(({ sampleId }) => sampleId);
    if (id === undefined) return;
    await demo.collectionLinks.share(userId, id);
    const invited = await demo.collectionLinks.invite(userId, id);
    if (!invited.accepted) throw new Error('the demo invitation was refused');
    const helperId = listenerNamed(people, HELPER);
    await demo.collectionLinks.accept(helperId, invited.token);
    await demo.collections.add(helperId, id, added);
  };
  return [
    { daysAgo: 17, happen: rainy },
    { daysAgo: 4, happen: bSide },
  ];
}

/** The lanes of the demo workbench: sample, level, pan and the beat on which the lane begins. */
const VERSE = [
  ['Loose change break', -3, 0, 0],
  ['Congas, ripe', -9, 0.28, 8],
  ['Rhodes under the window', -6, -0.16, 0],
  ['Vibes, borrowed', -8, 0.34, 9],
  ['Peach pad, detuned', -14, 0, 16],
  ['Hum, no words yet', -10, -0.4, 16],
  ['Rain on the upper deck', -22, 0, 0],
] as const;

/** Creates a project, and a workbench in the project's tempo and key. The workbench has no bass lane. */
async function verse(demo: DemoProduct, { userId }: DemoListener, listed: readonly Listed[]): Promise<void> {
  const song = { name: 'Last bus, verse', tempo: 90, key: 'C Minor', timeSignature: '4/4' } as const;
  // Ids stay the same, so that an interrupted start adds nothing twice.
  const id = '6b0f4f0e-5f6e-4c53-9f0a-1d5f6f3c9a21';
  await demo.projects.add(userId, { id, ...song });
  const lanes = VERSE.flatMap(([name, gainDb, pan, offsetBeats]) => {
    const sampleId = listed.find((each) => each.name === name)?.sampleId;
    const mute = name.startsWith('Hum');
    return sampleId ? [{ sampleId, gainDb, pan, mute, semitones: 0, offsetBeats, loopBeats: null }] : [];
  });
  const created = await demo.workbenches.create(userId, { id, ...song, lanes });
  if (!created.accepted) throw new Error('the demo workbench was refused');
}
