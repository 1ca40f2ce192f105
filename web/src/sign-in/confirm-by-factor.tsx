import { api } from '../api/api.js';
import { settleConfirm } from '../session/confirm-request.js';
import { CodeForm } from './code-field.js';
import { OrLine } from './or-line.js';
import { knowsPasskeys } from './passkey.js';
import { UsePasskey } from './use-passkey.js';

export default function ConfirmByFactor({ methods, alone }: { methods: readonly string[]; alone: boolean }) {
  const byPasskey = methods.includes('passkey') && knowsPasskeys();
  const byApp = alone && methods.includes('app');
  const confirm = async (body: Parameters<typeof api<'POST /api/auth/confirm'>>[1]['body']) => {
    await api('POST /api/auth/confirm', { body });
    settleConfirm(true);
  };
  return (
    <>
      {byPasskey && !alone && <OrLine />}
      {byPasskey && (
        <UsePasskey
          className="w-full"
          tone={alone ? 'primary' : 'secondary'}
          ask={async () => (await api('POST /api/auth/confirm/options')).passkey}
          send={(passkey) => confirm({ passkey })}
        >
          Use a passkey
        </UsePasskey>
      )}
      {byPasskey && byApp && <OrLine />}
      {byApp && (
        <CodeForm
          kinds={['app']}
          send={(code) => confirm({ code })}
          submit="Confirm"
          focusFirst={!byPasskey}
        />
      )}
    </>
  );
}
