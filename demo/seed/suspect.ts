import { AddSample } from '../../application/publishing/samples/add-sample.js';
import { DraftPack } from '../../application/publishing/draft-pack.js';
import { ClaimRecording } from '../../application/publishing/suspicions/claim-recording.js';
import { labelsOf, planOf } from '../catalogue.js';
import type { DemoPack, DemoSample } from '../catalogue/entries.js';
import { DEMO_CREATOR } from './people.js';
import { demoPackId } from './catalogue.js';
import type { DemoProduct } from './demo.js';

const COPIED = 'Spare keys';
const COPY = 'Spare keys 2';
/** Never published, because its only sound waits for a decision. */
const PACK = {
  name: 'Night Bus Loops',
  genre: 'Lofi',
  mood: 'Chill',
  description: 'For the last row, upstairs.',
} as const;
const UPLOAD = `demo ${COPY}`;

/**
 * Uploads a sound of the demo creator as another creator, so that users can decide about a suspected copy.
 * Repeating it changes nothing.
 */
export async function suspectCopy(
  demo: DemoProduct,
  packs: readonly DemoPack[],
  userId: string,
): Promise<void> {
  const original = packs.find(
    ({ creator, samples }) => creator === DEMO_CREATOR.key && samples.some(({ name }) => name === COPIED),
  );
  const sample = original?.samples.find(({ name }) => name === COPIED);
  if (!original || !sample) return;
  const packId = demoPackId(PACK);
  if (!(await demo.ownPacks.find(userId, packId)))
    await demo.commands.execute(new DraftPack(userId, PACK, packId));
  const earlier = await demo.uploads.earlier(userId, packId, UPLOAD);
  const sampleId = earlier?.id ?? (await copyOf(demo, { original, sample, userId, packId }));
  const text = 'Licensed on Offcut in November, then cut to the bar.';
  await demo.commands.execute(new ClaimRecording(sampleId, userId, { kind: 'licence', text }));
}

async function copyOf(
  demo: DemoProduct,
  of: { original: DemoPack; sample: DemoSample; userId: string; packId: string },
): Promise<string> {
  const { original, sample, userId, packId } = of;
  const { wav } = await demo.studio.make(planOf(original, sample));
  const added = await demo.commands.execute(
    new AddSample(
      { packId, userId, uploadId: UPLOAD, file: { ...wav, filename: 'Spare_keys_2.wav' } },
      { name: COPY, ...labelsOf(original, sample), instruments: sample.instruments, creditCost: 2 },
    ),
  );
  if (!added.accepted) throw new Error(`the demo sample ${COPY} was refused: ${added.rejection.code}`);
  return added.sample.id;
}
