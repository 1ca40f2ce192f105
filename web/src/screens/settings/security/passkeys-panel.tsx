import { useMutation } from '@tanstack/react-query';
import { Pencil, Trash2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { invalidate } from '../../../api/query-client.js';
import { deviceNow } from '../../../clock.js';
import type { Factors, PasskeyItem } from '../../../../../application/accounts/factors/contract.js';
import { api } from '../../../api/api.js';
import { loadSession } from '../../../session/session.js';
import { isCancelled, knowsPasskeys, makePasskey } from '../../../sign-in/passkey.js';
import { Badge } from '../../../ui/badge.js';
import { Button, IconButton } from '../../../ui/button.js';
import { formatAgo, formatDay } from '../../../ui/format.js';
import { notifyError, toast } from '../../../ui/overlays/toast.js';
import { FactorPanel, useRemoval } from './factor-panel.js';
import { lazyWithPreload } from '../../../shell/lazy-with-preload.js';

const RenameDialog = lazyWithPreload(() => import('./rename-dialog.js'));

async function addPasskey(): Promise<void> {
  const order = await api('POST /api/me/passkeys/options');
  await api('POST /api/me/passkeys', { body: { passkey: await makePasskey(order) } });
  await loadSession('user-updated');
}

function Passkey({ passkey, onRename }: { passkey: PasskeyItem; onRename: () => void }) {
  const { id, name, createdAt, lastUsedAt, synced } = passkey;
  const { remove, isRemoving } = useRemoval(() => api('DELETE /api/me/passkeys/:id', { params: { id } }), {
    title: `Remove ${name}?`,
    message: 'It no longer signs you in. Your device may keep it in its list: delete it there, too.',
  });
  return (
    <li className="flex min-h-[61px] items-center gap-3 border-t border-line py-2 pr-3 pl-5">
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2.5 font-semibold">
          <span className="truncate">{name}</span>
          {synced && <Badge>synced</Badge>}
        </p>
        <p className="text-sm text-muted">
          Added {formatDay(createdAt)}
          {lastUsedAt && `, used ${formatAgo(lastUsedAt, deviceNow())}`}
        </p>
      </div>
      <IconButton label="Rename" about={name} onClick={onRename}>
        <Pencil size={16} />
      </IconButton>
      <IconButton label="Remove" about={name} busy={isRemoving} onClick={remove}>
        <Trash2 size={16} />
      </IconButton>
    </li>
  );
}

const WHAT =
  'Your fingerprint, face or device PIN instead of a code. It also signs you in without the password.';
const NO_NAME = 'This site is reached by an IP address. Passkeys need a name.';
const TOO_OLD = 'This browser does not know passkeys. A newer one does.';

export function PasskeysPanel({ factors }: { factors: Factors }) {
  const [renamed, setRenamed] = useState<PasskeyItem | null>(null);
  const add = useMutation({
    mutationFn: addPasskey,
    onSuccess: () => {
      toast({ title: 'The passkey was added' });
      return invalidate('GET /api/me/factors');
    },
    onError: (error) => {
      const has = error instanceof DOMException && error.name === 'InvalidStateError';
      if (has) toast({ title: 'This device has a passkey already' });
      else if (!isCancelled(error)) notifyError(error);
    },
  });
  const { passkeys, passkeysOffered } = factors;
  const text = !passkeysOffered ? NO_NAME : knowsPasskeys() ? WHAT : TOO_OLD;
  return (
    <FactorPanel
      title="Passkeys"
      status={passkeys.length > 0 && <Badge tone="ok">on</Badge>}
      text={text}
      action={
        text === WHAT && (
          <Button size="small" busy={add.isPending} onClick={() => add.mutate()}>
            Add a passkey
          </Button>
        )
      }
    >
      {passkeys.length > 0 && (
        <ul>
          {passkeys.map((passkey) => (
            <Passkey key={passkey.id} passkey={passkey} onRename={() => setRenamed(passkey)} />
          ))}
        </ul>
      )}
      {renamed && (
        <Suspense>
          <RenameDialog passkey={renamed} onClose={() => setRenamed(null)} />
        </Suspense>
      )}
    </FactorPanel>
  );
}
