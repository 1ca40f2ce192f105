import { useEffect, useRef } from 'react';
import type { PasskeyAssertion, PasskeyQuestion } from '../../../application/accounts/factors/contract.js';
import { api } from '../api/api.js';
import { notifyError } from '../ui/overlays/toast.js';
import { welcome } from './sign-in-flow.js';
import { UsePasskey } from './use-passkey.js';
import { answerByPasskey } from './passkey.js';

/** A challenge is replaced this long before the server forgets it. */
const MARGIN_MS = 30_000;

/** Makes the browser list passkeys in its autofill until the visitor chooses one; never throws. */
async function offerPasskeys(
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

const ask = () => api('POST /api/auth/passkey/options');

/** Signs in by passkey alone. The browser also offers its passkeys for this site in the address field. */
export default function PasskeySignIn({ onDone }: { onDone: () => void }) {
  const send = async (passkey: PasskeyAssertion) => {
    const answer = await api('POST /api/auth/passkey', { body: { passkey } });
    welcome(answer, `Welcome back, ${answer.user.displayName}!`);
    onDone();
  };
  const latest = useRef(send);
  useEffect(() => {
    latest.current = send;
  });
  const offer = useRef<AbortController>(null);
  useEffect(() => {
    const offered = new AbortController();
    offer.current = offered;
    void offerPasskeys(ask, offered.signal, (passkey) => latest.current(passkey).catch(notifyError));
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
