import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { ORIGIN_LABELS } from '../../../../application/catalogue/values.js';
import { query } from '../../api/api.js';
import { AiPreferencePanel } from '../../creators/ai-preference-panel.js';
import OwnComplaints from '../../creators/own-complaints.js';
import OwnCopies from '../../creators/own-copies.js';
import { paths } from '../../paths.js';
import { countOf } from '../../ui/format.js';
import { Section } from '../../ui/section.js';
import { QueryFailure, Skeleton } from '../../ui/states.js';

/**
 * The rights to the creator's sounds: complaints, suspected copies, the choice on AI training, the stated origins and
 * the licences.
 */
export default function RightsTab() {
  const answer = useQuery(query('GET /api/creator/rights'));
  const { data } = answer;
  if (!data) {
    if (answer.isError) return <QueryFailure of={answer} title="Your rights could not be loaded" />;
    return <Skeleton className="h-80" text="Loading your rights..." />;
  }
  const { origins, licences } = data;
  return (
    <div className="grid gap-6">
      <OwnComplaints all empty="There are no complaints about your work." />
      <OwnCopies empty="None of your sounds resembles a sound of another creator." />
      <div className="grid gap-4 lg:grid-cols-3">
        <AiPreferencePanel />
        <Section title="Origin" heading="text-md font-semibold" className="panel p-5">
          {origins.length === 0 && <p className="mt-1 text-muted">You have no samples yet.</p>}
          <dl className="mt-1">
            {origins.map(({ origin, samples }) => (
              <div
                key={origin ?? ''}
                className="flex justify-between gap-3 border-b border-line py-2 last:border-0"
              >
                <dt className={origin ? undefined : 'text-warn'}>
                  {origin ? ORIGIN_LABELS[origin] : 'Not stated'}
                </dt>
                <dd className="font-semibold">{samples.toLocaleString('en')}</dd>
              </div>
            ))}
          </dl>
          <p className="mt-2 text-sm text-muted">You change it in the pack, also for many samples at once.</p>
        </Section>
        <Section title="Licences and proofs" heading="text-md font-semibold" className="panel p-5">
          <p className="mt-1 text-muted">
            {licences === 0
              ? 'No listener holds a licence yet.'
              : `Listeners hold ${countOf(licences, 'licence')}.`}{' '}
            Each has a signed certificate with the sample, its creator and the delivered file.
          </p>
          <p className="mt-3 flex flex-wrap gap-x-4 gap-y-1">
            <Link to={paths.legal('licence')} className="underline">
              Read the licence
            </Link>
            <Link to={paths.verifyCertificate} className="underline">
              Verify a certificate
            </Link>
          </p>
        </Section>
      </div>
    </div>
  );
}
