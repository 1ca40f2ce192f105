import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { CONSENT_TEXTS, CURRENT_CONSENT } from '../../../application/subscriptions/values.js';
import { query } from '../api/api.js';
import { Sticker } from '../ui/badge.js';
import { Checkbox } from '../ui/forms/field.js';
import { Button } from '../ui/button.js';
import { Cover } from '../ui/sound/cover.js';
import { countOf, listed } from '../ui/format.js';
import { Dialog } from '../ui/overlays/dialog.js';
import { type Confirmation, answerPrice } from './confirmation.js';

/** Returns for example "1 Credit" or "2 Credits". */
const costLabel = (credits: number): string =>
  `${credits.toLocaleString('en')} ${credits === 1 ? 'Credit' : 'Credits'}`;

/** Returns "its MIDI file" for a single sample, and "3 MIDI files" for a pack. */
const counted = (count: number, of: number, one: string): string =>
  of === 1 ? `its ${one}` : countOf(count, one);

/** Says which MIDI files and stems the visitor gets, and before the payment that stems need the Studio plan. */
function Extras({ samples, delivered }: Pick<Confirmation, 'samples' | 'delivered'>) {
  const midi = samples.filter(({ hasMidi }) => hasMidi).length;
  const stems = samples.filter(({ hasStems }) => hasStems).length;
  const { data: plan } = useQuery({ ...query('GET /api/subscription'), enabled: stems > 0 });
  const inStudio = plan?.plan === 'studio' && plan.status === 'active';
  const included = [
    ...(midi > 0 ? [counted(midi, samples.length, 'MIDI file')] : []),
    ...(stems > 0 && inStudio ? [counted(stems, samples.length, 'stems archive')] : []),
  ];
  return (
    <>
      {included.length > 0 ? (
        <p className="mt-4">
          Comes with {included.join(' and ')}, in {delivered ?? 'one ZIP'}.
        </p>
      ) : (
        delivered && <p className="mt-4">You get {delivered}.</p>
      )}
      {stems > 0 && !inStudio && (
        <p className="mt-4 border-l-3 border-warn pl-3 text-warn">
          {samples.length === 1 ? 'Its stems' : `The stems of ${countOf(stems, 'sample')}`} need an active
          Studio plan at the time of the download.
          {plan && ' You do not have one, so they are not included.'}
        </p>
      )}
    </>
  );
}

/** Shows the price, and asks the visitor before credits are spent. */
export default function DownloadDialog({ confirmation }: { confirmation: Confirmation }) {
  const {
    title,
    by,
    cover,
    samples,
    delivered,
    freeTitles = [],
    saving,
    costCredits,
    balanceCredits,
    formerCostCredits,
    consentDue = false,
    busy,
  } = confirmation;
  const [consents, setConsents] = useState(false);
  return (
    <Dialog
      open
      alert
      onClose={() => answerPrice(false)}
      title="Confirm Download"
      width={372}
      actions={
        <>
          <Button onClick={() => answerPrice(false)}>{busy ? 'Close' : 'Cancel'}</Button>
          <Button
            tone="primary"
            busy={busy}
            disabled={consentDue && !consents}
            icon={<Download size={17} />}
            onClick={() => answerPrice(true)}
          >
            Download
          </Button>
        </>
      }
    >
      <p className="mb-3 text-muted">You&apos;re about to download:</p>
      <div className="flex items-center gap-3">
        <Cover {...cover} size="small" className="w-12 flex-none" />
        <div className="min-w-0">
          <p className="truncate text-md font-semibold">{title}</p>
          <p className="truncate text-muted">{by}</p>
        </div>
      </div>
      {freeTitles.length > 0 && (
        <p className="mt-4">
          {listed(freeTitles)} {freeTitles.length === 1 ? 'is' : 'are'} yours already and{' '}
          {freeTitles.length === 1 ? 'costs' : 'cost'} nothing.
        </p>
      )}
      <Extras samples={samples} delivered={delivered} />
      {/* Hides the sentence about the lower price after the price changed, because it may no longer be true. */}
      {saving && formerCostCredits === null && <p className="mt-4">{saving}</p>}
      {formerCostCredits !== null && (
        <p role="alert" className="mt-4 border-l-3 border-warn pl-3 text-warn">
          The price changed from {costLabel(formerCostCredits)} to {costLabel(costCredits)}. Nothing was
          charged.
        </p>
      )}
      <dl className="mt-4 grid grid-cols-[1fr_auto] items-center gap-y-2 border-t border-line pt-4">
        <dt>Credit Cost:</dt>
        <dd className="flex items-center gap-2 font-semibold">
          <span aria-hidden="true">
            <Sticker tone="accent">{costCredits}</Sticker>
          </span>
          {costLabel(costCredits)}
        </dd>
        {balanceCredits !== null && (
          <>
            <dt className="text-sm text-muted">You have {balanceCredits.toLocaleString('en')}</dt>
            <dd className="justify-self-end text-sm text-muted">
              {(balanceCredits - costCredits).toLocaleString('en')} after this
            </dd>
          </>
        )}
      </dl>
      {consentDue && (
        <Checkbox
          className="mt-4 items-start! border-t border-line pt-4"
          label={CONSENT_TEXTS[CURRENT_CONSENT]}
          checked={consents}
          onChange={(event) => setConsents(event.target.checked)}
        />
      )}
    </Dialog>
  );
}
