import { splitDecider, type SplitAnswer, type SplitCommand } from '../../../domain/payouts/split.js';
import type { Sample } from './oracle.js';
import { codeOf, type World } from './world.js';

/** The splits of a pack as people would note them: who was offered how much, and how it ended. */
interface Offer {
  id: string;
  other: string;
  bps: number;
  state: 'proposed' | 'accepted' | 'declined' | 'ended';
}
const offers = new WeakMap<Sample, Offer[]>();

function decide(world: World, sample: Sample, command: SplitCommand): string | undefined {
  const before = world.splitsOf(sample.id);
  const decided = splitDecider.decide(command, before);
  if (!decided.accepted) return codeOf(decided);
  world.splits.set(sample.id, decided.events.reduce(splitDecider.evolve, before));
  for (const { type, data } of decided.events)
    world.company.record(splitDecider.streamOf(sample.id), type, data);
  world.offer(sample);
  return undefined;
}

/** Proposes, accepts, declines or ends a part of a pack. It counts from the next sale. */
export function share(world: World): void {
  const sample = world.pick(world.samples.filter(({ takenDown }) => !takenDown));
  const all = offers.get(sample) ?? [];
  offers.set(sample, all);
  const now = world.nowIso;
  const known = all.length > 0 && !world.oneIn(3) ? world.pick(all) : undefined;
  if (!known) {
    const other = world.pick(world.creators);
    const bps = world.oneIn(3) ? 1 + world.below(9_999) : world.pick([3_333, 5_000, 1]);
    const open = all.filter(({ state }) => state === 'proposed' || state === 'accepted');
    const given = open.reduce((sum, offer) => sum + offer.bps, 0);
    const expected =
      other === sample.creator
        ? 'SplitWithSelf'
        : open.some((offer) => offer.other === other)
          ? 'AlreadyShared'
          : given + bps > 9_999
            ? 'SharesExceedWhole'
            : undefined;
    const id = world.id('split');
    const named = { splitId: id, packId: sample.id, ownerId: sample.creator, creatorId: other, bps };
    const refused = decide(world, sample, { type: 'ProposeSplit', ...named, now });
    if (!world.agree(refused, expected)) return;
    const offer: Offer = { id, other, bps, state: 'proposed' };
    all.push(offer);
    if (world.oneIn(3)) return;
    answer(world, sample, offer, { type: 'AcceptSplit', by: other });
    return;
  }
  const by = world.oneIn(4) ? world.pick(world.creators) : known.other;
  const type = world.pick(['AcceptSplit', 'AcceptSplit', 'DeclineSplit', 'EndSplit'] as const);
  answer(world, sample, known, { type, by });
}

function answer(
  world: World,
  sample: Sample,
  known: Offer,
  { type, by }: { type: SplitAnswer; by: string },
): void {
  const then = ({ AcceptSplit: 'accepted', DeclineSplit: 'declined', EndSplit: 'ended' } as const)[type];
  const mayAct = by === known.other || (type === 'EndSplit' && by === sample.creator);
  const isOpen = known.state === 'proposed' || (type === 'EndSplit' && known.state === 'accepted');
  const expected = !mayAct ? 'NotFound' : isOpen || known.state === then ? undefined : 'SplitClosed';
  const command = { type, splitId: known.id, by, now: world.nowIso };
  if (!world.agree(decide(world, sample, command), expected)) return;
  world.unchanged(() => decide(world, sample, command));
  known.state = then;
  sample.shared = new Map(
    (offers.get(sample) ?? [])
      .filter(({ state }) => state === 'accepted')
      .map(({ other, bps }) => [other, bps]),
  );
  world.did = then;
}
