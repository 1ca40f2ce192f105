import { Moon, Sun } from 'lucide-react';
import { Link } from 'react-router-dom';
import { paths } from '../../paths.js';
import { Button } from '../../ui/button.js';
import { Logo } from '../../ui/marks.js';
import { MailingList } from './mailing-list.js';
import { setTheme, useTheme } from '../../ui/theme.js';

const LINKS = [
  ['Sounds', paths.sounds],
  ['Discover', paths.discover],
  ['Collections', paths.collections],
  ['Swipe', paths.swipe],
  ['Pricing', paths.pricing],
  ['Become a creator', paths.dashboard],
  ['Verify a certificate', paths.verifyCertificate],
] as const;

export function Footer() {
  const theme = useTheme();
  return (
    <>
      <MailingList />
      <footer className="home-gutter flex flex-wrap items-center gap-x-7 gap-y-4 border-t border-line bg-inset py-10">
        <Logo />
        <span className="flex-1" />
        <nav aria-label="Footer" className="flex flex-wrap gap-x-6 gap-y-2 text-sm text-muted">
          {LINKS.map(([label, to]) => (
            <Link
              key={label}
              to={to}
              className="py-2 no-underline pointer-coarse:py-3 hover:text-text hover:underline"
            >
              {label}
            </Link>
          ))}
        </nav>
        <Button
          tone="ghost"
          size="small"
          icon={theme === 'dark' ? <Sun size={16} /> : <Moon size={16} />}
          onClick={() => setTheme(theme === 'dark' ? 'light' : 'dark')}
        >
          {theme === 'dark' ? 'Light' : 'Dark'}
        </Button>
      </footer>
    </>
  );
}
