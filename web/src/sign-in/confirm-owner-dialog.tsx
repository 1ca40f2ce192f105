import { useMutation } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { accountPolicy } from '../../../application/accounts/values.js';
import { api } from '../api/api.js';
import { messageOf } from '../api/http.js';
import { type ConfirmRequest, settleConfirm } from '../session/confirm-request.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/overlays/dialog.js';
import { Input } from '../ui/forms/field.js';
import { useBodyForm } from '../ui/forms/use-body-form.js';
import { signInWithGoogle } from './google-flow.js';
import { GoogleMark } from './google-mark.js';

const FORM = 'confirm-password';
const close = () => settleConfirm(false);

/** One way to prove it. @param confirm the button that does */
function ConfirmOwner(props: {
  description: string;
  confirm: ComponentProps<typeof Button>;
  children?: ReactNode;
}) {
  return (
    <Dialog
      open
      overAll
      onClose={close}
      title="Confirm It Is You"
      description={props.description}
      width={420}
      actions={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button tone="primary" {...props.confirm} />
        </>
      }
    >
      {props.children}
    </Dialog>
  );
}

/** The password once more; the action then continues by itself. */
function PasswordDialog() {
  const { register, formProps, setError, formState } = useBodyForm('POST /api/auth/confirm', {
    defaultValues: { password: '' },
    check: ({ password }) => (password ? {} : { password: 'Enter your password' }),
  });
  const submit = async (body: { password: string }) => {
    try {
      await api('POST /api/auth/confirm', { body });
      settleConfirm(true);
    } catch (error) {
      setError('password', { message: messageOf(error) }, { shouldFocus: true });
    }
  };
  return (
    <ConfirmOwner
      description="Enter your password to continue."
      confirm={{ type: 'submit', form: FORM, busy: formState.isSubmitting, children: 'Confirm' }}
    >
      <form id={FORM} {...formProps(submit)}>
        <Input
          label="Password"
          type="password"
          autoComplete="current-password"
          data-autofocus
          required
          error={formState.errors.password?.message}
          {...register('password')}
        />
      </form>
    </ConfirmOwner>
  );
}

/** An account without a password: its owner proves their identity at Google, and repeats the action. */
function GoogleDialog() {
  const { pathname, search } = useLocation();
  const leave = useMutation({ mutationFn: () => signInWithGoogle(pathname + search) });
  return (
    <ConfirmOwner
      description={`Sign in with Google again. You return to this page. Then repeat the action within ${accountPolicy.freshSignInMs / 60_000} minutes. If it asks again, sign out at Google first, or set a password with “Forgot password”.`}
      confirm={{
        busy: leave.isPending,
        icon: <GoogleMark />,
        onClick: () => leave.mutate(),
        children: 'Continue with Google',
      }}
    />
  );
}

/** Asks the visitor to prove to be the account's owner, before actions that cannot be undone. */
export default function ConfirmOwnerDialog({ method }: Pick<ConfirmRequest, 'method'>) {
  return method === 'google' ? <GoogleDialog /> : <PasswordDialog />;
}
