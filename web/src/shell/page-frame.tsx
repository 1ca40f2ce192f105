import { useQueryClient } from '@tanstack/react-query';
import { Suspense, createContext, useContext } from 'react';
import { useLocation, useParams } from 'react-router-dom';
import { type Page, type PageAccess, type Screen, titleOf } from '../page.js';
import { askFirst, fetchFirst, usePersonFor } from './page-access.js';
import { lazyWithPreload } from './lazy-with-preload.js';

const ClosedPage = lazyWithPreload(() => import('./closed-page.js'));

const CurrentPage = createContext<Page | undefined>(undefined);

interface Place {
  page: Page;
  Screen: Screen;
}

function Guarded({ page, access, Screen }: Place & { access: PageAccess }) {
  const person = usePersonFor(access);
  if (person) return <Screen user={person} />;
  return (
    <div className="gutter pt-9 pb-16">
      <PageTitle />
      <h1 className="display mb-5 text-7xl md:text-8xl">{page.title}</h1>
      {person === null ? (
        <Suspense>
          <ClosedPage page={page} />
        </Suspense>
      ) : (
        <p role="status" className="after-150ms py-20 text-center text-muted">
          Checking access...
        </p>
      )}
    </div>
  );
}

/** The frame of a screen. Queries without an answer start while the screen's file is loading. */
export function PageFrame({ page, Screen }: Place) {
  const client = useQueryClient();
  const params = useParams();
  const { search } = useLocation();
  void askFirst(page, { params, search: new URLSearchParams(search) }, (query) => {
    if (!client.getQueryState(query.queryKey)) fetchFirst(client, query);
  });
  return (
    <CurrentPage value={page}>
      {page.access ? <Guarded {...{ page, access: page.access, Screen }} /> : <Screen />}
    </CurrentPage>
  );
}

export function PageTitle({ children }: { children?: string }) {
  const page = useContext(CurrentPage);
  return <title>{titleOf(children ?? page?.title)}</title>;
}
