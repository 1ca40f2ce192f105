import { useMutation, useQuery } from '@tanstack/react-query';
import type { ChosenKind, MailChoice } from '../../../../application/notices/contract.js';
import { mutation, query } from '../../api/api.js';
import { queryClient } from '../../api/query-client.js';
import { Select } from '../../ui/forms/field.js';
import { notifyError } from '../../ui/overlays/toast.js';
import { Section } from '../../ui/section.js';

const KINDS: Record<ChosenKind, string> = {
  sales: 'Sales',
  payouts: 'Payouts and statements',
  followers: 'New followers',
  releases: 'New packs of creators you follow, and your releases',
  files: 'Exports and imports that are ready',
  applications: 'Your application as a creator',
  cases: 'Progress of complaints and similar sounds',
};
const CHOICES: Record<MailChoice, string> = {
  mail: 'At once',
  digest: 'Once a day',
  off: 'In the inbox only',
};
const choices = query('GET /api/inbox/choices');

/** A form that sets for each kind of notice whether it is mailed at once, once a day or not at all. */
export function NoticeChoicesPanel() {
  const { data } = useQuery(choices);
  const save = useMutation({
    ...mutation('PUT /api/inbox/choices'),
    onSuccess: (answer) => queryClient.setQueryData(choices.queryKey, answer),
    onError: notifyError,
  });
  if (!data) return null;
  return (
    <Section title="Mails about news" heading="text-md font-semibold" className="panel p-5">
      <p className="mt-1 text-muted">
        Everything is in your inbox. Always sent: mails about sign-in, payments and contracts, holds,
        takedowns and suspensions, and the answers to complaints. The law or your contract requires them.
      </p>
      <div className="mt-4 grid gap-4 sm:grid-cols-2">
        {(Object.keys(KINDS) as ChosenKind[]).map((kind) => (
          <Select
            key={kind}
            label={KINDS[kind]}
            value={data[kind]}
            disabled={save.isPending}
            onChange={({ target }) => save.mutate({ body: { ...data, [kind]: target.value as MailChoice } })}
          >
            {(Object.keys(CHOICES) as MailChoice[]).map((choice) => (
              <option key={choice} value={choice}>
                {CHOICES[choice]}
              </option>
            ))}
          </Select>
        ))}
      </div>
    </Section>
  );
}
