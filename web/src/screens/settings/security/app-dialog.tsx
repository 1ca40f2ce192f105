import { Check, Copy } from 'lucide-react';
import { encode } from 'uqr';
import { api } from '../../../api/api.js';
import { CodeForm } from '../../../sign-in/code-field.js';
import { IconButton } from '../../../ui/button.js';
import { useCopy } from '../../../ui/hooks/use-copy.js';
import { Dialog } from '../../../ui/overlays/dialog.js';

/** A QR code, black on white in both themes, because cameras read that best. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 3 });
  const squares = data.flatMap((row, y) => row.flatMap((on, x) => (on ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      className="size-48 shrink-0 border border-line"
      shapeRendering="crispEdges"
      role="img"
      aria-label="QR code for the authenticator app"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={squares.join('')} fill="#000" />
    </svg>
  );
}

export default function AppDialog(props: {
  secret: string;
  uri: string;
  onDone: () => void;
  onClose: () => void;
}) {
  const { secret, uri, onDone, onClose } = props;
  const { copied, copy } = useCopy();
  const Icon = copied ? Check : Copy;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Authenticator app"
      description="Scan this with the app or type the letters, then enter its code."
      width={520}
    >
      <div className="grid justify-items-center gap-5 sm:grid-cols-[auto_minmax(0,1fr)] sm:justify-items-stretch">
        <QrCode text={uri} />
        <div className="min-w-0 self-center">
          <div className="flex items-center justify-between gap-2">
            <p className="font-semibold">Or type this</p>
            <IconButton label={copied ? 'Copied' : 'Copy'} onClick={() => copy(secret)}>
              <Icon size={16} />
            </IconButton>
          </div>
          <p className="mono mt-1 grid grid-cols-4 gap-x-2 gap-y-1.5 select-all">
            {secret.match(/.{4}/g)?.map((group, at) => (
              <span key={at}>{group}</span>
            ))}
          </p>
        </div>
      </div>
      <div className="mt-6">
        <CodeForm
          kinds={['app']}
          send={async (code) => {
            await api('POST /api/me/authenticator-app/confirm', { body: { code } });
            onDone();
          }}
          submit="Confirm"
          focusFirst
        />
      </div>
    </Dialog>
  );
}
