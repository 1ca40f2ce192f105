import { takedownNotice } from '../../application/complaints/letters.js';
import type { Takedown } from '../../application/catalogue/queries.js';

export const takedownDetail = ({ complaint }: Takedown): { detail?: string } =>
  complaint ? { detail: takedownNotice(complaint) } : {};
