import { QueryClient } from '@tanstack/react-query';
import { onAppEvent } from './events.js';

export const PACK_CACHE_MS = 30 * 60_000;

/** A cache of the server's answers. Retries belong to the HTTP client; nothing refetches under the visitor's hands. */
export const newQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      // Without a connection a question fails at once and can be asked again, instead of waiting for ever.
      queries: {
        staleTime: 60_000,
        gcTime: PACK_CACHE_MS,
        retry: false,
        refetchOnWindowFocus: false,
        networkMode: 'always',
      },
      mutations: { retry: false },
    },
  });

/** The cache of this page. */
export const queryClient = newQueryClient();

onAppEvent('packs-invalidated', () => {
  void queryClient.invalidateQueries({ queryKey: ['catalogue'] });
});
onAppEvent('credits-changed', () => {
  void queryClient.invalidateQueries({ queryKey: ['credits'] });
});
onAppEvent('plan-changed', () => {
  void queryClient.invalidateQueries({ queryKey: ['subscription'] });
  void queryClient.invalidateQueries({ queryKey: ['credits'] });
});
onAppEvent('downloads-changed', () => {
  void queryClient.invalidateQueries({ queryKey: ['library', 'downloads'] });
});
onAppEvent('saved-changed', () => {
  void queryClient.invalidateQueries({ queryKey: ['library', 'saved'] });
});
