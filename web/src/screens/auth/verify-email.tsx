import { useQuery } from '@tanstack/react-query';
import { api, queryKeyOf } from '../../api/api.js';
import { errorIdOf, messageOf } from '../../api/transport/http.js';
import { loadSession } from '../../session/session.js';
import { ErrorPanel } from '../../ui/states.js';

/** Confirms an e-mail address with the token of a mailed link, once. */
export default function VerifyEmail({ token }: { token: string }) {
  const { error, isSuccess } = useQuery({
    queryKey: queryKeyOf('POST /api/auth/verify-email', { body: { token } }),
    queryFn: async () => {
      await api('POST /api/auth/verify-email', { body: { token } });
      await loadSession('user-updated');
      return true;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error)
    return (
      <ErrorPanel title="The address was not confirmed" errorId={errorIdOf(error)}>
        {messageOf(error)}
      </ErrorPanel>
    );
  return (
    <p role="status" className={isSuccess ? 'border-l-3 border-ok pl-3 text-ok' : 'text-muted'}>
      {isSuccess ? 'Your e-mail address is confirmed.' : 'Confirming your e-mail address…'}
    </p>
  );
}
