import { useMutation, useQuery } from '@tanstack/react-query';
import { api, mutation, queryKeyOf } from '../../api/api.js';
import { changeInAllTabs } from '../../api/changes.js';
import { loadSession } from '../../session/session.js';
import { Button } from '../../ui/button.js';
import { countOf } from '../../ui/format.js';
import { ErrorPanel } from '../../ui/states.js';

/**
 * Restores the former e-mail address of an account. Asks first, because restoring it ends all sessions and removes
 * passkeys, authenticator apps, recovery codes, access tokens and the link to Google.
 */
export function UndoEmail({ token }: { token: string }) {
  const { mutate, isPending, isSuccess, error } = useMutation({
    ...mutation('POST /api/auth/undo-email'),
    onSuccess: () => loadSession('signed-out'),
  });
  if (error) return <ErrorPanel title="The account was not taken back" error={error} />;
  if (isSuccess)
    return (
      <p role="status" className="border-l-3 border-ok pl-3 text-ok">
        Your account has this address again. Every session was ended, and every passkey, authenticator app,
        recovery code, access token and link to Google was removed. We sent you a link to set a new password.
        After that, set up your own again under Security in your settings.
      </p>
    );
  return (
    <>
      <p className="text-muted">
        The e-mail address of your account was changed. If it was not you, take the account back. Every
        session is ended, every other way to sign in and every access token is removed, your own too, and you
        set a new password.
      </p>
      <Button
        tone="primary"
        busy={isPending}
        className="mt-6 w-full"
        onClick={() => mutate({ body: { token } })}
      >
        Take the account back
      </Button>
    </>
  );
}

/** Confirms an e-mail address with the token of a mailed link. Sends the token only once. */
export function VerifyEmail({ token }: { token: string }) {
  const { data, error, isSuccess } = useQuery({
    queryKey: queryKeyOf('POST /api/auth/verify-email', { body: { token } }),
    queryFn: async () => {
      const answer = await api('POST /api/auth/verify-email', { body: { token } });
      await loadSession('user-updated');
      changeInAllTabs({ outdated: ['GET /api/credits', 'GET /api/credits/ledger'] });
      return answer?.firstCredits ?? 0;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error) return <ErrorPanel title="The address was not confirmed" error={error} />;
  return (
    <p role="status" className={isSuccess ? 'border-l-3 border-ok pl-3 text-ok' : 'text-muted'}>
      {isSuccess ? 'Your e-mail address is confirmed.' : 'Confirming your e-mail address…'}
      {Boolean(data) && ` You have ${countOf(data ?? 0, 'credit')} to start with.`}
    </p>
  );
}
