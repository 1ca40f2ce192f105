import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { CrashScreen } from './shell/crash-screen.js';

export function App({ client, children }: { client: QueryClient; children: ReactNode }) {
  return (
    <StrictMode>
      <ErrorBoundary FallbackComponent={CrashScreen}>
        <QueryClientProvider client={client}>{children}</QueryClientProvider>
      </ErrorBoundary>
    </StrictMode>
  );
}
