import { useQuery } from '@tanstack/react-query';
import { api, queryKeyOf } from '../api/api.js';
import { messageOf } from '../api/transport/http.js';
import { Button } from '../ui/button.js';
import { ErrorPanel, Skeleton } from '../ui/states.js';
import { CodeForm } from './code-field.js';
import { OrLine } from './or-line.js';
import { knowsPasskeys } from './passkey.js';
import { welcome } from './sign-in-flow.js';
import { UsePasskey } from './use-passkey.js';

const ask = () => api('POST /api/auth/second-factor/options');

/** The step of a sign-in after the password: a passkey, a code of the authenticator app, or a recovery code. */
export default function SecondStep({ onDone, onBack }: { onDone: () => void; onBack: () => void }) {
  const { data, error } = useQuery({
    queryKey: queryKeyOf('POST /api/auth/second-factor/options'),
    queryFn: ask,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const send = async (body: Parameters<typeof api<'POST /api/auth/second-factor'>>[1]['body']) => {
    welcome(await api('POST /api/auth/second-factor', { body }));
    onDone();
  };
  if (error)
    return (
      <ErrorPanel title="Sign in again" error={error}>
        <p>{messageOf(error)}</p>
        <Button className="mt-4" onClick={onBack}>
          Back to sign in
        </Button>
      </ErrorPanel>
    );
  if (!data) return <Skeleton className="h-44" />;
  const byPasskey = data.methods.includes('passkey') && knowsPasskeys();
  const codes = data.methods.filter((method) => method !== 'passkey') as Array<'app' | 'recovery-code'>;
  const back = (
    <button type="button" className="underlined py-1" onClick={onBack}>
      Back to sign in
    </button>
  );
  return (
    <div>
      <p className="mb-5 text-muted">Your password is right. This account asks for one thing more.</p>
      {byPasskey && (
        <UsePasskey
          tone="primary"
          className="w-full"
          ask={async () => (await ask()).passkey}
          send={(passkey) => send({ passkey })}
        >
          Use your passkey
        </UsePasskey>
      )}
      {byPasskey && codes.length > 0 && <OrLine />}
      <CodeForm
        kinds={codes}
        send={(code) => send({ code })}
        submit="Sign in"
        tone={byPasskey ? 'secondary' : 'primary'}
        focusFirst={!byPasskey}
        also={codes.length > 0 && back}
      />
      {codes.length === 0 && <p className="mt-4">{back}</p>}
    </div>
  );
}
