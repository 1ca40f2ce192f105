import { creditAccountDecider, type CreditEvent } from '../../domain/credits/credit-account.js';
import type { Streams } from '../shared/streams.js';

/** Returns the events of an account, after those of the gifts that came into it. */
export async function historyWithGifts(streams: Streams, userId: string): Promise<CreditEvent[]> {
  const own = await streams.history(creditAccountDecider, userId);
  const gifts = own.flatMap(({ type, data }) => (type === 'GiftReceived' ? [data.from] : []));
  const before = await Promise.all(
    [...new Set(gifts)].map((gift) => streams.history(creditAccountDecider, gift)),
  );
  return [...before.flat(), ...own];
}
