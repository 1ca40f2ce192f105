import type { User } from '../../../../application/accounts/contract.js';
import { NEW_NAME_HINT } from '../../../../application/accounts/values.js';
import { api } from '../../api/api.js';
import { ApiProblem } from '../../api/transport/http.js';
import type { FormBody } from '../../api/check-body.js';
import { uploadAvatar } from '../../api/creator.js';
import { acceptUser } from '../../session/session.js';
import { Button } from '../../ui/button.js';
import { Input } from '../../ui/forms/field.js';
import { PictureField } from '../../ui/forms/picture-field.js';
import { useBodyForm } from '../../ui/forms/use-body-form.js';
import { toast } from '../../ui/overlays/toast.js';
import { useUnsaved } from '../../ui/forms/unsaved.js';
import { CreatorAccessPanel } from './creator-access-panel.js';
import { DataPanel } from './data-panel.js';
import { Segmented } from '../../ui/tabs.js';
import { setTheme, useTheme } from '../../ui/theme.js';

const THEMES = [
  { value: 'dark', label: 'Dark' },
  { value: 'light', label: 'Light' },
] as const;

/** Dark or light, for this browser. */
function AppearancePanel() {
  const theme = useTheme();
  return (
    <section aria-labelledby="appearance-title" className="panel flex items-center justify-between gap-4 p-5">
      <h2 id="appearance-title" className="text-md font-semibold">
        Appearance
      </h2>
      <Segmented options={THEMES} value={theme} onChange={setTheme} label="Theme" />
    </section>
  );
}

/** Reports a failure, with the server's reason if it gave one. */
function notifyFailure(error: unknown): void {
  const said = error instanceof ApiProblem && error.status >= 400 && error.status < 500;
  const title = said ? `Error updating profile: ${error.message}` : 'Error updating profile';
  toast({ title, tone: 'danger' });
}

function ProfileForm({ user }: { user: User }) {
  const { register, formProps, reset, setError, formState } = useBodyForm('PATCH /api/me', {
    defaultValues: { displayName: user.displayName, email: user.email },
  });
  const { errors, isSubmitting, isDirty } = formState;
  useUnsaved(isDirty);
  const submit = async ({ displayName, email }: FormBody<'PATCH /api/me'>) => {
    try {
      const body = {
        ...(displayName !== user.displayName && { displayName }),
        ...(email !== user.email && { email }),
      };
      const answer = await api('PATCH /api/me', { body });
      acceptUser(answer.user);
      reset({ displayName: answer.user.displayName, email: answer.user.email });
      toast({
        title: 'Profile updated successfully!',
        description: answer.emailToConfirm && `A link to confirm it was sent to ${answer.emailToConfirm}.`,
      });
    } catch (error) {
      if (error instanceof ApiProblem && error.code === 'DisplayNameTaken')
        setError('displayName', { message: error.message }, { shouldFocus: true });
      else notifyFailure(error);
    }
  };
  return (
    <form {...formProps(submit)} className="grid max-w-130 grid-cols-1 gap-5">
      <PictureField
        user={user}
        label="Profile picture"
        action="Change picture"
        send={(file) => uploadAvatar(file, 'PUT /api/me/avatar')}
        onDone={() => toast({ title: 'Profile updated successfully!' })}
        onFailure={notifyFailure}
      />
      <Input
        label="Display name"
        autoComplete="name"
        hint={user.isCreator ? NEW_NAME_HINT : undefined}
        error={errors.displayName?.message}
        {...register('displayName')}
      />
      <Input
        label="E-mail"
        type="email"
        autoComplete="email"
        error={errors.email?.message}
        {...register('email')}
      />
      <div>
        <Button type="submit" tone="primary" busy={isSubmitting} disabled={!isDirty}>
          Save changes
        </Button>
      </div>
    </form>
  );
}

export default function AccountTab({ user }: { user: User }) {
  return (
    <div className="grid grid-cols-1 gap-10 pt-7 lg:grid-cols-[minmax(0,1fr)_440px]">
      <section aria-labelledby="profile-title">
        <h2 id="profile-title" className="display mb-5 text-3xl">
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
