import { useQuery } from '@tanstack/react-query';
import { SUSPENSION_NOTICE } from '../../../../application/publishing/values.js';
import { creatorQuery } from '../../api/account.js';
import { paths } from '../../paths.js';
import { ApplyButton } from '../../creators/apply-button.js';
import { Badge } from '../../ui/badge.js';
import { ButtonLink } from '../../ui/button.js';
import { AiPreferencePanel } from './ai-preference-panel.js';

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
