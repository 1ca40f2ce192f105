import { type ReactNode, Suspense } from 'react';
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary';
import { useLocation } from 'react-router-dom';
import { Button } from '../ui/button.js';
import { lazyWithPreload } from './lazy-with-preload.js';

const CrashId = lazyWithPreload(() => import('./crash-id.js'));

function CrashReport({ error, children }: { error: unknown; children?: ReactNode }) {
  const message = error instanceof Error ? error.message : String(error);
  return (
    <div role="alert" className="panel w-full max-w-160 border-l-3 border-l-danger p-8">
      <h1 className="display text-5xl">Runtime Error</h1>
      {children}
      <p className="mt-4 text-md break-words">{message}</p>
      {import.meta.env?.DEV && (
        <pre className="mono mt-4 max-h-72 overflow-auto text-muted">
          {error instanceof Error ? error.stack : ''}
        </pre>
      )}
      <Button tone="primary" className="mt-6" onClick={() => window.location.reload()}>
        Reload
      </Button>
      <Suspense>
        <CrashId error={error} message={message} />
      </Suspense>
    </div>
  );
}

export function CrashScreen({ error }: { error: unknown }) {
  return (
    <main className="mat grid min-h-dvh place-items-center p-6">
      <CrashReport error={error} />
    </main>
  );
}

export function ScreenCrash({ error }: { error: unknown }) {
  return (
    <div className="mat grid min-h-[60dvh] place-items-center p-6">
      <CrashReport error={error}>
        <p className="mt-4 text-md">This page could not be shown. The rest of Offcut still works.</p>
      </CrashReport>
    </div>
  );
}

export function CrashBoundary(props: { Crash: (props: FallbackProps) => ReactNode; children: ReactNode }) {
  return (
    <ErrorBoundary FallbackComponent={props.Crash} resetKeys={[useLocation()]}>
      {props.children}
    </ErrorBoundary>
  );
}
