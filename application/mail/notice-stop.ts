import type { Secrets } from '../shared/keys/signing-keys.js';
import { serverPaths } from '../pages/paths.js';
import { CHOSEN_KINDS, type ChosenKind } from './notices.js';
import { seal, stoppedAt, unseal } from './sealed-text.js';

const SECRET = 'notice-mails';

/**
 * Returns the last lines of a mail, with a link that turns off mails of these `kinds`, and the header fields for
 * one-click unsubscribe (RFC 8058).
 */
export async function stopOf(
  secrets: Secrets,
  publicUrl: string,
  userId: string,
  kinds: readonly ChosenKind[],
): Promise<{ lines: string[]; headers: Record<string, string> }> {
  const token = await seal(secrets, SECRET, `${userId}.${kinds.join('+')}`);
  return {
    lines: [
      'You choose which mails you get in your settings. To stop mails like this one:',
      publicUrl + serverPaths.mailingList({ notices: token }),
    ],
    headers: stoppedAt(`${publicUrl}/api/inbox/unsubscribe?${new URLSearchParams({ token })}`),
  };
}

/**
 * Returns the user and the kinds of mail that a token turns off. Returns undefined if the token's signature is
 * wrong.
 */
export async function stoppedBy(
  secrets: Secrets,
  token: string,
): Promise<{ userId: string; kinds: ChosenKind[] } | undefined> {
  const named = await unseal(secrets, SECRET, token);
  if (named === undefined) return undefined;
  const [userId = '', names = ''] = named.split('.');
  return { userId, kinds: CHOSEN_KINDS.filter((kind) => names.split('+').includes(kind)) };
}
