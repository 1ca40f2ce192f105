import {
  BookOpenCheck,
  Bookmark,
  Download,
  Inbox,
  LayoutDashboard,
  Library,
  ListMusic,
  LogOut,
  type LucideIcon,
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

const ICON = { size: 18, className: 'text-muted' } as const;

/** The menu of the account. In a staff area, it links to the other staff area and to the shop. */
export default function AvatarMenu(props: {
  user: User;
  trigger: ReactElement;
  area?: StaffArea;
  unread?: number;
}) {
  const { user, trigger, area, unread = 0 } = props;
  const link = (to: string, label: string, Icon: LucideIcon) => (
    <MenuLink to={to} icon={<Icon {...ICON} />}>
      {label}
    </MenuLink>
  );
  const leadsTo = (other: StaffArea) => area !== other && user.roles.includes(other);
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
      {!area && user.isCreator && link(paths.dashboard, 'Creator Dashboard', LayoutDashboard)}
      {!area && link(paths.inbox, unread > 0 ? `Inbox (${unread})` : 'Inbox', Inbox)}
      {leadsTo('finance') && link(paths.finance, 'Finance', BookOpenCheck)}
      {leadsTo('admin') && link(paths.admin, 'Administration', ShieldCheck)}
      {area && link(paths.discover, 'Back to the shop', Store)}
      {link(paths.settings, 'Settings', Settings)}
      {!area && (
        <SubMenu label="My Library" icon={<Library {...ICON} />}>
          {link(paths.librarySaved, 'Saved Content', Bookmark)}
          {link(paths.libraryDownloads, 'Downloaded Content', Download)}
          {link(paths.libraryCollections, 'Collections', ListMusic)}
          {link(paths.following, 'Following', Rss)}
        </SubMenu>
      )}
      <MenuItem icon={<LogOut {...ICON} />} onSelect={leave}>
        Sign Out
      </MenuItem>
    </Menu>
  );
}
