import { inWords, tooManyRequests } from '../../platform/http/request.js';

/** The code was not checked, so the answer does not say that it was wrong. */
export const tooManyCodes = (retryAfterSeconds: number) =>
  tooManyRequests(
    `Too many wrong codes were given for this account. Wait ${inWords(retryAfterSeconds)}, or use a passkey. A browser that sets a new password by mail does not wait.`,
    retryAfterSeconds,
  );
