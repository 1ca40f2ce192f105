import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link } from 'react-router-dom';
import { PASSWORD_MIN_LENGTH } from '../../../../application/accounts/contract.js';
import { api } from '../../api/api.js';
import { paths } from '../../paths.js';
import { refusalOf } from '../../sign-in/sign-in-flow.js';
import { Button } from '../../ui/button.js';
import { Input } from '../../ui/forms/field.js';
import { toast } from '../../ui/overlays/toast.js';

interface Form {
  password: string;
  confirmation: string;
}

/** Sets a new password with the token of a mailed link. */
export default function ResetPasswordForm({ token, onDone }: { token: string; onDone: () => void }) {
  const [refusal, setRefusal] = useState<string | null>(null);
  const { register, handleSubmit, formState } = useForm<Form>({
    defaultValues: { password: '', confirmation: '' },
  });
  const { errors, isSubmitting } = formState;
  const submit = async ({ password }: Form) => {
    try {
      await api('POST /api/auth/password/reset', { body: { token, password } });
      toast({ title: 'Password updated successfully!', description: 'Sign in with the new one.' });
      onDone();
    } catch (error) {
      const message = refusalOf(error);
      setRefusal(message);
      toast({ title: 'Error', description: message, tone: 'danger' });
    }
  };
  return (
    <form noValidate className="grid gap-4" onSubmit={(event) => void handleSubmit(submit)(event)}>
      <Input
        label="New password"
        type="password"
        autoComplete="new-password"
        required
        hint={`At least ${PASSWORD_MIN_LENGTH} characters.`}
        error={errors.password?.message}
        {...register('password', {
          minLength: {
            value: PASSWORD_MIN_LENGTH,
            message: `Password must be at least ${PASSWORD_MIN_LENGTH} characters`,
          },
          required: 'Enter a password',
        })}
      />
      <Input
        label="Confirm password"
        type="password"
        autoComplete="new-password"
        required
        error={errors.confirmation?.message}
        {...register('confirmation', {
          validate: (value, form) => value === form.password || 'New passwords do not match',
        })}
      />
      {refusal && (
        <p className="border-l-3 border-danger pl-3 text-danger">
          {refusal}.{' '}
          <Link to={paths.forgotPassword} className="underlined font-semibold text-text">
            Send a new link
          </Link>
        </p>
      )}
      <Button type="submit" tone="primary" busy={isSubmitting} className="w-full">
        Set the password
      </Button>
    </form>
  );
}
