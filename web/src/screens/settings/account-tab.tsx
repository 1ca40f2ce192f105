import { useMutation, useQuery } from '@tanstack/react-query';
import type { User } from '../../../../application/accounts/contract.js';
import { NEW_NAME_HINT } from '../../../../application/accounts/values.js';
import { SUSPENSION_NOTICE } from '../../../../application/publishing/values.js';
import { creatorQuery } from '../../api/account.js';
import { api, mutation, query } from '../../api/api.js';
import type { FormBody } from '../../api/check-body.js';
import { uploadAvatar } from '../../api/creator.js';
import { NoticeChoicesPanel } from './notice-choices.js';
import { queryClient } from '../../api/query-client.js';
import { ApiProblem } from '../../api/transport/http.js';
import { AiPreferencePanel } from '../../creators/ai-preference-panel.js';
import { ApplyButton, mayApply } from '../../creators/creator-gate.js';
import { paths } from '../../paths.js';
import { acceptUser } from '../../session/session.js';
import { Badge } from '../../ui/badge.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { ChoicePanel } from '../../ui/choice-panel.js';
import { Input } from '../../ui/forms/field.js';
import { PictureField } from '../../ui/forms/picture-field.js';
import { useUnsaved } from '../../ui/forms/unsaved.js';
import { useBodyForm } from '../../ui/forms/use-body-form.js';
import { notifyError, toast } from '../../ui/overlays/toast.js';
import { Section } from '../../ui/section.js';
import { Segmented } from '../../ui/tabs.js';
import { setTheme, useTheme } from '../../ui/theme.js';
import { DataPanel } from './data-panel.js';
import { FileNamesPanel } from './file-names-panel.js';

const THEMES = [
  { value: 'dark', label: 'Dark' },
  { value: 'light', label: 'Light' },
] as const;

const notifications = query('GET /api/notifications');

function MailPanel() {
  const { data } = useQuery(notifications);
  const save = useMutation({
    ...mutation('PUT /api/notifications'),
    onSuccess: (answer) => queryClient.setQueryData(notifications.queryKey, answer),
    onError: notifyError,
  });
  if (!data) return null;
  return (
    <ChoicePanel
      title="Weekly mail"
      text="Sounds from the creators and tags you follow, and sounds that fit your newest project. At most one mail a week, and none in a week without news."
      label="New this week in my tempo and key"
      isChosen={data.weeklyMail}
      isSaving={save.isPending}
      choose={(weeklyMail) => save.mutate({ body: { weeklyMail } })}
    />
  );
}

const buyerName = query('GET /api/me/buyer-name');

function BuyerNamePanel() {
  const { data } = useQuery(buyerName);
  const save = useMutation({
    ...mutation('PUT /api/me/buyer-name'),
    onSuccess: (answer) => queryClient.setQueryData(buyerName.queryKey, answer),
    onError: notifyError,
  });
  if (!data) return null;
  return (
    <ChoicePanel
      title="Purchases"
      text="Creators see who bought their sounds by first name and initial."
      label="Hide my name from creators"
      isChosen={data.isHidden}
      isSaving={save.isPending}
      choose={(isHidden) => save.mutate({ body: { isHidden } })}
    />
  );
}

const STATES = {
  none: {
    tone: 'neutral',
    text: 'Creators publish packs and are paid for every download. Access is granted by application, not by a plan.',
  },
  applied: { tone: 'info', text: 'We are reviewing your application.' },
  asked: { tone: 'info', text: 'We have a question about your application.' },
  approved: { tone: 'ok', text: 'You may upload and publish.' },
  declined: { tone: 'danger', text: 'Your application was declined. You may apply again.' },
  suspended: { tone: 'danger', text: `Your creator access is suspended. ${SUSPENSION_NOTICE}` },
} as const;

