import type { PasskeyAssertion, PasskeyQuestion } from '../../../application/accounts/contract.js';
import { answerByPasskey } from './passkey.js';

/** A question is asked anew before the server forgets it. */
const MARGIN_MS = 30_000;

/** Has the browser list passkeys beside what it fills into fields, until one is chosen; never throws. */
export async function offerPasskeys(
  ask: () => Promise<PasskeyQuestion>,
  signal: AbortSignal,
  onChosen: (passkey: PasskeyAssertion) => Promise<unknown>,
): Promise<void> {
  try {
    if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
    while (!signal.aborted) {
      const question = await ask();
      const late = AbortSignal.timeout(question.timeout - MARGIN_MS);
      const options = { mediation: 'conditional', signal: AbortSignal.any([signal, late]) } as const;
      const passkey = await answerByPasskey(question, options).catch((error: unknown) => {
        if (!late.aborted) throw error;
      });
      if (passkey) return void (await onChosen(passkey));
    }
  } catch {
    // It was taken back, or this browser will not: the button is there.
  }
}
