import { Suspense, useState } from 'react';
import { PASSWORD_MIN_LENGTH } from '../../../application/accounts/values.js';
import { offersGoogle } from '../api/page-settings.js';
import { paths } from '../paths.js';
import type { SignInMode } from '../session/sign-in-request.js';
import { lazyWithPreload } from '../shell/lazy-with-preload.js';
import { Button } from '../ui/button.js';
import { Input } from '../ui/forms/field.js';
import { useBodyForm } from '../ui/forms/use-body-form.js';
import { useHydrated } from '../ui/hooks/use-hydrated.js';
import { toast } from '../ui/overlays/toast.js';
import { knowsPasskeys } from './passkey.js';
import { OrLine } from './or-line.js';
import { type Credentials, signIn, signUp } from './sign-in-flow.js';

// The buttons for Google and passkeys load on demand, because not every site or browser offers them.
const ContinueWithGoogle = lazyWithPreload(() => import('./continue-with-google.js'));

const PasskeySignIn = lazyWithPreload(() => import('./passkey-sign-in.js'));

const EMPTY = { email: '', password: '', confirmation: '' };
const MISMATCH = "Passwords don't match";

const TEXT = {
  'sign-in': { submit: 'Sign in', question: 'New here?', toggle: 'Create an account' },
  'sign-up': { submit: 'Create account', question: 'Have an account already?', toggle: 'Sign in' },
} as const;

export interface SignInFormProps {
  mode: SignInMode;
  onModeChange: (mode: SignInMode) => void;
  onDone: (outcome: 'signed-in' | 'confirm-email') => void;
  onForgotten: () => void;
  onSecondStep: () => void;
  returnTo?: string;
}

export function SignInForm(props: SignInFormProps) {
  const { mode, onModeChange, onDone, onForgotten, onSecondStep, returnTo } = props;
  const [refusal, setRefusal] = useState<string | null>(null);
  const signingUp = mode === 'sign-up';
  // Passkey support is unknown until hydration, because the server renders the same page for every browser.
  const offersPasskeys = useHydrated() && knowsPasskeys();
  const { field, formProps, setError, reset, getValues, formState } = useBodyForm(`POST /api/auth/${mode}`, {
    defaultValues: EMPTY,
    body: ({ email, password }: typeof EMPTY) => ({ email, password }),
    check: ({ password }) => (password ? {} : { password: 'Enter your password' }),
  });

  const submit = async (body: Credentials) => {
    setRefusal(null);
    if (signingUp && body.password !== getValues('confirmation')) {
      toast({ title: MISMATCH, tone: 'danger' });
      setError('confirmation', { message: MISMATCH });
      return;
    }
    const outcome = await (signingUp ? signUp : signIn)(body);
    if (outcome.kind === 'refused') return setRefusal(outcome.message);
    reset(EMPTY);
    if (outcome.kind === 'second-step') return onSecondStep();
    onDone(outcome.kind);
  };
  const change = () => {
    setRefusal(null);
    onModeChange(signingUp ? 'sign-in' : 'sign-up');
  };
  return (
    <form {...formProps(submit)}>
      {offersGoogle() && (
        <>
          <Suspense fallback={<span className="btn btn-secondary w-full" aria-hidden="true" />}>
            <ContinueWithGoogle returnTo={returnTo} />
          </Suspense>
          <OrLine />
        </>
      )}
      <div className="grid gap-4">
        <Input
          label="E-mail"
          type="email"
          autoComplete={signingUp ? 'email' : 'username webauthn'}
          data-autofocus
          required
          {...field('email')}
        />
        <Input
          label="Password"
          type="password"
          autoComplete={signingUp ? 'new-password' : 'current-password'}
          required
          hint={signingUp && `At least ${PASSWORD_MIN_LENGTH} characters.`}
          {...field('password')}
        />
        {signingUp && (
          <Input
            label="Confirm password"
            type="password"
            autoComplete="new-password"
            required
            {...field('confirmation')}
          />
        )}
      </div>
      {signingUp && (
        <p className="mt-4 text-sm text-muted">
          By creating an account you accept the{' '}
          <a href={paths.legal('terms')} target="_blank" rel="noopener" className="underlined">
            terms of use
          </a>{' '}
          and the{' '}
          <a href={paths.legal('privacy')} target="_blank" rel="noopener" className="underlined">
            privacy policy
          </a>
          .
        </p>
      )}
      {refusal && <p className="mt-4 border-l-3 border-danger pl-3 text-danger">{refusal}</p>}
      <Button type="submit" tone="primary" busy={formState.isSubmitting} className="mt-5 w-full">
        {TEXT[mode].submit}
      </Button>
      {!signingUp && offersPasskeys && (
        <Suspense fallback={<span className="btn btn-secondary mt-3 w-full" aria-hidden="true" />}>
          <PasskeySignIn onDone={() => onDone('signed-in')} />
        </Suspense>
      )}
      <div className="mt-4 flex flex-wrap justify-between gap-x-4 gap-y-2 text-muted">
        <p>
          {TEXT[mode].question}{' '}
          <button type="button" className="underlined py-1 font-semibold text-text" onClick={change}>
            {TEXT[mode].toggle}
          </button>
        </p>
        {!signingUp && (
          <button type="button" className="underlined py-1" onClick={onForgotten}>
            Forgot password
          </button>
        )}
      </div>
    </form>
  );
}
