import type { ComponentType, ReactNode } from 'react';
import type { User } from '../../../application/accounts/contract.js';
import type { Screen } from '../../../web/src/page.js';
import { PAGES } from '../../../web/src/pages.js';
import { PageFrame } from '../../../web/src/shell/page-frame.js';

/** Renders a page with its screen loaded, for users who may see it. */
export const pageWith =
  (name: keyof typeof PAGES, screen: ComponentType<{ user: User }>) => (): ReactNode => (
    <PageFrame page={PAGES[name]} Screen={screen as Screen} />
  );
