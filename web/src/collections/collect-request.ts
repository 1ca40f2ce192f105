import type { Sample } from '../../../application/catalogue/contract.js';
import { held } from '../held.js';
import { type Collectable, askToSignIn } from '../session/after-sign-in.js';
import { isSignedIn } from '../session/session.js';

const asked = held<Collectable | null>(null);

export const useCollectRequest = asked.use;
export const closeCollect = (): void => asked.set(null);

export const collectableSample = ({ id, title }: Pick<Sample, 'id' | 'title'>): Collectable => ({
  title,
  sampleIds: [id],
});

/** Opens the menu "Add to collection". Asks guests to sign in first. */
export async function askCollect(thing: Collectable): Promise<void> {
  if (await isSignedIn()) return asked.set(thing);
  askToSignIn('Please sign in to collect samples.', { kind: 'collect', thing });
}
