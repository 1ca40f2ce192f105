import type { PasskeyAssertion, PasskeyQuestion } from '../../../application/accounts/contract.js';
import { answerByPasskey } from './passkey.js';

/** A challenge is replaced this long before the server forgets it. */
const MARGIN_MS = 30_000;

/** Makes the browser list passkeys in its autofill until the visitor chooses one; never throws. */
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
    // Aborted, or unsupported by this browser: the button remains.
  }
}
