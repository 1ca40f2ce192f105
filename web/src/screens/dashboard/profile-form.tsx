import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import { useWatch } from 'react-hook-form';
import type { User } from '../../../../application/accounts/contract.js';
import type { OwnProfile, ProfileBody } from '../../../../application/profiles/contract.js';
import { BIO_MAX_LENGTH, LINK_MAX_LENGTH, socialLink } from '../../../../application/profiles/values.js';
import { DISPLAY_NAME_MAX_LENGTH, NEW_NAME_HINT } from '../../../../application/accounts/values.js';
import { ApiProblem, messageOf } from '../../api/transport/http.js';
import { api, query } from '../../api/api.js';
import { uploadAvatar } from '../../api/creator.js';
import { invalidate, queryClient } from '../../api/query-client.js';
import { NETWORKS, socialAddress } from '../../creators/social-links.js';
import { acceptUser, currentSession } from '../../session/session.js';
import { Button } from '../../ui/button.js';
import { Input, Textarea } from '../../ui/forms/field.js';
import { PictureField } from '../../ui/forms/picture-field.js';
import { useBodyForm } from '../../ui/forms/use-body-form.js';
import { toast } from '../../ui/overlays/toast.js';
import { useUnsaved } from '../../ui/forms/unsaved.js';
import { Section } from '../../ui/section.js';
import { QueryFailure, Skeleton } from '../../ui/states.js';
import { FeaturedPicker } from './featured-picker.js';
import { ExternalLink } from 'lucide-react';

/** A field for an account on one social network, and the resulting link beside the field. */
function SocialField(props: {
  network: (typeof NETWORKS)[number];
  value: string;
  field: Omit<ComponentProps<typeof Input>, 'label'>;
}) {
  const { network, value, field } = props;
  const kept = socialLink(network.field, value);
  const href = kept ? socialAddress(network, kept) : null;
  const icon = <ExternalLink size={17} />;
  return (
    <div className="flex items-start gap-2">
      <Input
        label={network.label}
        className="min-w-0 flex-1"
        placeholder={`@name or ${network.host}/…`}
        maxLength={LINK_MAX_LENGTH}
        {...field}
      />
      {href ? (
        <a
          href={href}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={`Open ${network.label}`}
          className="icon-btn icon-btn-outlined mt-7 size-11!"
        >
          {icon}
        </a>
      ) : (
        <span className="icon-btn mt-7 size-11! opacity-40" aria-hidden="true">
          {icon}
        </span>
      )}
    </div>
  );
}

const valuesOf = ({ displayName, bio, twitter, instagram, tiktok, youtube }: OwnProfile) => ({
  displayName,
  bio,
  twitter,
  instagram,
  tiktok,
  youtube,
});

const idsOf = (samples: OwnProfile['samples']): string => samples.map(({ id }) => id).join();

const askToSignIn = () => toast({ title: 'Please sign in before saving your profile.', tone: 'danger' });

/**
 * Saves the profile and shows a toast with the outcome. If the display name is taken, calls `refuseName` instead of
 * showing a toast.
 */
async function save(
  values: ProfileBody,
  samples: OwnProfile['samples'],
  toStorage: boolean,
  refuseName: (message: string) => void,
) {
  const { user } = currentSession();
  if (!user) return void askToSignIn();
  try {
    const body = { ...values, samples: samples.map(({ id }) => ({ id })) };
    const saved = await api('PUT /api/creator/profile', { body });
    queryClient.setQueryData(query('GET /api/creator/profile').queryKey, saved);
    void invalidate('GET /api/creators/:handle', 'GET /api/creator');
    acceptUser({ ...user, displayName: saved.displayName });
    toast({
      title:
        saved.savedTo === 'table'
          ? 'Profile updated successfully!'
          : 'Profile saved to storage successfully!',
    });
    return saved;
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 401) return void askToSignIn();
    if (error instanceof ApiProblem && error.code === 'DisplayNameTaken') return refuseName(error.message);
    const failed = toStorage ? 'Failed to storage' : 'Failed to save profile';
    toast({ title: `${failed}: ${messageOf(error)}`, tone: 'danger' });
  }
}

function ProfileForm({ user, profile }: { user: User; profile: OwnProfile }) {
  const [samples, setSamples] = useState(profile.samples);
  const { field, formProps, reset, setError, control, formState } = useBodyForm('PUT /api/creator/profile', {
    defaultValues: valuesOf(profile),
    // Reports an invalid link when the creator leaves its field, not only on saving.
    mode: 'onTouched',
  });
  const { isSubmitting, isDirty } = formState;
  const typed = useWatch({ control });
  useUnsaved(isDirty || idsOf(samples) !== idsOf(profile.samples));
  const submit = async (values: ProfileBody) => {
    const saved = await save(values, samples, profile.savedTo === 'storage', (message) =>
      setError('displayName', { message }, { shouldFocus: true }),
    );
    if (!saved) return;
    reset(valuesOf(saved));
    setSamples(saved.samples);
  };
  return (
    <form {...formProps(submit)} className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
      <Section level="h3" title="Creator Profile" heading="mb-5 text-lg font-semibold" className="panel p-6">
        <div className="grid gap-5">
          <PictureField
            user={user}
            label="Avatar"
            action="Change avatar"
            send={(file) => uploadAvatar(file, 'PUT /api/creator/avatar')}
            onFailure={() => toast({ title: 'Failed to upload avatar. Please try again.', tone: 'danger' })}
          />
          <Input
            label="Display name"
            maxLength={DISPLAY_NAME_MAX_LENGTH}
            hint={user.isCreator ? NEW_NAME_HINT : undefined}
            {...field('displayName')}
          />
          <Textarea
            label="Bio"
            rows={5}
            maxLength={BIO_MAX_LENGTH}
            hint={`${typed.bio?.length ?? 0} of ${BIO_MAX_LENGTH} characters`}
            {...field('bio')}
          />
          {NETWORKS.map((network) => (
            <SocialField
              key={network.field}
              network={network}
              value={typed[network.field] ?? ''}
              field={field(network.field)}
            />
          ))}
        </div>
      </Section>
      <FeaturedPicker chosen={samples} onChange={setSamples} />
      <div>
        <Button type="submit" tone="primary" busy={isSubmitting}>
          Save Profile
        </Button>
      </div>
    </form>
  );
}

export default function ProfileTab({ user }: { user: User }) {
  const answer = useQuery(query('GET /api/creator/profile'));
  const { data, error } = answer;
  return (
    <>
      <h2 className="mb-4 text-lg font-semibold">Profile Settings</h2>
      <QueryFailure of={answer} title="Your profile could not be loaded" />
      {!data && !error && <Skeleton className="h-80" text="Loading your profile..." />}
      {data && <ProfileForm user={user} profile={data} />}
    </>
  );
}
