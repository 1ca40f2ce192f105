import { useWatch } from 'react-hook-form';
import type { User } from '../../../../application/accounts/contract.js';
import { invalidate } from '../../api/query-client.js';
import { PASSWORD_MIN_LENGTH } from '../../../../application/accounts/values.js';
import { api } from '../../api/api.js';
import { refusalOf } from '../../sign-in/sign-in-flow.js';
import { Button } from '../../ui/button.js';
import { Input } from '../../ui/forms/field.js';
import { useBodyForm } from '../../ui/forms/use-body-form.js';
import { toast } from '../../ui/overlays/toast.js';
import { FactorsSection } from './security/factors-section.js';
import { SessionsPanel } from './security/sessions-panel.js';
import { TokensPanel } from './security/tokens-panel.js';

const EMPTY = { currentPassword: '', newPassword: '', confirmation: '' };
type Form = typeof EMPTY;

function PasswordForm({ email }: { email: string }) {
  const { field, formProps, setError, reset, getValues, control, formState } = useBodyForm(
    'PUT /api/auth/password',
    {
      defaultValues: EMPTY,
      body: ({ currentPassword, newPassword }: Form) => ({ currentPassword, newPassword }),
      check: ({ currentPassword }) =>
        currentPassword ? {} : { currentPassword: 'Enter your current password' },
    },
  );
  const newPassword = useWatch({ control, name: 'newPassword' });
  const refuse = (name: keyof Form, message: string) => {
    setError(name, { message });
    toast({ title: message, tone: 'danger' });
  };
  const submit = async (body: Omit<Form, 'confirmation'>) => {
    if (body.newPassword !== getValues('confirmation'))
      return refuse('confirmation', 'New passwords do not match');
    if (body.newPassword.length < PASSWORD_MIN_LENGTH) {
      return refuse('newPassword', `Password must be at least ${PASSWORD_MIN_LENGTH} characters`);
    }
    try {
      await api('PUT /api/auth/password', { body });
      reset(EMPTY);
      void invalidate('GET /api/me/sessions');
      toast({ title: 'Password updated successfully!', description: 'Your other sessions were ended.' });
    } catch (error) {
      toast({ title: `Error updating password: ${refusalOf(error)}`, tone: 'danger' });
    }
  };
  return (
    <form {...formProps(submit)} className="grid max-w-130 grid-cols-1 gap-5">
      <h2 className="display text-3xl">Password</h2>
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <Input
        label="Current password"
        type="password"
        autoComplete="current-password"
        {...field('currentPassword')}
      />
      <Input
        label="New password"
        type="password"
        autoComplete="new-password"
        hint={`At least ${PASSWORD_MIN_LENGTH} characters. Changing it signs you out everywhere else.`}
        {...field('newPassword')}
      />
      <Input
        label="Confirm new password"
        type="password"
        autoComplete="new-password"
        {...field('confirmation')}
      />
      <div>
        <Button type="submit" tone="primary" busy={formState.isSubmitting} disabled={newPassword === ''}>
          Update password
        </Button>
      </div>
    </form>
  );
}

export default function SecurityTab({ user: { email, isCreator } }: { user: User }) {
  return (
    <div className="grid grid-cols-1 gap-10 pt-7 lg:grid-cols-[minmax(0,1fr)_440px]">
      <div className="grid min-w-0 grid-cols-1 content-start gap-12">
        <PasswordForm email={email} />
        <FactorsSection />
      </div>
      <div className="grid grid-cols-1 content-start gap-6">
        <SessionsPanel />
        <TokensPanel isCreator={isCreator} />
      </div>
    </div>
  );
}
