import { type ChangeEvent, useRef, useState } from 'react';
import type { User } from '../../../../application/accounts/contract.js';
import { sendAppEvent } from '../../api/events.js';
import { uploadAvatar } from '../../api/profile.js';
import { acceptUser } from '../../session/session.js';
import { Avatar } from '../../ui/avatar.js';
import { Button } from '../../ui/button.js';
import { toast } from '../../ui/toast.js';

const LIMIT_BYTES = 5 * 1024 * 1024;

/** The picture, sent as soon as it is chosen. */
export function AvatarField({ user }: { user: User }) {
  const [busy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const replace = async (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    event.target.value = '';
    if (!file) return;
    if (file.size > LIMIT_BYTES) return toast({ title: 'File size must be less than 5MB', tone: 'danger' });
    setBusy(true);
    try {
      acceptUser({ ...user, avatarUrl: await uploadAvatar(file) });
      sendAppEvent('avatar-updated', undefined);
    } catch {
      toast({ title: 'Failed to upload avatar. Please try again.', tone: 'danger' });
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
          accept="image/jpeg,image/png,image/gif"
          className="sr-only"
          tabIndex={-1}
          aria-label="Avatar"
          onChange={(event) => void replace(event)}
        />
        <Button size="small" busy={busy} onClick={() => input.current?.click()}>
          Change avatar
        </Button>
        <p className="mt-1.5 text-[13px] text-faint">JPG, PNG or GIF. Max size 5MB.</p>
      </div>
    </div>
  );
}
