import { useQuery } from '@tanstack/react-query';
import { query } from '../../api/api.js';
import type { User } from '../../../../application/accounts/contract.js';
import { LoadingText, QueryFailure, Skeleton } from '../../ui/states.js';
import { ProfileForm } from './profile-form.js';

export default function ProfileTab({ user }: { user: User }) {
  const answer = useQuery(query('GET /api/creator/profile'));
  const { data, error } = answer;
  return (
    <>
      <h2 className="mb-4 text-lg font-semibold">Profile Settings</h2>
      <QueryFailure of={answer} title="Your profile could not be loaded" />
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
