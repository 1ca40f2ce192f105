import { useEffect, useEffectEvent, useRef } from 'react';
import type { PasskeyAssertion } from '../../../application/accounts/factors/contract.js';
import { api } from '../api/api.js';
import { notifyError } from '../ui/overlays/toast.js';
import { welcome } from './sign-in-flow.js';
import { UsePasskey } from './use-passkey.js';
import { answerByPasskey } from './passkey.js';

/** A new passkey challenge is requested this long before the server forgets the old one. */
const MARGIN_MS = 30_000;

const ask = () => api('POST /api/auth/passkey/options');

/** Makes the browser list passkeys in its autofill until the visitor chooses one; never throws. */
async function offerPasskeys(signal: AbortSignal, onChosen: (passkey: PasskeyAssertion) => Promise<unknown>) {
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
    // The request failed or was aborted, or this browser does not list passkeys. The button still works.
  }
}

/** Signs in by passkey alone. The browser also offers its passkeys for this site in the e-mail field. */
export default function PasskeySignIn({ onDone }: { onDone: () => void }) {
  const send = async (passkey: PasskeyAssertion) => {
    welcome(await api('POST /api/auth/passkey', { body: { passkey } }));
    onDone();
  };
  const take = useEffectEvent((passkey: PasskeyAssertion) => send(passkey).catch(notifyError));
  const offer = useRef<AbortController>(null);
  useEffect(() => {
    const offered = new AbortController();
    offer.current = offered;
    void offerPasskeys(offered.signal, (passkey) => take(passkey));
    return () => offered.abort();
  }, []);
  return (
    <UsePasskey
      className="mt-3 w-full"
      ask={() => {
        // Browsers allow only one passkey request at a time.
        offer.current?.abort();
        return ask();
      }}
      send={send}
    >
      Use a passkey
    </UsePasskey>
  );
}
