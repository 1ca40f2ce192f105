import { RequestAdjustment } from '../../application/administration/request-money.js';
import { RequestApproval } from '../../application/approvals/decide-on-request.js';
import { DecideOnComplaint } from '../../application/complaints/decide-on-complaint.js';
import { FileComplaint } from '../../application/complaints/file-complaint.js';
import { DraftPack } from '../../application/publishing/change-pack.js';
import { AddSample } from '../../application/publishing/samples/sample-uploads.js';
import { ClaimRecording } from '../../application/publishing/suspicions/decide-on-copy.js';
import { labelsOf, planOf } from '../catalogue.js';
import type { DemoPack, DemoSample } from '../catalogue/entries.js';
import { demoPackId, uploadIdOf } from './catalogue.js';
import type { DemoProduct } from './demo.js';
import { DEMO_CREATOR, listenerNamed, type DemoPeople } from './people.js';

/** Cases for staff to look at and decide. A repeated call of these functions changes nothing. */

/**
 * Gives credits to listeners within an administrator's limits, and files requests that a second administrator must
 * approve.
 */
export async function askForConsent(demo: DemoProduct, people: DemoPeople): Promise<void> {
  const [admin, second] = [people.staff.get('admin') as string, people.staff.get('admin2') as string];
  const give = (approvalId: string, to: string, credits: number, reason: string) => {
    const userId = listenerNamed(people, to);
    const requested = { approvalId, userId, credits, valueMicroUsd: 0, reason, by: second };
    return demo.commands.execute(new RequestAdjustment(requested));
  };
  await give('demo-promotional-1', 'aiko', 120, 'A download failed for a day');
  await give('demo-promotional-2', 'lena', 200, 'Second prize of the remix contest');
  await give(
    'demo-promotional-3',
    'cleo',
    600,
    'Her account was closed by our mistake for nine days. Ticket 8812',
  );
  const ask = (approvalId: string, by: string, to: string, role: 'finance' | 'admin', reason: string) => {
    const work = { kind: 'grant-role', userId: listenerNamed(people, to), role } as const;
    const requested = { approvalId, work, by, beneficiary: work.userId, reason };
    return demo.commands.execute(new RequestApproval(requested));
  };
  await ask('demo-role-1', second, 'dev', 'finance', 'Closes the months with us from now on');
  await ask('demo-role-2', admin, 'greta', 'admin', 'Answers reports at night');
}

const COPIED = 'Spare keys';
const COPY = 'Spare keys 2';
/** A pack that is never published, because its only sound is a suspected copy. */
const PACK_OF_COPY = {
  name: 'Night Bus Loops',
  genre: 'Lofi',
  mood: 'Chill',
  description: 'For the last row, upstairs.',
} as const;
const UPLOAD = `demo ${COPY}`;

/** Uploads a sound of the demo creator as another creator, so that demo users can decide about a suspected copy. */
export async function suspectCopy(
  demo: DemoProduct,
  packs: readonly DemoPack[],
  userId: string,
): Promise<void> {
  const { pack: original, sample } = find(packs, COPIED, ({ creator }) => creator === DEMO_CREATOR.key);
  if (!original || !sample) return;
  const packId = demoPackId(PACK_OF_COPY);
  if (!(await demo.ownPacks.find(userId, packId)))
    await demo.commands.execute(new DraftPack(userId, PACK_OF_COPY, packId));
  const earlier = await demo.uploads.earlier(userId, packId, UPLOAD);
  const sampleId =
    earlier?.id ?? (await upload(demo, original, sample, { packId, userId, uploadId: UPLOAD }));
  const text = 'Licensed on Offcut in November, then cut to the bar.';
  await demo.commands.execute(new ClaimRecording(sampleId, userId, { kind: 'licence', text }));
}

async function upload(
  demo: DemoProduct,
  original: DemoPack,
  sample: DemoSample,
  as: { packId: string; userId: string; uploadId: string },
): Promise<string> {
  const { wav } = await demo.studio.make(planOf(original, sample));
  const added = await demo.commands.execute(
    new AddSample(
      { ...as, file: { ...wav, filename: 'Spare_keys_2.wav' } },
      {
        name: COPY,
        ...labelsOf(original, sample),
        instruments: sample.instruments,
        creditCost: 2,
        origin: 'synthesised',
      },
    ),
  );
  if (!added.accepted) throw new Error(`the demo sample ${COPY} was refused: ${added.rejection.code}`);
  return added.sample.id;
}

/** Returns the first wanted pack that has a sample of this name, and the sample. */
function find(packs: readonly DemoPack[], sampleName: string, isWanted: (pack: DemoPack) => boolean) {
  const sampleIn = (pack?: DemoPack) => pack?.samples.find(({ name }) => name === sampleName);
  const pack = packs.find((each) => isWanted(each) && sampleIn(each));
  return { pack, sample: sampleIn(pack) };
}

/** Files two complaints about a pack, one waiting and one answered. */
export async function complain(
  demo: DemoProduct,
  packs: readonly DemoPack[],
  people: DemoPeople,
): Promise<void> {
  const { pack, sample } = find(packs, 'Filtered bass, side A', ({ name }) => name === 'Loose Change');
  if (!pack || !sample) return;
  const packId = demoPackId(pack);
  const creatorId = people.creators.get(pack.creator) as string;
  const sound = await demo.uploads.earlier(creatorId, packId, uploadIdOf(sample));
  if (!sound) return;
  const file = (complaintId: string, who: string, filing: ConstructorParameters<typeof FileComplaint>[1]) =>
    demo.commands.execute(new FileComplaint({ userId: listenerNamed(people, who) }, filing, { complaintId }));

  demo.clock.moveTo(9);
  await file('demo-complaint-1', 'greta', {
    subject: { kind: 'pack', id: packId },
    kind: 'misleading',
    text: 'The description says that the surface noise is theirs. On three of the sounds there is none at all.',
  });
  demo.clock.moveTo(6);
  await demo.commands.execute(
    new DecideOnComplaint('demo-complaint-1', people.staff.get('admin') as string, {
      type: 'AnswerComplaint',
      decision: 'rejected',
      measure: 'none',
      isStrike: false,
      text: 'The description speaks of the pack as a whole, and most of its sounds have the noise.',
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
