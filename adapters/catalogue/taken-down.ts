import { takedownNotice } from '../../application/complaints/letters.js';
import type { Takedown } from '../../application/catalogue/queries.js';

/** The detail of a 410 response, besides its code. */
export const takedownDetail = ({ complaint }: Takedown): { detail?: string } =>
  complaint ? { detail: takedownNotice(complaint) } : {};
