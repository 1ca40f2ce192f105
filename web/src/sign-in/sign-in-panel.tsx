import { Suspense } from 'react';
import type { SignInMode } from '../session/sign-in-request.js';
import { lazyWithPreload } from '../shell/lazy-with-preload.js';
import { SignInForm, type SignInFormProps } from './sign-in-form.js';

// These forms load on demand, because few visitors need them.
const ForgotPasswordForm = lazyWithPreload(() => import('./forgot-password-form.js'));
const SecondStep = lazyWithPreload(() => import('./second-step.js'));

export type PanelMode = SignInMode | 'forgot' | 'second-step';

export const TITLES: Record<PanelMode, string> = {
  'sign-in': 'Welcome Back',
  'sign-up': 'Create Account',
  forgot: 'Forgot Password',
  'second-step': 'One Step More',
};

export function SignInPanel(
  props: Pick<SignInFormProps, 'onDone' | 'returnTo'> & {
    mode: PanelMode;
    onModeChange: (mode: PanelMode) => void;
  },
) {
  const { mode, onModeChange, ...rest } = props;
  if (mode === 'forgot')
    return (
      <Suspense>
        <ForgotPasswordForm onBack={() => onModeChange('sign-in')} />
      </Suspense>
    );
  if (mode === 'second-step')
    return (
      <Suspense>
        <SecondStep onDone={() => rest.onDone('signed-in')} onBack={() => onModeChange('sign-in')} />
      </Suspense>
    );
  return (
    <SignInForm
      {...rest}
      mode={mode}
      onModeChange={onModeChange}
      onForgotten={() => onModeChange('forgot')}
      onSecondStep={() => onModeChange('second-step')}
    />
  );
}
