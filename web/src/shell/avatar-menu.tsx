import {
  BookOpenCheck,
  Bookmark,
  Download,
  LayoutDashboard,
  Library,
  LogOut,
  Rss,
  Settings,
  ShieldCheck,
  Store,
} from 'lucide-react';
import type { ReactElement } from 'react';
import type { User } from '../../../application/accounts/contract.js';
import { paths } from '../paths.js';
import { leave } from '../session/leave.js';
import { Menu, MenuItem, MenuLink, SubMenu } from '../ui/overlays/menu.js';
import type { StaffArea } from './staff-area.js';

const icon = { size: 18, className: 'text-muted' } as const;

/** In a staff area, it links to the other staff area and to the shop. */
export default function AvatarMenu(props: {
  user: User;
  trigger: ReactElement;
  area?: StaffArea | undefined;
}) {
  const { user, trigger, area } = props;
  return (
    <Menu
      defaultOpen
      trigger={trigger}
      heading={
        <>
          <p className="truncate text-md font-semibold">{user.displayName}</p>
          <p className="truncate text-muted">{user.email}</p>
        </>
      }
    >
      {!area && user.isCreator && (
        <MenuLink to={paths.dashboard} icon={<LayoutDashboard {...icon} />}>
          Creator Dashboard
        </MenuLink>
      )}
      {area !== 'finance' && user.roles.includes('finance') && (
        <MenuLink to={paths.finance} icon={<BookOpenCheck {...icon} />}>
          Finance
        </MenuLink>
      )}
      {area !== 'admin' && user.roles.includes('admin') && (
        <MenuLink to={paths.admin} icon={<ShieldCheck {...icon} />}>
          Administration
        </MenuLink>
      )}
      {area && (
        <MenuLink to={paths.discover} icon={<Store {...icon} />}>
          Back to the shop
        </MenuLink>
      )}
      <MenuLink to={paths.settings} icon={<Settings {...icon} />}>
        Settings
      </MenuLink>
      {!area && (
        <SubMenu label="My Library" icon={<Library {...icon} />}>
          <MenuLink to={paths.librarySaved} icon={<Bookmark {...icon} />}>
            Saved Content
          </MenuLink>
          <MenuLink to={paths.libraryDownloads} icon={<Download {...icon} />}>
            Downloaded Content
          </MenuLink>
          <MenuLink to={paths.following} icon={<Rss {...icon} />}>
            Following
          </MenuLink>
        </SubMenu>
      )}
      <MenuItem icon={<LogOut {...icon} />} onSelect={leave}>
        Sign Out
      </MenuItem>
    </Menu>
  );
}
