import './ui/theme.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ErrorBoundary } from 'react-error-boundary';
import { RouterProvider, createBrowserRouter } from 'react-router-dom';
import { hearOtherTabs } from './api/events.js';
import { queryClient } from './api/query-client.js';
import { keepBrowserLibraryMoved } from './legacy/browser-library.js';
import { routes } from './routes.js';
import { keepSession, loadSession } from './session/session.js';
import { keepActionsOverSignIn } from './session/sign-in-again.js';
import { CrashScreen } from './shell/crash-screen.js';

void loadSession();
keepSession();
keepActionsOverSignIn();
hearOtherTabs();
keepBrowserLibraryMoved();

/** Fetches the screens that are visited most, once the first one stands and the line is free. */
function fetchLikelyScreens(): void {
  void Promise.all([
    import('./screens/discover/discover-screen.js'),
    import('./screens/pack/pack-screen.js'),
    import('./screens/sounds/sounds-screen.js'),
    import('./player/player-dock.js'),
  ]).catch(() => undefined);
}
window.addEventListener('load', () => setTimeout(fetchLikelyScreens, 1_500), { once: true });

// A page that was open while a new version came out asks for chunks that are gone: load it anew, but only once.
window.addEventListener('vite:preloadError', (event) => {
  const before = sessionStorage.getItem('reloaded-for');
  if (before === window.location.href) return;
  event.preventDefault();
  sessionStorage.setItem('reloaded-for', window.location.href);
  window.location.reload();
});

// The server's title is for those who read no script; screens bring their own, and browsers show the first one.
document
  .querySelectorAll('head > title, head > meta[name=description]')
  .forEach((element) => element.remove());

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

createRoot(root).render(
  <StrictMode>
    <ErrorBoundary FallbackComponent={CrashScreen}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={createBrowserRouter(routes)} />
      </QueryClientProvider>
    </ErrorBoundary>
  </StrictMode>,
);
