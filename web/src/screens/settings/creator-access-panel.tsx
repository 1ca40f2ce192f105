import { useQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { SUSPENSION_NOTICE } from '../../../../application/publishing/values.js';
import { creatorQuery } from '../../api/account.js';
import { paths } from '../../paths.js';
import { ApplyButton } from '../../creators/apply-button.js';
import { Badge } from '../../ui/badge.js';
import { ButtonLink } from '../../ui/button.js';
import { mutation, query } from '../../api/api.js';
import { notifyError } from '../../ui/overlays/toast.js';

const preference = query('GET /api/creator/ai-preference');

/** Whether generative models may be trained with the creator's sounds. */
function AiPreferencePanel() {
  const client = useQueryClient();
  const { data } = useQuery(preference);
  const save = useMutation({
    ...mutation('PUT /api/creator/ai-preference'),
    onSuccess: (answer) => client.setQueryData(preference.queryKey, answer),
    onError: notifyError,
  });
  if (!data) return null;
  return (
    <section aria-labelledby="ai-title" className="panel p-5">
      <h2 id="ai-title" className="text-md font-semibold">
        AI training
      </h2>
      <p className="mt-1 text-muted">
        Packs, certificates and crawler rules change at once. Existing licences stay unchanged.
      </p>
      <label className="mt-4 flex min-h-11 items-center gap-2.5">
        <input
          type="checkbox"
          checked={data.trains}
          disabled={save.isPending}
          onChange={({ target }) => save.mutate({ body: { trains: target.checked } })}
        />
        Others may train generative models with my sounds
      </label>
    </section>
  );
}

const TEXTS = {
  none: 'Creators publish packs and are paid for every download. Access is granted by application, not by a plan.',
  applied: 'We are reviewing your application.',
  approved: 'You may upload and publish.',
  declined: 'Your application was declined. You may apply again.',
  suspended: `Your creator access is suspended. ${SUSPENSION_NOTICE}`,
} as const;
const TONES = {
  none: 'neutral',
  applied: 'info',
  approved: 'ok',
  declined: 'danger',
  suspended: 'danger',
} as const;

/** The state of creator access and the button to apply; for approved creators, their training preference. */
export function CreatorAccessPanel() {
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
          {status !== 'none' && <Badge tone={TONES[status]}>{status}</Badge>}
        </div>
        <p className="mt-1 text-muted">{TEXTS[status]}</p>
        <div className="mt-4 flex flex-wrap gap-2">
          {(status === 'none' || status === 'declined') && <ApplyButton size="small" />}
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
