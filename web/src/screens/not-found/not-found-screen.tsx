import { Suspense } from 'react';
import { paths } from '../../paths.js';
import { PageTitle } from '../../shell/page-frame.js';
import { EmptyState } from '../../ui/states.js';
import { lazyWithPreload } from '../../shell/lazy-with-preload.js';

const SceneSlot = lazyWithPreload(() => import('../../scene/scene-slot.js'));

export default function NotFoundScreen() {
  return (
    <div className="gutter py-16">
      <PageTitle />
      <meta name="robots" content="noindex" />
      <h1 className="sr-only">404</h1>
      <EmptyState title="Oops! Page not found" link={{ to: paths.home, label: 'Return to Home' }}>
        There is no page at this address.
      </EmptyState>
      <div className="h-40 overflow-hidden">
        <Suspense>
          <SceneSlot address="/scenes/offcuts.json" fps={30} className="mt-3 block h-full w-full" />
        </Suspense>
      </div>
    </div>
  );
}
