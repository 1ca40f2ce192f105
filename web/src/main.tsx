import './ui/theme.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ErrorBoundary } from 'react-error-boundary';
import { RouterProvider, createBrowserRouter } from 'react-router-dom';
import { queryClient } from './api/query-client.js';
import { routes } from './routes.js';
import { keepSession, loadSession } from './session/session.js';
import { CrashScreen } from './shell/crash-screen.js';

void loadSession();
keepSession();

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
