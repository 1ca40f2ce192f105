import { useLocation } from 'react-router-dom';
import type { User } from '../../../application/accounts/contract.js';
import { useSession } from '../session/session.js';

/** The staff areas. Each has its own header, and opens to people with the role of its name. */
export type StaffArea = 'admin' | 'finance';

export const staffAreaAt = (pathname: string): StaffArea | undefined =>
  /^\/(admin|finance)(?![^/])/.exec(pathname)?.[1] as StaffArea | undefined;

/**
 * The staff area of the current address, if the user has its role or the session is unknown. Use it in parts of the
 * frame: the frame itself would render again during hydration, and lose text that was typed.
 */
export function useStaffArea(): { area: StaffArea | undefined; user: User | null } {
  const at = staffAreaAt(useLocation().pathname);
  const { user, status } = useSession();
  return { area: at && (status === 'loading' || user?.roles.includes(at)) ? at : undefined, user };
}
