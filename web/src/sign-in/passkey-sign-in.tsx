import { api } from '../api/api.js';
import { welcome } from './sign-in-flow.js';
import { UsePasskey } from './use-passkey.js';

/** Signing in by a passkey alone; the browser offers those that it has for this site. */
export default function PasskeySignIn({ onDone }: { onDone: () => void }) {
  return (
    <UsePasskey
      className="mt-3 w-full"
      ask={() => api('POST /api/auth/passkey/options')}
      send={async (passkey) => {
        const answer = await api('POST /api/auth/passkey', { body: { passkey } });
        welcome(answer, `Welcome back, ${answer.user.displayName}!`);
        onDone();
      }}
    >
      Use a passkey
    </UsePasskey>
  );
}
