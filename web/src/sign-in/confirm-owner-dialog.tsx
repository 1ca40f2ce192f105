import { useMutation } from '@tanstack/react-query';
import { Suspense, type ComponentProps, type ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { accountPolicy } from '../../../application/accounts/values.js';
import { api } from '../api/api.js';
import type { FormBody } from '../api/check-body.js';
import { messageOf } from '../api/transport/http.js';
import { type ConfirmRequest, settleConfirm } from '../session/confirm-request.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/overlays/dialog.js';
import { Input } from '../ui/forms/field.js';
import { useBodyForm } from '../ui/forms/use-body-form.js';
import { signInWithGoogle, GoogleMark } from './continue-with-google.js';
import { lazyWithPreload } from '../shell/lazy-with-preload.js';

// This part loads on demand, because few users have set up a second factor.
const ConfirmByFactor = lazyWithPreload(() => import('./confirm-by-factor.js'));

const FORM = 'confirm-password';
const close = () => settleConfirm(false);

function ConfirmOwner(props: {
  description: string;
  confirm?: ComponentProps<typeof Button>;
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
          {props.confirm && <Button tone="primary" {...props.confirm} />}
        </>
      }
    >
      {props.children}
    </Dialog>
  );
}

function PasswordDialog({ children }: { children: ReactNode }) {
  const { field, formProps, setError, formState } = useBodyForm('POST /api/auth/confirm', {
    defaultValues: { password: '' },
    check: ({ password }) => (password ? {} : { password: 'Enter your password' }),
  });
  const submit = async (body: FormBody<'POST /api/auth/confirm'>) => {
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
          {...field('password')}
        />
      </form>
      {children}
    </ConfirmOwner>
  );
}

/** The dialog for an account without a password. The owner signs in at Google, and then repeats the action. */
function GoogleDialog({ children }: { children: ReactNode }) {
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
    >
      {children}
    </ConfirmOwner>
  );
}

/** Asks the user to prove that the account is theirs, before actions such as deleting the account. */
export default function ConfirmOwnerDialog({ methods }: Pick<ConfirmRequest, 'methods'>) {
  const factors = methods.filter((method) => method === 'passkey' || method === 'app');
  const alone = !methods.includes('password');
  const others = factors.length > 0 && (
    <Suspense>
      <ConfirmByFactor methods={factors} alone={alone} />
    </Suspense>
  );
  if (!alone) return <PasswordDialog>{others}</PasswordDialog>;
  if (methods.includes('google')) return <GoogleDialog>{others}</GoogleDialog>;
  return <ConfirmOwner description="This needs your second factor.">{others}</ConfirmOwner>;
}
