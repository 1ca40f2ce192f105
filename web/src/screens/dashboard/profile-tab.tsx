import { useQuery } from '@tanstack/react-query';
import { query } from '../../api/api.js';
import type { User } from '../../../../application/accounts/contract.js';
import { errorIdOf, messageOf } from '../../api/transport/http.js';
import { ErrorPanel, LoadingText, Skeleton } from '../../ui/states.js';
import { ProfileForm } from './profile-form.js';

export default function ProfileTab({ user }: { user: User }) {
  const { data, error, refetch, isRefetching } = useQuery(query('GET /api/creator/profile'));
  return (
    <>
      <h2 className="mb-4 text-lg font-semibold">Profile Settings</h2>
      {error && !data && (
        <ErrorPanel
          title="Your profile could not be loaded"
          onRetry={() => void refetch()}
          retrying={isRefetching}
          errorId={errorIdOf(error)}
        >
          {messageOf(error)}
        </ErrorPanel>
      )}
      {!data && !error && (
        <>
          <LoadingText>Loading your profile...</LoadingText>
          <Skeleton className="h-80" />
        </>
      )}
      {data && <ProfileForm user={user} profile={data} />}
    </>
  );
}
