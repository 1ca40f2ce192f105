import { Suspense, useState } from 'react';
import type { User } from '../../../application/accounts/contract.js';
import { useOwnAvatar } from '../api/storage/own-avatar.js';
import { useUnread } from '../inbox/inbox.js';
import { Avatar } from '../ui/avatar.js';
import type { StaffArea } from './staff-area.js';
import { fetchAhead, lazyWithPreload } from './lazy-with-preload.js';

const AvatarMenu = lazyWithPreload(() => import('./avatar-menu.js'));

export function AvatarButton({ user, area }: { user: User; area?: StaffArea }) {
  const [opened, setOpened] = useState(false);
  const unread = useUnread(user);
  const button = (
    <button
      type="button"
      className="relative -mr-[3px] grid size-11 flex-none max-md:ml-1.5 place-items-center rounded-full"
      aria-haspopup="menu"
      onClick={() => setOpened(true)}
      onPointerEnter={() => void fetchAhead(() => import('./avatar-menu.js'))}
    >
      <Avatar name={user.displayName} url={useOwnAvatar(user)} size={38} />
      {unread > 0 && (
        <span
          aria-hidden="true"
          className="badge absolute top-0 right-0 h-4 min-h-0 min-w-4 justify-center bg-accent px-1 text-2xs text-on-accent"
        >
          {unread > 99 ? '99+' : unread}
        </span>
      )}
      <span className="sr-only">Account menu{unread > 0 && `, ${unread} unread`}</span>
    </button>
  );
  if (!opened) return button;
  return (
    <Suspense fallback={button}>
      <AvatarMenu {...{ user, trigger: button, area, unread }} />
    </Suspense>
  );
}
