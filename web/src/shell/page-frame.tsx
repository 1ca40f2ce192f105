import { useQueryClient } from '@tanstack/react-query';
import { type ComponentType, createContext, useContext } from 'react';
import { useLocation, useParams } from 'react-router-dom';
import { type Page, titleOf } from '../page.js';
import { askFirst, fetchFirst } from './ask-first.js';

const CurrentPage = createContext<Page | undefined>(undefined);

/** The place of a screen. Queries that have no answer yet start while its file is still on the way. */
export function PageFrame({ page, Screen }: { page: Page; Screen: ComponentType }) {
  const client = useQueryClient();
  const params = useParams();
  const { search } = useLocation();
  void askFirst(page, { params, search: new URLSearchParams(search) }, (query) => {
    if (!client.getQueryState(query.queryKey)) fetchFirst(client, query);
  });
  return (
    <CurrentPage value={page}>
      <Screen />
    </CurrentPage>
  );
}

/** The title of the page that it stands in, or of the part of it that is named. */
export function PageTitle({ children }: { children?: string }) {
  const page = useContext(CurrentPage);
  return <title>{titleOf(children ?? page?.title)}</title>;
}