function CreatorAccessPanel() {
  const { data } = useQuery(creatorQuery);
  if (!data) return null;
  const { status } = data;
  return (
    <>
      <section aria-labelledby="creator-title" className="panel p-5">
        <div className="flex items-center justify-between gap-3">
          <h2 id="creator-title" className="text-md font-semibold">
            Creator access
          </h2>
          {status !== 'none' && <Badge tone={STATES[status].tone}>{status}</Badge>}
        </div>
        <p className="mt-1 text-muted">{STATES[status].text}</p>
        <div className="mt-4 flex flex-wrap gap-2">
          {mayApply(data) && <ApplyButton creator={data} size="small" />}
          {status === 'suspended' && (
            <ButtonLink to={paths.earnings} size="small">
              Sales and statements
            </ButtonLink>
          )}
          <ButtonLink to={paths.dashboard} size="small">
            Creator Dashboard
          </ButtonLink>
        </div>
      </section>
      {(status === 'approved' || status === 'suspended') && <AiPreferencePanel />}
    </>
  );
}

function AppearancePanel() {
  const theme = useTheme();
  return (
    <Section
      title="Appearance"
      heading="text-md font-semibold"
      className="panel flex items-center justify-between gap-4 p-5"
    >
      <Segmented options={THEMES} value={theme} onChange={setTheme} label="Theme" />
    </Section>
  );
}

function notifyFailure(error: unknown): void {
  const said = error instanceof ApiProblem && error.status >= 400 && error.status < 500;
  const title = said ? `Error updating profile: ${error.message}` : 'Error updating profile';
  toast({ title, tone: 'danger' });
}

function ProfileForm({ user }: { user: User }) {
  const { field, formProps, reset, setError, formState } = useBodyForm('PATCH /api/me', {
    defaultValues: { displayName: user.displayName, email: user.email },
  });
  const { isSubmitting, isDirty } = formState;
  useUnsaved(isDirty);
  const submit = async ({ displayName, email }: FormBody<'PATCH /api/me'>) => {
    try {
      const body = {
        ...(displayName !== user.displayName && { displayName }),
        ...(email !== user.email && { email }),
      };
      const answer = await api('PATCH /api/me', { body });
      acceptUser(answer.user);
      reset({ displayName: answer.user.displayName, email: answer.user.email });
      toast({
        title: 'Profile updated successfully!',
        description: answer.emailToConfirm && `A link to confirm it was sent to ${answer.emailToConfirm}.`,
      });
    } catch (error) {
      if (error instanceof ApiProblem && error.code === 'DisplayNameTaken')
        setError('displayName', { message: error.message }, { shouldFocus: true });
      else notifyFailure(error);
    }
  };
  return (
    <form {...formProps(submit)} className="grid max-w-130 grid-cols-1 gap-5">
      <PictureField
        user={user}
        label="Profile picture"
        action="Change picture"
        send={(file) => uploadAvatar(file, 'PUT /api/me/avatar')}
        onDone={() => toast({ title: 'Profile updated successfully!' })}
        onFailure={notifyFailure}
      />
      <Input
        label="Display name"
        autoComplete="name"
        hint={user.isCreator ? NEW_NAME_HINT : undefined}
        {...field('displayName')}
      />
      <Input label="E-mail" type="email" autoComplete="email" {...field('email')} />
      <div>
        <Button type="submit" tone="primary" busy={isSubmitting} disabled={!isDirty}>
          Save changes
        </Button>
      </div>
    </form>
  );
}

export default function AccountTab({ user }: { user: User }) {
  return (
    <div className="grid grid-cols-1 gap-10 pt-7 lg:grid-cols-[minmax(0,1fr)_440px]">
      <Section title="Profile" heading="display mb-5 text-3xl">
        <ProfileForm key={user.id} user={user} />
      </Section>
      <div className="grid min-w-0 grid-cols-1 content-start gap-4">
        <CreatorAccessPanel />
        <AppearancePanel />
        <MailPanel />
        {user.isCreator && <NoticeChoicesPanel />}
        <BuyerNamePanel />
        <FileNamesPanel />
        <DataPanel />
      </div>
    </div>
  );
}
