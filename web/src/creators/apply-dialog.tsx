import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { DISPLAY_NAME_MAX_LENGTH, isDefaultName } from '../../../application/accounts/values.js';
import type { CreatorState } from '../../../application/publishing/contract.js';
import { APPLICATION_LINKS_LIMIT, APPLICATION_MAX_LENGTH } from '../../../application/publishing/values.js';
import { creatorQuery } from '../api/account.js';
import { api } from '../api/api.js';
import { queryClient } from '../api/query-client.js';
import { messageOf } from '../api/transport/http.js';
import { sendOnce } from '../api/transport/idempotency-key.js';
import { acceptUser, loadSession } from '../session/session.js';
import { Input, Textarea } from '../ui/forms/field.js';
import { FormFrame } from '../ui/forms/form-dialog.js';
import { toast } from '../ui/overlays/toast.js';
import { ApplicationSounds } from './application-sounds.js';

const linksIn = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

function problemWith(links: readonly string[]): string | undefined {
  if (links.length > APPLICATION_LINKS_LIMIT) return `At most ${APPLICATION_LINKS_LIMIT} links`;
  return links.every((link) => /^https?:\/\//.test(link) && URL.canParse(link))
    ? undefined
    : 'Links begin with https://, one a line';
}

/** A form to apply for creator access, or to answer a question of the staff about an application. */
export default function ApplyDialog({ creator, onClose }: { creator: CreatorState; onClose: () => void }) {
  const { status, reason, displayName } = creator;
  const isAnswer = status === 'asked';
  const [name, setName] = useState(isDefaultName(displayName) ? '' : displayName);
  const [text, setText] = useState('');
  const [links, setLinks] = useState('');
  const [isSending, setSending] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const found = linksIn(links);
  const problems = {
    name: name.trim() === '' ? 'Choose a name' : undefined,
    text: text.trim() === '' ? (isAnswer ? 'Write an answer' : 'Say what you make') : undefined,
    links: problemWith(found),
  };
  const send = async () => {
    if (name.trim() !== displayName)
      acceptUser((await api('PATCH /api/me', { body: { displayName: name.trim() } })).user);
    await api('POST /api/creator/application', { body: { text: text.trim(), links: found } });
    await Promise.all([queryClient.refetchQueries(creatorQuery), loadSession('user-updated')]);
    if (queryClient.getQueryData(creatorQuery.queryKey)?.status === 'approved')
      toast({ title: 'Welcome, creator', description: 'You may upload and publish now.' });
    else toast({ title: 'Application sent', description: 'We review it and write to you.' });
    onClose();
  };
  const work = useMutation({ mutationFn: () => sendOnce('application', send) });
  const shown = (problem: string | undefined) => (isAsked ? problem : undefined);
  return (
    <FormFrame
      title={isAnswer ? 'Answer our question' : 'Apply for creator access'}
      description={isAnswer ? undefined : 'A person reads it, and writes to you.'}
      width={560}
      confirmLabel={isAnswer ? 'Send Answer' : 'Send Application'}
      busy={work.isPending || isSending}
      onClose={onClose}
      form={{
        noValidate: true,
        onSubmit: (event) => {
          event.preventDefault();
          setAsked(true);
          if (Object.values(problems).every((problem) => problem === undefined)) work.mutate();
        },
      }}
    >
      {isAnswer && reason && <blockquote className="border-l-3 border-accent pl-3">{reason}</blockquote>}
      <Input
        label="Your name, as listeners see it"
        hint="The address of your page follows it."
        maxLength={DISPLAY_NAME_MAX_LENGTH}
        value={name}
        error={shown(problems.name)}
        onChange={({ target }) => setName(target.value)}
      />
      <Textarea
        label={isAnswer ? 'Your answer' : 'What you make, and how'}
        maxLength={APPLICATION_MAX_LENGTH}
        value={text}
        error={shown(problems.text)}
        onChange={({ target }) => setText(target.value)}
      />
      <Textarea
        label="Links to your work (optional)"
        rows={3}
        placeholder="https://"
        value={links}
        error={shown(problems.links)}
        onChange={({ target }) => setLinks(target.value)}
      />
      <ApplicationSounds onBusy={setSending} />
      {work.error && (
        <p role="alert" className="text-danger">
          {messageOf(work.error)}
        </p>
      )}
    </FormFrame>
  );
}
