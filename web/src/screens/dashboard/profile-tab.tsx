import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type * as z from 'zod';
import type { User } from '../../../../application/accounts/contract.js';
import {
  type FeaturedSample,
  NETWORKS,
  type OwnProfile,
  ProfileBody,
} from '../../../../application/profiles/contract.js';
import { sendAppEvent } from '../../api/events.js';
import { ApiProblem, api, messageOf } from '../../api/http.js';
import { queryClient } from '../../api/query-client.js';
import { acceptUser } from '../../session/session.js';
import { Button } from '../../ui/button.js';
import { Input, Textarea } from '../../ui/field.js';
import { ErrorPanel, LoadingText, Skeleton } from '../../ui/states.js';
import { toast } from '../../ui/toast.js';
import { FeaturedPicker } from './featured-picker.js';
import { ProfileAvatar } from './profile-avatar.js';
import { SocialField } from './social-field.js';

const PROFILE_KEY = ['creator', 'profile'] as const;
const Fields = ProfileBody.omit({ samples: true }).required();
type Fields = z.infer<typeof Fields>;

const fieldsOf = ({ displayName, bio, twitter, instagram, tiktok, youtube }: OwnProfile): Fields => ({
  displayName,
  bio,
  twitter,
  instagram,
  tiktok,
  youtube,
});

function tellFailure(error: unknown): void {
  const signedOut = error instanceof ApiProblem && error.status === 401;
  const title = signedOut
    ? 'Please sign in before saving your profile.'
    : `Failed to save profile: ${messageOf(error)}`;
  toast({ title, tone: 'danger' });
}

function ProfileForm({ profile, user }: { profile: OwnProfile; user: User }) {
  const [samples, setSamples] = useState<FeaturedSample[]>(profile.samples);
  const { register, handleSubmit, reset, watch, formState } = useForm<Fields>({
    resolver: standardSchemaResolver(Fields),
    defaultValues: fieldsOf(profile),
  });
  const { errors, isSubmitting } = formState;
  const save = async (fields: Fields) => {
    try {
      const saved = await api.put<OwnProfile>('/api/creator/profile', {
        ...fields,
        samples: samples.map(({ id }) => ({ id })),
      });
      queryClient.setQueryData(PROFILE_KEY, saved);
      reset(fieldsOf(saved));
      setSamples(saved.samples);
      acceptUser({ ...user, displayName: saved.displayName });
      sendAppEvent('packs-invalidated', undefined);
      const title =
        saved.savedTo === 'storage'
          ? 'Profile saved to storage successfully!'
          : 'Profile updated successfully!';
      toast({ title });
    } catch (error) {
      tellFailure(error);
    }
  };
  return (
    <form
      noValidate
      aria-label="Creator Profile"
      className="grid gap-x-10 gap-y-6 lg:grid-cols-2"
      onSubmit={(event) => void handleSubmit(save)(event)}
    >
      <div className="grid min-w-0 content-start gap-5">
        <ProfileAvatar user={user} />
        <Input label="Display name" error={errors.displayName?.message} {...register('displayName')} />
        <Textarea label="Bio" rows={5} maxLength={1_000} error={errors.bio?.message} {...register('bio')} />
        <FeaturedPicker value={samples} onChange={setSamples} />
      </div>
      <div className="grid min-w-0 content-start gap-5">
        {NETWORKS.map((network) => (
          <SocialField
            key={network}
            network={network}
            value={watch(network)}
            error={errors[network]?.message}
            registration={register(network)}
          />
        ))}
        <div>
          <Button type="submit" tone="primary" busy={isSubmitting}>
            Save profile
          </Button>
        </div>
      </div>
    </form>
  );
}

/** How listeners see the creator. */
export default function ProfileTab({ user }: { user: User }) {
  const { data, error, refetch, isRefetching } = useQuery({
    queryKey: PROFILE_KEY,
    queryFn: ({ signal }) => api.get<OwnProfile>('/api/creator/profile', { signal }),
  });
  return (
    <section aria-labelledby="profile-title" className="panel p-6">
      <h2 id="profile-title" className="text-[17px] font-semibold">
        Profile Settings
      </h2>
      <p className="mt-1 mb-6 text-muted">Creator Profile: what listeners see on your page.</p>
      {error && !data && (
        <ErrorPanel
          title="Your profile could not be loaded"
          onRetry={() => void refetch()}
          retrying={isRefetching}
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
      {data && <ProfileForm profile={data} user={user} />}
    </section>
  );
}
