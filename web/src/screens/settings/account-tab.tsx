import { type ChangeEvent, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import type * as z from 'zod';
import type { AvatarAnswer, MeAnswer, User } from '../../../../application/accounts/contract.js';
import { DISPLAY_NAME_MAX_LENGTH } from '../../../../application/profiles/contract.js';
import { sendAppEvent } from '../../api/events.js';
import { ApiProblem, api } from '../../api/http.js';
import { acceptUser } from '../../session/session.js';
import { Avatar } from '../../ui/avatar.js';
import { Button } from '../../ui/button.js';
import { Input } from '../../ui/field.js';
import { EMAIL_RULE, nameRule } from '../../ui/rules.js';
import { toast } from '../../ui/toast.js';
import { AppearancePanel } from './appearance-panel.js';
import { CreatorAccessPanel } from './creator-access-panel.js';
import { DataPanel } from './data-panel.js';

const PICTURE_LIMIT_BYTES = 5 * 1024 * 1024;

/** Names what went wrong when the server says so. */
function tellFailure(error: unknown): void {
  const said = error instanceof ApiProblem && error.status >= 400 && error.status < 500;
  const title = said ? `Error updating profile: ${error.message}` : 'Error updating profile';
  toast({ title, tone: 'danger' });
}

function Picture({ user }: { user: User }) {
  const [busy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const replace = async (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    event.target.value = '';
    if (!file) return;
    if (file.size > PICTURE_LIMIT_BYTES)
      return toast({ title: 'File size must be less than 5MB', tone: 'danger' });
    setBusy(true);
    try {
      const body = new FormData();
      body.append('image', file);
      const { avatarUrl } = await api.put<z.infer<typeof AvatarAnswer>>('/api/me/avatar', body);
      acceptUser({ ...user, avatarUrl });
      sendAppEvent('avatar-updated', undefined);
      toast({ title: 'Profile updated successfully!' });
    } catch (error) {
      tellFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="flex items-center gap-4">
      <Avatar name={user.displayName} url={user.avatarUrl} size={72} />
      <div>
        <input
          ref={input}
          type="file"
          accept="image/png,image/jpeg,image/webp,image/gif"
          className="sr-only"
          tabIndex={-1}
          aria-label="Profile picture"
          onChange={(event) => void replace(event)}
        />
        <Button size="small" busy={busy} onClick={() => input.current?.click()}>
          Change picture
        </Button>
        <p className="mt-1.5 text-[13px] text-faint">JPG, PNG or GIF. Max size 5MB.</p>
      </div>
    </div>
  );
}

interface Form {
  displayName: string;
  email: string;
}

const NAME_MESSAGE = `Enter a name of at most ${DISPLAY_NAME_MAX_LENGTH} characters`;

function ProfileForm({ user }: { user: User }) {
  const { register, handleSubmit, reset, formState } = useForm<Form>({
    defaultValues: { displayName: user.displayName, email: user.email },
  });
  const { errors, isSubmitting, isDirty } = formState;
  const submit = async ({ displayName, email }: Form) => {
    try {
      const answer = await api.patch<MeAnswer>('/api/me', {
        ...(displayName !== user.displayName && { displayName }),
        ...(email !== user.email && { email }),
      });
      acceptUser(answer.user);
      reset({ displayName: answer.user.displayName, email: answer.user.email });
      toast({
        title: 'Profile updated successfully!',
        description: answer.emailToConfirm && `A link to confirm it was sent to ${answer.emailToConfirm}.`,
      });
    } catch (error) {
      tellFailure(error);
    }
  };
  return (
    <form noValidate className="settings-form" onSubmit={(event) => void handleSubmit(submit)(event)}>
      <Picture user={user} />
      <Input
        label="Display name"
        autoComplete="name"
        error={errors.displayName?.message}
        {...register('displayName', nameRule(NAME_MESSAGE))}
      />
      <Input
        label="E-mail"
        type="email"
        autoComplete="email"
        error={errors.email?.message}
        {...register('email', EMAIL_RULE)}
      />
      <div>
        <Button type="submit" tone="primary" busy={isSubmitting} disabled={!isDirty}>
          Save changes
        </Button>
      </div>
    </form>
  );
}

/** Name, e-mail and picture; appearance, creator access and one's data. */
export default function AccountTab({ user }: { user: User }) {
  return (
    <div className="grid grid-cols-1 gap-10 pt-7 lg:grid-cols-[minmax(0,1fr)_440px]">
      <section aria-labelledby="profile-title">
        <h2 id="profile-title" className="display mb-5 text-[26px]">
          Profile
        </h2>
        <ProfileForm key={user.id} user={user} />
      </section>
      <div className="grid min-w-0 grid-cols-1 content-start gap-4">
        <CreatorAccessPanel />
        <AppearancePanel />
        <DataPanel />
      </div>
    </div>
  );
}
