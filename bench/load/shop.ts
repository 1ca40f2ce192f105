import { createHash } from 'node:crypto';
import type { Resources } from '../../bootstrap/resources.js';
import type { HttpClient } from '../../test/support/http-client.js';
import { stock } from '../../test/support/stock.js';
import { wavOf } from '../../test/support/wav.js';

/** Puts samples on sale that share one file in the storage. @returns their ids */
export async function samplesWithFile({ database, storage }: Resources, count: number): Promise<string[]> {
  const ids = await stock(database, count);
  const key = 'Users/junie/Packs/load/Tone.wav';
  const sound = wavOf({ seconds: 1, hertz: 440 });
  await storage.put(key, sound, { contentType: 'audio/wav' });
  await database.pool.query(
    `update sample set original_key = $1, original_sha256 = $2, original_bytes = $3 where sample_id = any($4)`,
    [key, createHash('sha256').update(sound).digest('hex'), sound.length, ids],
  );
  return ids;
}

/** Creates accounts with credits. */
export async function buyersWithCredits(
  { creditExecutor }: Resources,
  { count, credits }: { count: number; credits: number },
  signUp: () => Promise<HttpClient>,
): Promise<{ userId: string; token: string }[]> {
  const people: { userId: string; token: string }[] = [];
  while (people.length < count) {
    const some = await Promise.all(Array.from({ length: Math.min(8, count - people.length) }, signUp));
    for (const { userId, cookies } of some) {
      const grant = { userId, grantId: userId, credits, grantedAt: new Date() };
      await creditExecutor.grantPromotion(grant, { correlationId: 'load' });
      people.push({ userId, token: cookies.get('offcut_session') as string });
    }
  }
  return people;
}
