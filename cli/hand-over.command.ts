import { AccountStore } from '../application/accounts/account-store.js';
import { Placeholders } from '../application/accounts/placeholders.js';
import { Profiles } from '../application/profiles/profiles.js';
import { ImportRefused } from './refused.js';
import type { Tools } from './tools.js';

const REFUSALS = {
  taken: 'already has an account',
  'no placeholder': 'belongs to a person who can already sign in',
} as const;

/** Sets the address of an imported creator's account; its owner then sets a password. @throws ImportRefused */
export async function handOver(
  { app, wallClock }: Tools,
  { handle, email }: { handle: string; email: string },
): Promise<void> {
  const owner = await app.get(Profiles).findOwner(handle.replace(/^@/, ''));
  if (!owner) throw new ImportRefused(`no creator has the handle ${handle}`);
  const outcome = await new Placeholders(app.get(AccountStore), wallClock).handOver(owner.userId, email);
  if (outcome !== 'done')
    throw new ImportRefused(`${outcome === 'taken' ? email : handle} ${REFUSALS[outcome]}`);
}
