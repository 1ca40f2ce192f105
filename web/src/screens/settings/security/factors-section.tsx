import { useQuery } from '@tanstack/react-query';
import { query } from '../../../api/api.js';
import { errorIdOf, messageOf } from '../../../api/transport/http.js';
import { ErrorPanel, LoadingText, Skeleton } from '../../../ui/states.js';
import { AppPanel } from './app-panel.js';
import { PasskeysPanel } from './passkeys-panel.js';
import { RecoveryPanel } from './recovery-panel.js';

/** The factors other than the password. */
export function FactorsSection() {
  const { data, error, refetch, isRefetching } = useQuery(query('GET /api/me/factors'));
  return (
    <section aria-labelledby="factors-title">
      <h2 id="factors-title" className="display text-3xl">
        Second factor
      </h2>
      <p className="mt-2 mb-5 max-w-[60ch] text-muted">
        {data?.required
          ? 'Your role needs one: staff pages open only after it. The last one stays.'
          : 'With a second factor, your password alone is not enough to sign in.'}
      </p>
      {error && !data && (
        <ErrorPanel
          title="This could not be loaded"
          onRetry={() => void refetch()}
          retrying={isRefetching}
          errorId={errorIdOf(error)}
        >
          {messageOf(error)}
        </ErrorPanel>
      )}
      {!data && !error && (
        <div className="panel p-5">
          <LoadingText>Loading...</LoadingText>
          <Skeleton className="h-11" />
        </div>
      )}
      {data && (
        <div className="grid grid-cols-1 gap-4">
          <PasskeysPanel factors={data} />
          <AppPanel app={data.app} />
          {(data.app || data.passkeys.length > 0) && <RecoveryPanel recoveryCodes={data.recoveryCodes} />}
        </div>
      )}
    </section>
  );
}
