import { useQuery } from '@tanstack/react-query';
import { query } from '../../../api/api.js';
import { LoadingText, QueryFailure, Skeleton } from '../../../ui/states.js';
import { AppPanel } from './app-panel.js';
import { PasskeysPanel } from './passkeys-panel.js';
import { RecoveryPanel } from './recovery-panel.js';

/** The factors other than the password. */
export function FactorsSection() {
  const answer = useQuery(query('GET /api/me/factors'));
  const { data, error } = answer;
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
      <QueryFailure of={answer} title="This could not be loaded" />
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
