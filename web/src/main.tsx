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
import { keepPartsComing } from './shell/late-part.js';

void loadSession();
keepSession();
keepActionsOverSignIn();
hearOtherTabs();
keepPartsComing();
keepBrowserLibraryMoved();

/**
 * Fetches the screens that are visited most, and the dialogs that must come up even without a connection, once the
 * first screen stands and the line is free.
 */
function fetchLikelyParts(): void {
  void Promise.all([
    import('./screens/discover/discover-screen.js'),
    import('./screens/pack/pack-screen.js'),
    import('./screens/sounds/sounds-screen.js'),
    import('./player/player-dock.js'),
    import('./ui/alert-dialog.js'),
    import('./downloads/confirm-dialog.js'),
    import('./sign-in/sign-in-dialog.js'),
  ]).catch(() => undefined);
}
window.addEventListener('load', () => setTimeout(fetchLikelyParts, 1_500), { once: true });

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
