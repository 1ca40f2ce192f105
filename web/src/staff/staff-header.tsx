import './staff.css';
import { Link } from 'react-router-dom';
import type { User } from '../../../application/accounts/contract.js';
import { paths } from '../paths.js';
import { AvatarButton } from '../shell/avatar-button.js';
import type { StaffArea } from '../shell/staff-area.js';
import { Tag } from '../ui/badge.js';
import { Logo } from '../ui/marks.js';
import { Find } from './find.js';
import { AreaNav } from './staff-nav.js';

const TAGS: Record<StaffArea, string> = { admin: 'Admin', finance: 'Finance' };

export default function StaffHeader({ area, user }: { area: StaffArea; user: User }) {
  return (
    <header className="grid grid-cols-[auto_minmax(0,1fr)_auto_auto] gap-x-3 max-lg:grid-rows-[60px_44px] gutter sticky top-0 z-40 h-(--header) border-b border-line bg-page">
      <Link to={paths[area]} className="flex items-center gap-3 no-underline">
        <Logo />{' '}
        <Tag className="h-5 border-strong px-1.75 font-bold tracking-[0.06em] text-text uppercase">
          {TAGS[area]}
        </Tag>
      </Link>
      <AreaNav area={area} />
      <div className="col-start-3 row-start-1 flex items-center">
        <Find area={area} />
      </div>
      <div className="col-start-4 row-start-1 flex items-center">
        <AvatarButton user={user} area={area} />
      </div>
    </header>
  );
}
