import { useState } from 'react';
import { DISPLAY_NAME_MAX_LENGTH, isDefaultName } from '../../../application/accounts/values.js';
import type { CreatorState } from '../../../application/publishing/contract.js';
import { APPLICATION_LINKS_LIMIT, APPLICATION_MAX_LENGTH } from '../../../application/publishing/values.js';
import { creatorQuery } from '../api/account.js';
import { api } from '../api/api.js';
import { queryClient } from '../api/query-client.js';
import type { FormBody } from '../api/check-body.js';
import { ApiProblem, messageOf } from '../api/transport/http.js';
import { acceptUser, loadSession } from '../session/session.js';
import { Input, Textarea } from '../ui/forms/field.js';
import { FormFrame } from '../ui/forms/form-dialog.js';
import { useBodyForm } from '../ui/forms/use-body-form.js';
import { toast } from '../ui/overlays/toast.js';
import { ApplicationSounds } from './application-sounds.js';

const linksIn = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

function problemWith(links: readonly string[]): { links?: string } {
  if (links.length > APPLICATION_LINKS_LIMIT) return { links: `At most ${APPLICATION_LINKS_LIMIT} links` };
  return links.every((link) => /^https?:\/\//.test(link) && URL.canParse(link))
    ? {}
    : { links: 'Links begin with https://, one a line' };
}

/** A form to apply for creator access, or to answer a question of the staff about an application. */
export default function ApplyDialog({ creator, onClose }: { creator: CreatorState; onClose: () => void }) {
  const { status, reason, displayName } = creator;
  const isAnswer = status === 'asked';
  const [isSending, setSending] = useState(false);
  const { field, formProps, formState, getValues, setError } = useBodyForm('POST /api/creator/application', {
    defaultValues: { name: isDefaultName(displayName) ? '' : displayName, text: '', links: '' },
    body: ({ text, links }) => ({ text: text.trim(), links: linksIn(links) }),
    check: ({ name, text, links }) => ({
      ...(name.trim() === '' && { name: 'Choose a name' }),
      ...(text.trim() === '' && { text: isAnswer ? 'Write an answer' : 'Say what you make' }),
      ...problemWith(linksIn(links)),
    }),
  });
  const send = async (body: FormBody<'POST /api/creator/application'>) => {
    const name = getValues('name').trim();
    try {
      if (name !== displayName)
        acceptUser((await api('PATCH /api/me', { body: { displayName: name } })).user);
      await api('POST /api/creator/application', { body });
    } catch (error) {
      const isName = error instanceof ApiProblem && error.code === 'DisplayNameTaken';
      return setError(isName ? 'name' : 'text', { message: messageOf(error) }, { shouldFocus: true });
    }
    await Promise.all([queryClient.refetchQueries(creatorQuery), loadSession('user-updated')]);
    if (queryClient.getQueryData(creatorQuery.queryKey)?.status === 'approved')
      toast({ title: 'Welcome, creator', description: 'You may upload and publish now.' });
    else toast({ title: 'Application sent', description: 'We review it and write to you.' });
    onClose();
  };
  return (
    <FormFrame
      title={isAnswer ? 'Answer our question' : 'Apply for creator access'}
      description={isAnswer ? undefined : 'A person reads it, and writes to you.'}
      width={560}
      confirmLabel={isAnswer ? 'Send Answer' : 'Send Application'}
      busy={formState.isSubmitting || isSending}
      onClose={onClose}
      form={formProps(send)}
    >
      {isAnswer && reason && <blockquote className="border-l-3 border-accent pl-3">{reason}</blockquote>}
      <Input
        label="Your name, as listeners see it"
        hint="The address of your page follows it."
        maxLength={DISPLAY_NAME_MAX_LENGTH}
        {...field('name')}
      />
      <Textarea
        label={isAnswer ? 'Your answer' : 'What you make, and how'}
        maxLength={APPLICATION_MAX_LENGTH}
        {...field('text')}
      />
      <Textarea label="Links to your work (optional)" rows={3} placeholder="https://" {...field('links')} />
      <ApplicationSounds onBusy={setSending} />
    </FormFrame>
  );
}
