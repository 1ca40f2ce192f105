import { CURRENT_CONSENT } from '../../../application/subscriptions/values.js';
import { api, problemOf, query } from '../api/api.js';
import { isAnswer } from '../api/transport/idempotency-key.js';
import { queryClient } from '../api/query-client.js';
import {
  type Go,
  signInToDownload,
  notifyChangedPrice,
  notifyFailedPurchase,
  notifyInsufficient,
  notifyUnavailable,
  notifyUnknownPurchase,
} from './download-alerts.js';
import { type Confirmation, askForPrice, closeConfirmation, isAsking } from './confirmation.js';
import type { DownloadPlace } from '../session/after-sign-in.js';

export interface Ways {
  go: Go;
  /** Called when the visitor has agreed to the price, or immediately if the download is free. */
  started: () => void;
  again: () => void;
}

interface Offer<Answer extends { balance: number }> extends Ways {
  id: string;
  /** Sends the purchase. The server charges nothing if the price is not the expected one. */
  buy: (expectedCredits: number) => Promise<Answer>;
  /**
   * The expected price. If it is 0, no dialog asks. If it is null, because the page does not know it, an order for 0
   * credits is sent first: the server delivers what is free, and else refuses and names the price.
   */
  costCredits: number | null;
  present: Pick<Confirmation, 'title' | 'by' | 'cover' | 'samples' | 'freeTitles' | 'delivered' | 'saving'>;
  place: DownloadPlace;
  /** Reports samples that are no longer on sale. Absent: an alert with the text for `place`. */
  notifyMissing?: (sampleIds: readonly string[]) => void;
}

const FRESH_MS = 2_000;

async function readCredits(): Promise<{ balance: number | null; consentDue?: boolean }> {
  const answer = await queryClient
    .fetchQuery({ ...query('GET /api/credits'), staleTime: FRESH_MS })
    .catch(() => null);
  return answer ?? { balance: null };
}

function showBalance(balance: number): void {
  queryClient.setQueryData(query('GET /api/credits').queryKey, (before) => before && { ...before, balance });
}

function notifyRefusal(
  error: unknown,
  { place, go, again, notifyMissing }: Pick<Offer<never>, 'place' | 'go' | 'again' | 'notifyMissing'>,
): void {
  const problem = problemOf('POST /api/downloads', error);
  if (!problem || !isAnswer(error)) return notifyUnknownPurchase(place, again);
  if (problem.status === 401) signInToDownload(place);
  else if (problem.code === 'InsufficientCredits') {
    showBalance(problem.balance);
    void notifyInsufficient(problem.balance, go, problem.nextBillingDate ?? null);
  } else if (notifyMissing && 'sampleIds' in problem && problem.sampleIds) notifyMissing(problem.sampleIds);
  else if (problem.code === 'DownloadUnavailable' || problem.code === 'SampleNotAvailable')
    notifyUnavailable(place);
  else notifyFailedPurchase(place);
}

/**
 * Asks the visitor to agree to a price above 0, then buys. Asks again if the server names another price.
 * @returns null if nothing was bought, or if that is unknown
 */
export async function purchase<Answer extends { balance: number }>(offer: Offer<Answer>) {
  let expected = offer.costCredits;
  let former: number | null = null;
  let needsConsent = false;
  for (;;) {
    const cost = expected ?? 0;
    if (cost > 0) {
      const { balance, consentDue = false } = await readCredits();
      if (balance !== null && balance < cost) {
        closeConfirmation(offer.id);
        void notifyInsufficient(balance, offer.go);
        return null;
      }
      const question = {
        ...offer.present,
        id: offer.id,
        costCredits: cost,
        balanceCredits: balance,
        consentDue,
      };
      const agreed = await askForPrice({ ...question, formerCostCredits: former });
      if (!agreed) return null;
      needsConsent = consentDue;
    }
    offer.started();
    try {
      if (needsConsent) await api('POST /api/me/contracts/consent', { body: { version: CURRENT_CONSENT } });
      const answer = await offer.buy(cost);
      showBalance(answer.balance);
      closeConfirmation(offer.id);
      return answer;
    } catch (error) {
      const problem = problemOf('POST /api/downloads', error);
      if (problem?.code === 'PriceChanged') {
        if (cost > 0 && !isAsking(offer.id)) {
          notifyChangedPrice(offer.present.title, problem.priceCredits);
          return null;
        }
        former = expected;
        expected = problem.priceCredits;
        continue;
      }
      closeConfirmation(offer.id);
      notifyRefusal(error, offer);
      return null;
    }
  }
}
