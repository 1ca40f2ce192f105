import { Suspense, useState } from 'react';
import type { User } from '../../../application/accounts/contract.js';
import { useOwnAvatar } from '../api/storage/own-avatar.js';
import { Avatar } from '../ui/avatar.js';
import type { StaffArea } from './staff-area.js';
import { lazyWithPreload } from './lazy-with-preload.js';

const AvatarMenu = lazyWithPreload(() => import('./avatar-menu.js'));

export function AvatarButton({ user, area }: { user: User; area?: StaffArea }) {
  const [opened, setOpened] = useState(false);
  const button = (
    <button
      type="button"
      className="-mr-[3px] grid size-11 flex-none max-md:ml-1.5 place-items-center rounded-full"
      aria-haspopup="menu"
      onClick={() => setOpened(true)}
      onPointerEnter={() => void import('./avatar-menu.js').catch(() => undefined)}
    >
      <Avatar name={user.displayName} url={useOwnAvatar(user)} size={38} />
      <span className="sr-only">Account menu</span>
    </button>
  );
  if (!opened) return button;
  return (
    <Suspense fallback={button}>
      <AvatarMenu {...{ user, trigger: button, area }} />
    </Suspense>
  );
}
