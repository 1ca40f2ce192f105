import { type ComponentType, Suspense } from 'react';
import { Navigate, Route, Routes } from 'react-router-dom';
import { paths } from '../paths.js';
import { lazyWithPreload } from '../shell/lazy-with-preload.js';
import type { StaffArea } from '../shell/staff-area.js';
import { LoadingText } from '../ui/states.js';
import { ReasonDialogs } from './ask-reason.js';

/** A page of a section in a file of its own, by the name of its component, because no user opens all of them. */
export const staffPage = <Name extends string>(
  name: Name,
  load: () => Promise<Record<Name, ComponentType>>,
) => lazyWithPreload(() => load().then((module) => module && { default: module[name] }));

/** The pages of a section by path, below the section's own. Other addresses lead to its start page. */
export function StaffRoutes(props: {
  area: StaffArea;
  pages: Readonly<Record<string, ComponentType>>;
  loading: string;
}) {
  const { area, pages, loading } = props;
  return (
    <>
      <Suspense fallback={<LoadingText>{loading}</LoadingText>}>
        <Routes>
          {Object.entries(pages).map(([path, Page]) => (
            <Route key={path} path={path} element={<Page />} />
          ))}
          <Route path="*" element={<Navigate to={paths[area]} replace />} />
        </Routes>
      </Suspense>
      <ReasonDialogs />
    </>
  );
}
