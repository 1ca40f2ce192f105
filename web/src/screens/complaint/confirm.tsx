import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router-dom';
import { api } from '../../api/api.js';
import { errorIdOf, messageOf } from '../../api/transport/http.js';
import { complaintPaths } from '../../creators/complaint-paths.js';
import { Button } from '../../ui/button.js';
import { ErrorPanel } from '../../ui/states.js';

/** The target of the mailed link. Only a press confirms, because some programs follow links. */
export function Confirm({ id, token }: { id: string; token: string }) {
  const navigate = useNavigate();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api('POST /api/complaints/:id/confirm', { params: { id }, body: { token } }),
    onSuccess: (answer) => void navigate(complaintPaths.one(id, answer.token), { replace: true }),
  });
  return (
    <>
      <h1 className="display mb-4 text-6xl max-md:text-5xl">Confirm your complaint</h1>
      <p className="mb-6 max-w-[60ch] text-muted">
        We see it once you confirm it. Then we send you a link to follow it.
      </p>
      {error ? (
        <ErrorPanel title="It was not confirmed" errorId={errorIdOf(error)}>
          {messageOf(error)} It may have been confirmed before: later mails have a link to it.
        </ErrorPanel>
      ) : (
        <Button tone="primary" size="large" busy={isPending} onClick={() => mutate()}>
          Confirm the complaint
        </Button>
      )}
    </>
  );
}
