import { useLocation } from 'react-router-dom';
import type { User } from '../../../application/accounts/contract.js';
import { useSession } from '../session/session.js';

/** The staff areas. Each has its own header, and opens to people with the role of its name. */
export type StaffArea = 'admin' | 'finance';

export const staffAreaAt = (pathname: string): StaffArea | undefined =>
  /^\/(admin|finance)(?![^/])/.exec(pathname)?.[1] as StaffArea | undefined;

/**
 * The staff area of the address, if the user has its role, or while the user is unknown. `Layout` must not call this
 * hook: a change of the session during hydration would render the whole page again, and typed text would be lost.
 */
export function useStaffArea(): { area: StaffArea | undefined; user: User | null } {
  const at = staffAreaAt(useLocation().pathname);
  const { user, status } = useSession();
  return { area: at && (status === 'loading' || user?.roles.includes(at)) ? at : undefined, user };
}
