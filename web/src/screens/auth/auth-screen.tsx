import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { Navigate, useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { paths } from '../../paths.js';
import { pageOfMailedIntent } from '../../session/after-sign-in.js';
import { announcePasswordRecovery, useSession } from '../../session/session.js';
import { lazyWithPreload } from '../../shell/lazy-with-preload.js';
import { PageTitle } from '../../shell/page-frame.js';
import { type PanelMode, SignInPanel, TITLES } from '../../sign-in/sign-in-panel.js';
import { ButtonLink } from '../../ui/button.js';
import { pathOfThisSite } from '../../../../application/accounts/values.js';

/**
 * Returns the requested page if it is on this site, otherwise the start page, so that no link leads from the sign-in
 * to a foreign site.
 */
export const safeReturn = (asked: string | null | undefined): string =>
  pathOfThisSite(asked, window.location.origin);

// These parts load on demand, because only links in mails and the return from Google show them.
const ResetPasswordForm = lazyWithPreload(() => import('./reset-password-form.js'));
const GoogleNote = lazyWithPreload(() => import('./google-note.js'));
const UndoEmail = lazyWithPreload(() =>
  import('./mailed-links.js').then((module) => module && { default: module.UndoEmail }),
);
const VerifyEmail = lazyWithPreload(() =>
  import('./mailed-links.js').then((module) => module && { default: module.VerifyEmail }),
);

function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="mat -mb-px grid min-h-[calc(100dvh-var(--header))] place-items-center px-4 py-10">
      <PageTitle>{title}</PageTitle>
      <div className="auth-card w-full max-w-105 border border-strong bg-raised p-6 sm:p-8">
        <h1 className="display mb-5 text-5xl">{title}</h1>
        <Suspense>{children}</Suspense>
      </div>
    </div>
  );
}

function SignInPage() {
  const session = useSession();
  const state = useLocation().state as { returnTo?: string; hash?: string } | null;
  const [parameters] = useSearchParams();
  const [mode, setMode] = useState<PanelMode>(() => {
    if (parameters.get('step') === 'second') return 'second-step';
    return parameters.has('forgot') ? 'forgot' : 'sign-in';
  });
  const returnTo = safeReturn(parameters.get('returnTo') ?? state?.returnTo);
  if (session.status === 'signed-in') return <Navigate replace to={returnTo + (state?.hash ?? '')} />;
  return (
    <Card title={TITLES[mode]}>
      {parameters.get('error') === 'google' && <GoogleNote kind="refused" />}
      {parameters.get('link') === 'google' && <GoogleNote kind="link" />}
      <SignInPanel mode={mode} onModeChange={setMode} onDone={() => setMode('sign-in')} returnTo={returnTo} />
    </Card>
  );
}

function ResetPage({ token }: { token: string }) {
  const navigate = useNavigate();
  useEffect(announcePasswordRecovery, []);
  return (
    <Card title="Set a New Password">
      <ResetPasswordForm token={token} onDone={() => void navigate(paths.auth(), { replace: true })} />
    </Card>
  );
}

/**
 * The sign-in page. Links in mails open it, too: `?reset=` sets a new password, `?verify=` confirms an e-mail
 * address, `?undo=` restores the former address.
 */
export default function AuthScreen() {
  const [parameters] = useSearchParams();
  const session = useSession();
  const reset = parameters.get('reset');
  const verify = parameters.get('verify');
  if (reset) return <ResetPage token={reset} />;
  const undo = parameters.get('undo');
  if (undo) {
    return (
      <Card title="Take Your Account Back">
        <UndoEmail token={undo} />
      </Card>
    );
  }
  if (verify) {
    const signedIn = session.status === 'signed-in';
    return (
      <Card title="Confirm Your E-mail">
        <VerifyEmail token={verify} />
        <ButtonLink
          to={signedIn ? paths.sounds : paths.auth(pageOfMailedIntent())}
          tone="primary"
          className="mt-6 w-full"
        >
          {signedIn ? 'Explore Sounds' : 'Sign in'}
        </ButtonLink>
      </Card>
    );
  }
  return <SignInPage />;
}
