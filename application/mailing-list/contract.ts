import * as z from 'zod';
import { exactText, namedObject } from '../shared/contract.js';

export const SubscribeBody = z.strictObject({
  email: z.email('Enter an e-mail address').max(254, 'Enter an e-mail address'),
});
export const MailingListToken = z.strictObject({ token: exactText().min(1).max(1_000) });
export const MailingListAnswer = namedObject('MailingListAnswer', { email: z.string() });
