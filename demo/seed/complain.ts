import { AnswerComplaint } from '../../application/complaints/answer-complaint.js';
import { FileComplaint } from '../../application/complaints/file-complaint.js';
import type { DemoPack } from '../catalogue/entries.js';
import { demoPackId, uploadIdOf } from './catalogue.js';
import type { DemoProduct } from './demo.js';
import type { DemoPeople } from './people.js';

const PACK = 'Loose Change';
const SOUND = 'Filtered bass, side A';

/**
 * Files two complaints about a pack, one waiting and one answered, so that users can look at both. Repeating it
 * changes nothing.
 */
export async function complain(
  demo: DemoProduct,
  packs: readonly DemoPack[],
  people: DemoPeople,
): Promise<void> {
  const pack = packs.find(({ name }) => name === PACK);
  const sample = pack?.samples.find(({ name }) => name === SOUND);
  if (!pack || !sample) return;
  const packId = demoPackId(pack);
  const creatorId = people.creators.get(pack.creator) as string;
  const sound = await demo.uploads.earlier(creatorId, packId, uploadIdOf(sample));
  if (!sound) return;
  const by = (name: string) => ({
    userId: people.listeners.find(({ email }) => email.startsWith(`${name}@`))?.userId as string,
  });
  const file = (complaintId: string, who: string, filing: ConstructorParameters<typeof FileComplaint>[1]) =>
    demo.commands.execute(new FileComplaint(by(who), filing, { complaintId }));

  demo.clock.moveTo(9);
  await file('demo-complaint-1', 'greta', {
    subject: { kind: 'pack', id: packId },
    kind: 'misleading',
    text: 'The description says that the surface noise is theirs. On three of the sounds there is none at all.',
  });
  demo.clock.moveTo(6);
  await demo.commands.execute(
    new AnswerComplaint('demo-complaint-1', people.staff.get('admin') as string, {
      decision: 'rejected',
      measure: 'none',
      isStrike: false,
      reason: 'The description speaks of the pack as a whole, and most of its sounds have the noise.',
    }),
  );
  demo.clock.moveTo(2);
  await file('demo-complaint-2', 'idris', {
    subject: { kind: 'sample', id: sound.id },
    kind: 'copyright',
    text: 'The bass is played from our record, with the treble taken off. Nobody has a licence from us.\n\nThe work and the right to it:\n“Nickel Rain”, second side, 1974. I own the rights in the recording.',
  });
  demo.clock.moveTo(0);
}
