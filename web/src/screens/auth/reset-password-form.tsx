import { useState } from 'react';
import { Link } from 'react-router-dom';
import { PASSWORD_MIN_LENGTH } from '../../../../application/accounts/values.js';
import { api } from '../../api/api.js';
import { paths } from '../../paths.js';
import { refusalOf } from '../../sign-in/sign-in-flow.js';
import { Button } from '../../ui/button.js';
import { Input } from '../../ui/forms/field.js';
import { useBodyForm } from '../../ui/forms/use-body-form.js';
import { toast } from '../../ui/overlays/toast.js';

const EMPTY = { password: '', confirmation: '' };
const TOO_SHORT = `Password must be at least ${PASSWORD_MIN_LENGTH} characters`;

export default function ResetPasswordForm({ token, onDone }: { token: string; onDone: () => void }) {
  const [refusal, setRefusal] = useState<string | null>(null);
  const { field, formProps, formState } = useBodyForm('POST /api/auth/password/reset', {
    defaultValues: EMPTY,
    body: ({ password }: typeof EMPTY) => ({ token, password }),
    check: ({ password, confirmation }) => ({
      ...(password.length < PASSWORD_MIN_LENGTH && { password: password ? TOO_SHORT : 'Enter a password' }),
      ...(password !== confirmation && { confirmation: 'New passwords do not match' }),
    }),
  });
  const submit = async (body: { token: string; password: string }) => {
    try {
      await api('POST /api/auth/password/reset', { body });
      toast({ title: 'Password updated successfully!', description: 'Sign in with the new one.' });
      onDone();
    } catch (error) {
      const message = refusalOf(error);
      setRefusal(message);
      toast({ title: 'Error', description: message, tone: 'danger' });
    }
  };
  return (
    <form {...formProps(submit)} className="grid gap-4">
      <Input
        label="New password"
        type="password"
        autoComplete="new-password"
        required
        hint={`At least ${PASSWORD_MIN_LENGTH} characters.`}
        {...field('password')}
      />
      <Input
        label="Confirm password"
        type="password"
        autoComplete="new-password"
        required
        {...field('confirmation')}
      />
      {refusal && (
        <p className="border-l-3 border-danger pl-3 text-danger">
          {refusal}.{' '}
          <Link to={paths.forgotPassword} className="underlined font-semibold text-text">
            Send a new link
          </Link>
        </p>
      )}
      <Button type="submit" tone="primary" busy={formState.isSubmitting} className="w-full">
        Set the password
      </Button>
    </form>
  );
}
