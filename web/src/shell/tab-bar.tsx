import { NavLink, useLocation } from 'react-router-dom';
import { TABS, isCurrentSection } from './nav.js';

/** The sections at the foot of the screen, on phones. */
export function TabBar() {
  const location = useLocation();
  return (
    <nav
      aria-label="Sections"
      className="tab-bar fixed inset-x-0 bottom-0 z-30 flex border-t border-line bg-inset pb-[env(safe-area-inset-bottom)] lg:hidden"
    >
      {TABS.map(({ to, label, Icon }) => (
        <NavLink
          key={to}
          to={to}
          data-current={isCurrentSection(to, location) ? '' : undefined}
          className="cut-bar tab-link nav-link flex h-16 flex-1 flex-col items-center justify-center gap-1 text-2xs font-[550] no-underline"
        >
          <Icon size={20} strokeWidth={1.75} aria-hidden="true" />
          {label}
        </NavLink>
      ))}
    </nav>
  );
}
