import { useEffect, useState } from 'react';
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

/** Reports an error to the server, and shows the id under which the server logged it. */
export default function CrashId({ error, message }: { error: unknown; message: string }) {
  const { copied, copy } = useCopy();
  const errorId = useErrorId(error, message);
  if (!errorId) return null;
  return (
    <p className="mt-4 flex items-center gap-3 text-muted">
      <span>
        Error id <span className="mono">{errorId}</span>
      </span>
      <Button size="small" onClick={() => copy(`${errorId} ${message}`)}>
        {copied ? 'Copied' : 'Copy error id'}
      </Button>
    </p>
  );
}
