import { Suspense, useState } from 'react';
import type { User } from '../../../application/accounts/contract.js';
import { useOwnAvatar } from '../api/storage/own-avatar.js';
import { Avatar } from '../ui/avatar.js';
import type { StaffArea } from './staff-area.js';
import { lazyWithPreload } from './lazy-with-preload.js';

const AvatarMenu = lazyWithPreload(() => import('./avatar-menu.js'));

/** Opens the menu of the signed-in person. @param area the staff area that shows the button, if any */
export function AvatarButton({ user, area }: { user: User; area?: StaffArea }) {
  const [opened, setOpened] = useState(false);
  const face = <Avatar name={user.displayName} url={useOwnAvatar(user)} size={38} />;
  const button = (
    <button
      type="button"
      className="-mr-[3px] grid size-11 flex-none max-md:ml-1.5 place-items-center rounded-full"
      aria-haspopup="menu"
      onClick={() => setOpened(true)}
      onPointerEnter={() => void import('./avatar-menu.js').catch(() => undefined)}
    >
      {face}
      <span className="sr-only">Account menu</span>
    </button>
  );
  if (!opened) return button;
  return (
    <Suspense fallback={button}>
      <AvatarMenu {...{ user, face, area }} />
    </Suspense>
  );
}
