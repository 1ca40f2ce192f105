import { useQuery } from '@tanstack/react-query';
import type { User } from '../../../application/accounts/contract.js';
import type { CreatorState } from '../../../application/publishing/contract.js';
import { creatorQuery } from '../api/account.js';
import { queryClient } from '../api/query-client.js';
import type { Page, PageAccess } from '../page.js';
import { currentSession, sessionKnown, useSession } from '../session/session.js';

function hasAccess(access: PageAccess, user: User, creator: CreatorState | undefined): boolean {
  if (access === 'user') return true;
  if (access === 'payee') return user.isCreator || creator?.status === 'suspended';
  return user.roles.includes(access);
}

/** Only the state of a creator tells who was suspended, and may still see what they earned. */
const creatorDecides = (access: PageAccess, user: User | null): boolean =>
  access === 'payee' && user?.isCreator === false;

/** The person to whom a page opens, null if it does not open; undefined until that is known. */
export function usePersonFor(access: PageAccess): User | null | undefined {
  const { status, user } = useSession();
  const enabled = creatorDecides(access, user);
  const { data, isLoading } = useQuery({ ...creatorQuery, enabled });
  // Others may be asking for it too.
  if (status === 'loading' || (enabled && isLoading)) return undefined;
  return user && hasAccess(access, user, data) ? user : null;
}

/** Whether a page opens to the visitor, as soon as that is known. */
export async function opens({ access }: Page): Promise<boolean> {
  if (!access) return true;
  await sessionKnown();
  const { user } = currentSession();
  const creator = creatorDecides(access, user)
    ? await queryClient.fetchQuery(creatorQuery).catch(() => undefined)
    : undefined;
  return user !== null && hasAccess(access, user, creator);
}
