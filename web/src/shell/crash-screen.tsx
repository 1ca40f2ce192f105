import { type ReactNode, useEffect, useState } from 'react';
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary';
import { useLocation } from 'react-router-dom';
import {
  CRASH_MESSAGE_MAX_LENGTH,
  CRASH_PATH_MAX_LENGTH,
  CRASH_STACK_MAX_LENGTH,
} from '../../../application/operations/values.js';
import { api } from '../api/api.js';
import { Button } from '../ui/button.js';
import { useCopy } from '../ui/hooks/use-copy.js';

const newErrorId = (): string =>
  crypto.getRandomValues(new Uint32Array(2)).reduce((id, part) => id + part.toString(36), 'E-');

/** The id of an error; null until the server has logged the error under this id. */
function useErrorId(error: unknown, message: string): string | null {
  const [errorId] = useState(newErrorId);
  const [isLogged, setLogged] = useState(false);
  useEffect(() => {
    const stack = error instanceof Error ? error.stack?.slice(0, CRASH_STACK_MAX_LENGTH) : undefined;
    const crash = {
      errorId,
      message: message.slice(0, CRASH_MESSAGE_MAX_LENGTH),
      path: window.location.pathname.slice(0, CRASH_PATH_MAX_LENGTH),
    };
    api('POST /api/crashes', { body: { ...crash, stack }, unattended: true }).then(
      () => setLogged(true),
      () => undefined,
    );
  }, [error, errorId, message]);
  return isLogged ? errorId : null;
}

function CrashReport({ error, children }: { error: unknown; children?: ReactNode }) {
  const { copied, copy } = useCopy();
  const message = error instanceof Error ? error.message : String(error);
  const errorId = useErrorId(error, message);
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
      {errorId && (
        <p className="mt-4 text-muted">
          Error id <span className="mono">{errorId}</span>
        </p>
      )}
      <div className="mt-6 flex gap-2">
        <Button tone="primary" onClick={() => window.location.reload()}>
          Reload
        </Button>
        {errorId && (
          <Button tone="secondary" onClick={() => copy(`${errorId} ${message}`)}>
            {copied ? 'Copied' : 'Copy error id'}
          </Button>
        )}
      </div>
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
