import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Payout, SalesPeriod } from '../../../application/payouts/contract.js';
import { backend } from './transport/backend.js';
import { apiOnce, query, api, pages } from './api.js';
import { confirmed } from './transport/http.js';
import { fetchWithin } from './transport/time-limit.js';
import { invalidate, queryClient } from './query-client.js';
import type { OwnPack } from '../../../application/publishing/contract.js';

const WATCH_MS = 2_000;

/** The balance of the creator. The query polls while a withdrawal is in transit. */
export const watchedBalanceQuery = queryOptions({
  ...query('GET /api/creator/balance'),
  refetchInterval: ({ state }) => (state.data?.inFlight ? WATCH_MS : false),
});

/** The statements of withdrawals, newest first. The query polls while a withdrawal is in transit. */
export const payoutsQuery = (limit: number) =>
  infiniteQueryOptions({
    ...pages('GET /api/creator/statements', { query: { limit } }),
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ items }) => items.some(({ settledAt }) => settledAt === null)) ? WATCH_MS : false,
  });

export function payoutsChanged(): void {
  void invalidate(
    'GET /api/stripe/connect/status/:userId',
    'GET /api/creator/statements',
    'GET /api/creator/statements/:id',
    'GET /api/creator/payout-schedule',
    'GET /api/creator/balance',
  );
}

class OnboardingFailed extends Error {
  override name = 'OnboardingFailed';
}

interface Payee {
  id: string;
  email: string;
  /** Absent: `US`. If the creator already has an account at the payment provider, the account keeps its country. */
  country?: string | undefined;
}

/** Returns the address of the payment provider's page where the creator sets up payouts. @throws OnboardingFailed */
export async function startOnboarding(user: Payee): Promise<string> {
  let { status, answer } = await askForOnboarding(user);
  if (await confirmed(answer)) ({ status, answer } = await askForOnboarding(user));
  const error = typeof answer.error === 'string' ? answer.error : undefined;
  if (status < 200 || status > 299)
    throw new OnboardingFailed(`Server error (${status}): ${error ?? 'Unknown error'}`);
  if (typeof answer.url !== 'string')
    throw new OnboardingFailed(`Failed to start Stripe onboarding: ${error ?? 'No URL returned'}`);
  return answer.url;
}

async function askForOnboarding({ id: userId, email, country = 'US' }: Payee) {
  const server = backend();
  if (!server) throw new OnboardingFailed('Failed to start Stripe onboarding: backend not configured');
  const response = await fetchWithin(`${server.origin}/api/stripe/connect/create-account`, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    credentials: server.origin ? 'include' : 'same-origin',
    body: JSON.stringify({ userId, email, country }),
  }).catch(() => null);
  if (!response) throw new OnboardingFailed('Failed to start Stripe onboarding: Network error');
  const answer = (await response.json().catch(() => null)) as Record<string, unknown> | null;
  if (typeof answer !== 'object' || answer === null)
    throw new OnboardingFailed(`Server returned invalid response (${response.status}). Please try again.`);
  return { status: response.status, answer };
}

export const withdraw = (amountUsdCents: number): Promise<Payout> =>
  apiOnce('POST /api/creator/withdrawals', { body: { amountUsdCents } }).finally(payoutsChanged);

export const ownPacksQuery = pages('GET /api/creator/packs', { query: { limit: 100 } });

/** One own pack with its samples. @param idOrSlug the id, or the current slug */
export const ownPackQuery = (idOrSlug: string) =>
  query('GET /api/creator/packs/:id', { params: { id: idOrSlug } });

/** Puts a changed pack into the cache of the editor, and refetches the list of own packs. */
export function putOwnPack(pack: OwnPack): void {
  queryClient.setQueryData(ownPackQuery(pack.slug).queryKey, pack);
  void invalidate('GET /api/creator/packs');
}

export const salesQuery = (period: SalesPeriod) =>
  query('GET /api/creator/sales', { query: { period, limit: 1 } });

export const salesListQuery = pages('GET /api/creator/sales', { query: { limit: 50 } });

export async function uploadAvatar(file: File, key: 'PUT /api/me/avatar' | 'PUT /api/creator/avatar') {
  const body = new FormData();
  body.append('image', file);
  const { avatarUrl } = await api(key, { body });
  void invalidate('GET /api/creator/profile', 'GET /api/creators/:handle');
  return avatarUrl;
}

/** The promotion codes of the creator with their use, newest first. @param packId limits them to this pack */
export const promotionsQuery = (packId?: string) =>
  pages('GET /api/creator/promotions', { query: { limit: 100, ...(packId && { packId }) } });
