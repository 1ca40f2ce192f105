import { takedownNotice } from '../../application/complaints/letters.js';
import type { Takedown } from '../../application/catalogue/queries.js';

/** What an answer of 410 says beside its code. */
export const noticed = ({ complaint }: Takedown): { detail?: string } =>
  complaint ? { detail: takedownNotice(complaint) } : {};
