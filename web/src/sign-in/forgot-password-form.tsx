import { useState } from 'react';
import { api } from '../api/api.js';
import { Button } from '../ui/button.js';
import { Input } from '../ui/forms/field.js';
import { useBodyForm } from '../ui/forms/use-body-form.js';
import { notifyError } from '../ui/overlays/toast.js';

/** Requests a mail with a link to set a new password. The answer does not say whether the address has an account. */
export default function ForgotPasswordForm({ onBack }: { onBack: () => void }) {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { field, formProps, formState } = useBodyForm('POST /api/auth/password/forgot', {
    defaultValues: { email: '' },
  });
  const submit = async (body: { email: string }) => {
    try {
      await api('POST /api/auth/password/forgot', { body });
      setSentTo(body.email);
    } catch (error) {
      notifyError(error);
    }
  };
  if (sentTo) {
    return (
      <div role="status">
        <p className="text-muted">
          If <b className="text-text">{sentTo}</b> has an account, a link to set a new password is on its way.
          It works once, for one hour.
        </p>
        <Button className="mt-5 w-full" onClick={onBack}>
          Back to sign in
        </Button>
      </div>
    );
  }
  return (
    <form {...formProps(submit)}>
      <p className="mb-4 text-muted">We will e-mail you a link to set a new password.</p>
      <Input label="E-mail" type="email" autoComplete="email" required {...field('email')} />
      <Button type="submit" tone="primary" busy={formState.isSubmitting} className="mt-5 w-full">
        Send the link
      </Button>
      <button type="button" className="underlined mt-4 py-1 text-muted" onClick={onBack}>
        Back to sign in
      </button>
    </form>
  );
}
