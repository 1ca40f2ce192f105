import { AccountStore } from '../application/accounts/account-store.js';
import { Placeholders } from '../application/accounts/placeholders.js';
import { Profiles } from '../application/profiles/profiles.js';
import { creatorCalled } from './imports/import-tools.js';
import { CommandRefused } from './refused.js';
import type { Print, Tools } from './tools.js';

const REFUSALS = {
  taken: 'already has an account',
  'no placeholder': 'belongs to a person who can already sign in',
} as const;

/** Changes an imported creator's mail address to that of the owner, who then sets a password. @throws CommandRefused */
export async function handOver(
  { app, wallClock }: Tools,
  { handle, email }: { handle: string; email: string },
  print: Print,
): Promise<void> {
  const userId = await creatorCalled(app.get(Profiles), handle);
  const outcome = await new Placeholders(app.get(AccountStore), wallClock).handOver(userId, email);
  if (outcome !== 'done')
    throw new CommandRefused(`${outcome === 'taken' ? email : handle} ${REFUSALS[outcome]}`);
  print(`${handle} belongs to ${email} now.`);
}
