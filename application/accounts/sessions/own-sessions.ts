import { deviceName } from '../../../domain/accounts/device-name.js';
import type { OpenSession } from './session-store.js';
import type { SessionItem } from './session-contract.js';

/** Returns for example "Germany, 203.0.113.0/24"; null if both are unknown. */
export function placeOf({ country, network }: Pick<OpenSession, 'country' | 'network'>): string | null {
  const name = country && new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(country);
  return [name, network].filter(Boolean).join(', ') || null;
}

/** @param ownId the session that sends the request */
export const sessionItem = (session: OpenSession, ownId: string): SessionItem => ({
  id: session.sessionId,
  device: deviceName(session.userAgent),
  place: placeOf(session),
  startedAt: session.startedAt.toISOString(),
  lastUsedAt: session.lastUsedAt.toISOString(),
  current: session.sessionId === ownId,
});
