import { type ComponentType, Suspense } from 'react';
import { Navigate, Route, Routes, useLocation } from 'react-router-dom';
import { paths } from '../paths.js';
import { lazyWithPreload } from '../shell/lazy-with-preload.js';
import { PageTitle } from '../shell/page-frame.js';
import type { StaffArea } from '../shell/staff-area.js';
import { LoadingText } from '../ui/states.js';
import { ReasonDialogs } from './decisions.js';
import { isPageAt, staffPagesOf } from './pages.js';
import { GroupNav } from './staff-nav.js';

/** A page that loads on demand, because no user opens all pages. @param name the name of its component */
export const staffPage = <Name extends string>(
  name: Name,
  load: () => Promise<Record<Name, ComponentType>>,
) => lazyWithPreload(() => load().then((module) => module && { default: module[name] }));

/** The screen of a staff area. Unknown addresses redirect to its start page. @param pages keyed by their subpaths */
export const staffScreen = (
  area: StaffArea,
  loading: string,
  pages: Readonly<Record<string, ComponentType>>,
) =>
  function StaffScreen() {
    const { pathname } = useLocation();
    const page = staffPagesOf(area).find((each) => isPageAt(each, pathname));
    return (
      <div className="gutter pb-16">
        <GroupNav area={area} />
        <PageTitle>{page?.label}</PageTitle>
        {area === 'admin' && <h1 className="display mb-5 text-5xl">{page?.label ?? 'Administration'}</h1>}
        <Suspense fallback={<LoadingText>{loading}</LoadingText>}>
          <Routes>
            {Object.entries(pages).map(([path, Page]) => (
              <Route key={path} path={path} element={<Page />} />
            ))}
            <Route path="*" element={<Navigate to={paths[area]} replace />} />
          </Routes>
        </Suspense>
        <ReasonDialogs />
      </div>
    );
  };
