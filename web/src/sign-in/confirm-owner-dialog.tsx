import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useLocation } from 'react-router-dom';
import { api, messageOf } from '../api/http.js';
import { type ConfirmRequest, settleConfirm } from '../session/confirm-request.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/overlays/dialog.js';
import { Input } from '../ui/forms/field.js';
import { GoogleMark } from './google-mark.js';
import { signInWithGoogle } from './sign-in-flow.js';

const TITLE = 'Confirm It Is You';
const FORM = 'confirm-password';
const close = () => settleConfirm(false);

/** The password once more; what was asked for goes on by itself. */
function PasswordDialog() {
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { password: '' } });
  const submit = async (body: { password: string }) => {
    try {
      await api.post('/api/auth/confirm', body);
      settleConfirm(true);
    } catch (error) {
      setError('password', { message: messageOf(error) }, { shouldFocus: true });
    }
  };
  return (
    <Dialog
      open
      overAll
      onClose={close}
      title={TITLE}
      description="Enter your password, and what you asked for goes on."
      width={420}
      actions={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" form={FORM} tone="primary" busy={formState.isSubmitting}>
            Confirm
          </Button>
        </>
      }
    >
      <form id={FORM} noValidate onSubmit={(event) => void handleSubmit(submit)(event)}>
        <Input
          label="Password"
          type="password"
          autoComplete="current-password"
          data-autofocus
          required
          error={formState.errors.password?.message}
          {...register('password', { required: 'Enter your password' })}
        />
      </form>
    </Dialog>
  );
}

/** An account without a password: its owner proves at Google who they are, and asks once more. */
function GoogleDialog() {
  const { pathname, search } = useLocation();
  const [leaving, setLeaving] = useState(false);
  const leave = async () => {
    setLeaving(true);
    await signInWithGoogle(pathname + search);
    setLeaving(false);
  };
  return (
    <Dialog
      open
      overAll
      onClose={close}
      title={TITLE}
      description="Sign in with Google again. You come back to this page; then ask for it once more, within ten minutes."
      width={420}
      actions={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button tone="primary" busy={leaving} icon={<GoogleMark />} onClick={() => void leave()}>
            Continue with Google
          </Button>
        </>
      }
    />
  );
}

/** Asks whoever has a session whether they are its owner, before what cannot be had back. */
export default function ConfirmOwnerDialog({ method }: Pick<ConfirmRequest, 'method'>) {
  return method === 'google' ? <GoogleDialog /> : <PasswordDialog />;
}
