import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { labelsOf, planOf } from '../catalogue.js';
import type { DemoPack, DemoSample } from '../catalogue/entries.js';
import type { OwnPack } from '../../application/publishing/contract.js';
import type { DemoProduct } from './demo.js';
import type { DemoResult, MadeFile } from './worker.js';
import { AddSample } from '../../application/publishing/samples/sample-uploads.js';
import { AttachFile } from '../../application/publishing/samples/attach-file.js';
import { DraftPack } from '../../application/publishing/change-pack.js';
import { PublishPack } from '../../application/publishing/publish-pack.js';

export interface Listed {
  sampleId: string;
  name: string;
  priceCredits: number;
}

/** A sample that is not made yet. */
export interface Awaited {
  pack: DemoPack;
  sample: DemoSample;
}

/** Returns whether an earlier start of the demo has published the sample with all its files. */
export async function isShelved(
  demo: DemoProduct,
  pack: DemoPack,
  sample: DemoSample,
  userId: string,
): Promise<boolean> {
  const found = await demo.uploads.earlier(userId, demoPackId(pack), uploadIdOf(sample));
  return !!found && (!sample.midi || found.hasMidi) && (!sample.stems || found.hasStems);
}

export const demoPackId = (pack: Pick<DemoPack, 'name'>): string =>
  createHash('sha256').update(`demo pack ${pack.name}`).digest('base64url').slice(0, 22);

export const uploadIdOf = (sample: DemoSample): string => `demo ${sample.name}`;

/**
 * Publishes a pack with the use cases that creators use. Skips steps that an interrupted start has completed.
 * @param made resolves to the sound of a sample once it exists
 */
export async function shelvePack(
  demo: DemoProduct,
  pack: DemoPack,
  userId: string,
  made: (sample: DemoSample) => Promise<DemoResult>,
): Promise<Listed[]> {
  const packId = demoPackId(pack);
  const { name, genre, mood, description } = pack;
  if (!(await demo.ownPacks.find(userId, packId)))
    await demo.commands.execute(new DraftPack(userId, { name, genre, mood, description }, packId));
  const listed: Listed[] = [];
  for (const sample of pack.samples) {
    const sampleId = await shelveSample(demo, pack, userId, sample, made);
    listed.push({ sampleId, name: sample.name, priceCredits: sample.creditCost });
  }
  const { status } = (await demo.ownPacks.find(userId, packId)) as OwnPack;
  if (!pack.draft && status === 'draft') await demo.commands.execute(new PublishPack({ userId, packId }));
  return listed;
}

async function shelveSample(
  demo: DemoProduct,
  pack: DemoPack,
  userId: string,
  sample: DemoSample,
  made: (sample: DemoSample) => Promise<DemoResult>,
): Promise<string> {
  const { name, instruments, creditCost } = sample;
  const packId = demoPackId(pack);
  const uploadId = uploadIdOf(sample);
  const earlier = await demo.uploads.earlier(userId, packId, uploadId);
  const wantsMidi = Boolean(sample.midi) && !earlier?.hasMidi;
  const wantsStems = Boolean(sample.stems) && !earlier?.hasStems;
  if (earlier && !wantsMidi && !wantsStems) return earlier.id;

  const result = await made(sample);
  const added = await demo.commands.execute(
    new AddSample(
      { packId, userId, uploadId, file: { ...result.wav, filename: `${fileTitle(sample)}.wav` } },
      { name, ...labelsOf(pack, sample), instruments, creditCost, origin: 'synthesised' },
    ),
  );
  if (!added.accepted) throw new Error(`the demo sample ${name} was refused: ${added.rejection.code}`);
  const { id } = added.sample;
  const attach = async (kind: 'midi' | 'stems', file: MadeFile | undefined, extension: string) => {
    if (!file) return;
    const named = { ...file, filename: `${fileTitle(sample)}.${extension}` };
    await demo.commands.execute(new AttachFile({ userId, packId }, id, kind, named));
  };
  if (wantsMidi) await attach('midi', result.midi, 'mid');
  if (wantsStems) await attach('stems', result.stems, 'zip');
  return id;
}

const fileTitle = (sample: DemoSample): string => basename(sample.name).replaceAll(/[^A-Za-z0-9]+/g, '_');

/** Makes sounds in the order in which packs need them, a few in advance. */
export class SoundQueue {
  private readonly waiting: Awaited[];
  private readonly begun = new Map<DemoSample, Promise<DemoResult>>();

  constructor(
    private readonly demo: DemoProduct,
    awaited: Awaited[],
    private readonly ahead: number,
    private readonly signal?: AbortSignal,
  ) {
    this.waiting = [...awaited];
    this.fill();
  }

  /** @throws the signal's reason as soon as the signal is aborted */
  async take(pack: DemoPack, sample: DemoSample): Promise<DemoResult> {
    const making = this.begun.get(sample) ?? this.begin({ pack, sample });
    this.begun.delete(sample);
    this.fill();
    return this.signal ? orAborted(making, this.signal) : making;
  }

  private begin({ pack, sample }: Awaited): Promise<DemoResult> {
    const making = this.demo.studio.make(planOf(pack, sample));
    // `take` reports the failure. Until then an unhandled rejection must not end the process.
    making.catch(() => undefined);
    return making;
  }

  private fill(): void {
    while (this.begun.size < this.ahead && this.waiting.length > 0) {
      const next = this.waiting.shift() as Awaited;
      this.begun.set(next.sample, this.begin(next));
    }
  }
}

function orAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
