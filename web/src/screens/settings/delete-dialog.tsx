import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { query } from '../../api/api.js';
import { REFUND_WINDOW_DAYS } from '../../../../application/administration/values.js';
import type { CreditBalance } from '../../../../application/credits/contract.js';
import { downloadsQuery } from '../../api/account.js';
import { businessNow } from '../../clock.js';
import { paths } from '../../paths.js';
import { isRunning } from '../../plans/price.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { countOf, formatMicroUsd } from '../../ui/format.js';
import { Dialog } from '../../ui/overlays/dialog.js';

const WINDOW_MS = REFUND_WINDOW_DAYS * 86_400_000;

type Lot = CreditBalance['lots'][number];

const creditsIn = (lots: readonly Lot[]) => lots.reduce((sum, { creditsLeft }) => sum + creditsLeft, 0);

const isRefundable = ({ source, creditsLeft, grantedAt }: Lot) =>
  (source === 'monthly_grant' || source === 'top_up') &&
  creditsLeft > 0 &&
  businessNow() - Date.parse(grantedAt) < WINDOW_MS;

/** The count and the value of credits, such as "200 credits, worth $30.00". Promotional credits have no value. */
function creditsText(lots: readonly Lot[]): string {
  const count = countOf(creditsIn(lots), 'credit');
  const worthMicroUsd = lots.reduce(
    (sum, lot) => sum + Math.floor((lot.valueMicroUsd * lot.creditsLeft) / lot.creditsGranted),
    0,
  );
  return worthMicroUsd > 0 ? `${count}, worth ${formatMicroUsd(worthMicroUsd)}` : count;
}

function Lost({ what, children }: { what: string; children?: ReactNode }) {
  return (
    <li className="border-t border-line py-2.5">
      <p className="font-semibold">{what}</p>
      <p className="text-muted">{children}</p>
    </li>
  );
}

export default function DeleteDialog({ onClose, onDelete }: { onClose: () => void; onDelete: () => void }) {
  const { data: credits } = useQuery(query('GET /api/credits'));
  const { data: subscription } = useQuery(query('GET /api/subscription'));
  const { data: plans } = useQuery(query('GET /api/plans'));
  const { data: downloads } = useInfiniteQuery(downloadsQuery);
  const first = downloads?.pages[0];
  const files = first?.items.length ?? 0;
  const lots = credits?.lots.filter(({ creditsLeft }) => creditsLeft > 0) ?? [];
  const refundable = creditsIn(lots.filter(isRefundable));
  const plan = plans?.items.find(({ id }) => id === subscription?.plan);
  return (
    <Dialog
      open
      alert
      title="Delete account?"
      description="Your name, e-mail, picture, saved items and history are erased. Purchases stay in the books without your name. This cannot be undone."
      onClose={onClose}
      actions={
        <>
          {files > 0 && <ButtonLink to={paths.libraryDownloads}>Download everything first</ButtonLink>}
          <Button onClick={onClose}>Cancel</Button>
          <Button
            tone="danger"
            onClick={() => {
              onClose();
              onDelete();
            }}
          >
            Delete account
          </Button>
        </>
      }
    >
      <ul aria-label="What you lose" aria-live="polite">
        {lots.length > 0 && (
          <Lost what={creditsText(lots)}>
            {refundable > 0
              ? `${countOf(refundable, 'credit')} can still be refunded: you paid for them in the last ${REFUND_WINDOW_DAYS} days. Ask for the refund first.`
              : 'They cannot be used after this.'}
          </Lost>
        )}
        {plan && subscription && isRunning(subscription) && (
          <Lost what={`Your ${plan.name} plan`}>It ends now, also if the month is paid.</Lost>
        )}
        {files > 0 && (
          <Lost what={`Free downloads of ${first?.nextCursor ? `more than ${files}` : files} samples`}>
            Your licences stay valid. You cannot download the files again.
          </Lost>
        )}
      </ul>
    </Dialog>
  );
}
