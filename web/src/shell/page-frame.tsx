import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type ComponentType, createContext, useContext } from 'react';
import { useLocation, useParams } from 'react-router-dom';
import { type Address, type Page, titleOf } from '../page.js';

const CurrentPage = createContext<Page | undefined>(undefined);

/** Starts a page's first queries, unless their answers are known or under way. */
export function ask(client: QueryClient, { load }: Page, address: Address): void {
  const question = load?.(address);
  if (question && !client.getQueryState(question.queryKey)) void client.prefetchQuery(question);
}

/** The place of a screen. Its queries start while its file is still on the way. */
export function PageFrame({ page, Screen }: { page: Page; Screen: ComponentType }) {
  const client = useQueryClient();
  const params = useParams();
  const { search } = useLocation();
  ask(client, page, { params, search: new URLSearchParams(search) });
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
