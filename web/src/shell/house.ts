import { useLocation } from 'react-router-dom';
import type { User } from '../../../application/accounts/contract.js';
import { useSession } from '../session/session.js';

/** The staff's houses: each has a header of its own, and opens to people with the role of its name. */
export type House = 'admin' | 'finance';

/** The house that an address is in. */
export const houseAt = (pathname: string): House | undefined =>
  /^\/(admin|finance)(?![^/])/.exec(pathname)?.[1] as House | undefined;

/**
 * The house in which somebody with its role stands; nobody's while it is not known who looks. For parts of the frame:
 * the frame itself, drawn anew while the client takes over from the server, would lose what was typed until then.
 */
export function useHouse(): { house: House | undefined; user: User | null } {
  const at = houseAt(useLocation().pathname);
  const { user, status } = useSession();
  return { house: at && (status === 'loading' || user?.roles.includes(at)) ? at : undefined, user };
}
