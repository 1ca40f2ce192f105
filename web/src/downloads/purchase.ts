import type { CreditBalance } from '../../../application/credits/contract.js';
import { creditsQuery } from '../api/account.js';
import { ApiProblem, api } from '../api/http.js';
import { isAnswer, sendOnce } from '../api/idempotency-key.js';
import { queryClient } from '../api/query-client.js';
import {
  type Go,
  askToSignIn,
  notifyFailedPurchase,
  notifyInsufficient,
  notifyUnavailable,
  notifyUnknownPurchase,
} from './download-alerts.js';
import { type Confirmation, askForPrice, closeConfirmation } from './confirmation.js';
import type { DownloadPlace } from './place.js';

/** What is bought, and how the dialog presents it. */
export interface Offer {
  /** The route that sells it. */
  path: string;
  body: Record<string, unknown>;
  /** 0 for what is free: then nothing is asked. */
  costCredits: number;
  present: Pick<Confirmation, 'title' | 'by' | 'cover'>;
  place: DownloadPlace;
  go: Go;
}

const FRESH_MS = 2_000;

async function readBalance(): Promise<number | null> {
  const answer = await queryClient.fetchQuery({ ...creditsQuery, staleTime: FRESH_MS }).catch(() => null);
  return answer?.balance ?? null;
}

function showBalance(balance: number): void {
  queryClient.setQueryData<CreditBalance>(
    creditsQuery.queryKey,
    (before) => before && { ...before, balance },
  );
}

/** One attempt to pay. Its key outlives failures without an answer. */
async function pay<Answer extends { balance: number }>(
  offer: Offer,
  expectedCredits: number,
): Promise<Answer> {
  const body = { ...offer.body, expectedCredits };
  const answer = await sendOnce(`${offer.path} ${JSON.stringify(body)}`, (idempotencyKey) =>
    api.post<Answer>(offer.path, body, { idempotencyKey }),
  );
  showBalance(answer.balance);
  return answer;
}

const numberOf = (value: unknown, otherwise: number) => (typeof value === 'number' ? value : otherwise);

/** Says why nothing was bought, or that this is not known. */
function notifyRefusal(error: unknown, { place, go }: Offer): void {
  if (!(error instanceof ApiProblem) || !isAnswer(error)) return notifyUnknownPurchase(place);
  const { code, status, members } = error;
  if (status === 401) askToSignIn(place);
  else if (code === 'InsufficientCredits') {
    const balance = numberOf(members.balance, 0);
    showBalance(balance);
    void notifyInsufficient(balance, go, (members.nextBillingDate as string | undefined) ?? null);
  } else if (code === 'DownloadUnavailable' || code === 'SampleNotAvailable') notifyUnavailable(place);
  else notifyFailedPurchase(place);
}

/**
 * Sells an offer: shows its price first unless it is free, asks again when the server names another price.
 * @returns the server's answer, or null when nothing was bought; why has then been said
 */
export async function purchase<Answer extends { balance: number }>(offer: Offer): Promise<Answer | null> {
  let cost = offer.costCredits;
  let former: number | null = null;
  for (;;) {
    if (cost > 0) {
      const balance = await readBalance();
      if (balance !== null && balance < cost) {
        closeConfirmation();
        void notifyInsufficient(balance, offer.go);
        return null;
      }
      const question = { ...offer.present, costCredits: cost, balanceCredits: balance };
      const agreed = await askForPrice({ ...question, formerCostCredits: former });
      if (!agreed) return null;
    }
    try {
      const answer = await pay<Answer>(offer, cost);
      closeConfirmation();
      return answer;
    } catch (error) {
      if (error instanceof ApiProblem && error.code === 'PriceChanged') {
        former = cost;
        cost = numberOf(error.members.priceCredits, cost);
        continue;
      }
      closeConfirmation();
      notifyRefusal(error, offer);
      return null;
    }
  }
}
