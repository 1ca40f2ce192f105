import { KnownSounds } from '../application/publishing/sounds/known-sounds.js';
import { OLD_SOUND, soundJob } from '../application/publishing/sounds/copy-check.js';
import type { Print, Tools } from './tools.js';

const ORDERED_AT_ONCE = 1_000;

/** @param options.missing enqueues a job for each sound without a fingerprint; workers run the jobs later */
export async function fingerprints(
  { app, jobs }: Pick<Tools, 'app' | 'jobs'>,
  { missing, json }: { missing: boolean; json: boolean },
  print: Print,
): Promise<number> {
  const sounds = app.get(KnownSounds);
  const counts = await sounds.counts();
  const orders = json ? () => {} : print;
  if (json) print(JSON.stringify(counts, null, 2));
  orders(
    `${counts.samples} sounds: ${counts.missing} without a fingerprint, ${counts.tooPlain} too plain for one, ${counts.uncompared} to be compared`,
  );
  if (!missing) return counts.uncompared > 0 ? 1 : 0;
  let ordered = 0;
  for (let after = ''; ;) {
    const page = await sounds.missing(after, ORDERED_AT_ONCE);
    const last = page.at(-1);
    if (!last) break;
    await jobs.send(OLD_SOUND, page.map(soundJob));
    ordered += page.length;
    after = last.sampleId;
  }
  orders(`Workers have ${ordered} sounds to compare; \`offcut jobs\` says how many are left.`);
  return 0;
}
