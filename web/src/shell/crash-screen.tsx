import { useState } from 'react';
import { useRouteError } from 'react-router-dom';
import { Button } from '../ui/button.js';
import { copyText } from '../ui/copy.js';

function newErrorId(): string {
  return crypto.getRandomValues(new Uint32Array(2)).reduce((id, part) => id + part.toString(36), 'E-');
}

/** Replaces the app after an uncaught rendering error: the stack in development, an id to copy in production. */
export function CrashScreen({ error }: { error: unknown }) {
  const [errorId] = useState(newErrorId);
  const [copied, setCopied] = useState(false);
  const message = error instanceof Error ? error.message : String(error);
  return (
    <main className="mat grid min-h-dvh place-items-center p-6">
      <div role="alert" className="panel w-full max-w-[640px] border-l-3 border-l-danger p-8">
        <h1 className="display text-[36px]">Runtime Error</h1>
        <p className="mt-4 text-[15px] break-words">{message}</p>
        {import.meta.env?.DEV ? (
          <pre className="mono mt-4 max-h-72 overflow-auto text-muted">
            {error instanceof Error ? error.stack : ''}
          </pre>
        ) : (
          <p className="mt-4 text-muted">
            Nothing was charged. Error id <span className="mono">{errorId}</span>
          </p>
        )}
        <div className="mt-6 flex gap-2">
          <Button tone="primary" onClick={() => window.location.reload()}>
            Reload
          </Button>
          <Button
            tone="secondary"
            onClick={() => void copyText(`${errorId} ${message}`).then(() => setCopied(true))}
          >
            {copied ? 'Copied' : 'Copy error id'}
          </Button>
        </div>
      </div>
    </main>
  );
}

/** The same for errors that the router catches. */
export function RouteCrash() {
  return <CrashScreen error={useRouteError()} />;
}
