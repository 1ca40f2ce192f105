import { useEffect, useRef } from 'react';
import type { PasskeyAssertion } from '../../../application/accounts/contract.js';
import { api } from '../api/api.js';
import { notifyError } from '../ui/overlays/toast.js';
import { offerPasskeys } from './offer-passkeys.js';
import { welcome } from './sign-in-flow.js';
import { UsePasskey } from './use-passkey.js';

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
