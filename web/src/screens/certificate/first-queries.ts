import { query } from '../../api/api.js';
import type { Address, FirstQueries } from '../../page.js';

export const verificationQuery = (id: string) =>
  query('GET /api/certificates/:id/verification', { params: { id } });

/** The certificate id in an address; undefined on the page where visitors provide a certificate. */
export const certificateIdOf = ({ id }: Address['params']): string | undefined =>
  id === 'verify' ? undefined : id;

export default (({ params }) => {
  const id = certificateIdOf(params);
  return id === undefined ? [] : [verificationQuery(id)];
}) satisfies FirstQueries;
