import { type ChangeEvent, useRef, useState } from 'react';
import type { User } from '../../../../application/accounts/contract.js';
import { sendAppEvent } from '../../api/events.js';
import { acceptUser } from '../../session/session.js';
import { Avatar } from '../avatar.js';
import { Button } from '../button.js';
import { toast } from '../overlays/toast.js';

const LIMIT_BYTES = 5 * 1024 * 1024;

/**
 * The visitor's picture, sent as soon as it is chosen.
 * @param send stores the file; answers where the new picture is found
 */
export function PictureField(props: {
  user: User;
  label: string;
  action: string;
  send: (file: File) => Promise<string>;
  onDone?: () => void;
  onFailure: (error: unknown) => void;
}) {
  const { user, label, action } = props;
  const [busy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const replace = async (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    event.target.value = '';
    if (!file) return;
    if (file.size > LIMIT_BYTES) return toast({ title: 'File size must be less than 5MB', tone: 'danger' });
    setBusy(true);
    try {
      acceptUser({ ...user, avatarUrl: await props.send(file) });
      sendAppEvent('avatar-updated', undefined);
      props.onDone?.();
    } catch (error) {
      props.onFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="flex items-center gap-4">
      <Avatar key={user.avatarUrl} name={user.displayName} url={user.avatarUrl} size={84} />
      <div>
        <input
          ref={input}
          type="file"
          accept="image/png,image/jpeg,image/webp,image/gif"
          className="sr-only"
          tabIndex={-1}
          aria-label={label}
          onChange={(event) => void replace(event)}
        />
        <Button size="small" busy={busy} onClick={() => input.current?.click()}>
          {action}
        </Button>
        <p className="mt-1.5 text-sm text-faint">JPG, PNG or GIF. Max size 5MB.</p>
      </div>
    </div>
  );
}
