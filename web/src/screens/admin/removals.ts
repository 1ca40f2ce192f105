import { REFUND_WINDOW_DAYS } from '../../../../application/administration/values.js';
import { refundInvoice, returnDefective, takeDown } from '../../api/admin.js';
import { countOf, formatUsdCents } from '../../ui/format.js';
import { toast } from '../../ui/overlays/toast.js';
import type { Decision } from '../../staff/ask-reason.js';

const returned = ({
  purchasesReturned,
  purchasesWaiting,
}: {
  purchasesReturned: number;
  purchasesWaiting: number;
}) =>
  `${countOf(purchasesReturned, 'purchase')} returned.${
    purchasesWaiting > 0
      ? ` ${countOf(purchasesWaiting, 'purchase')} will be returned when a bank has decided.`
      : ''
  }`;

/** Takes a pack off sale for good. @param done runs afterwards */
export function takedownOf(packId: string, name = 'this pack', done?: () => void): Decision {
  return {
    title: `Take down ${name}?`,
    consequence:
      'It leaves the shop and its files can no longer be downloaded. Buyers get their credits back and keep their certificates. This cannot be undone here.',
    confirmLabel: 'Take down',
    key: 'POST /api/admin/takedowns',
    subject: { packId },
    decide: async (reason) => {
      toast({ title: 'Taken down', description: returned(await takeDown(packId, reason)) });
      done?.();
    },
  };
}

export function defectOf(sampleId: string, done?: () => void): Decision {
  return {
    title: 'Return the credits?',
    consequence: 'Every buyer of this sample gets their credits back once.',
    confirmLabel: 'Return credits',
    key: 'POST /api/admin/defects',
    subject: { sampleId },
    decide: async (reason) => {
      toast({ title: 'Credits returned', description: returned(await returnDefective(sampleId, reason)) });
      done?.();
    },
  };
}

const INVOICE = /^in_/;
const SENT = {
  refunded: 'is on its way back',
  pending: 'goes back as soon as the payment provider has sent it',
  failed: 'could not be sent: the payment provider refused',
} as const;

/** Refunds the unspent part of a month. @param text the id of an invoice, or of a lot of credits */
export function refundOf(text: string, done: () => void): Decision {
  const subject = INVOICE.test(text) ? { invoiceId: text } : { lotId: text };
  return {
    title: 'Refund the unspent credits?',
    consequence: `The price of the unspent credits goes back to the card, and the credits are removed. Spent credits are not refunded. An invoice can be refunded for ${REFUND_WINDOW_DAYS} days.`,
    confirmLabel: 'Refund',
    key: 'POST /api/admin/refunds',
    subject,
    decide: async (reason) => {
      const answer = await refundInvoice(subject, reason);
      if (answer.status === 'waiting') {
        toast({
          title: 'A second person must approve it',
          description: `One person refunds only so much a day. Nothing was sent yet.`,
          tone: 'info',
        });
        return done();
      }
      const { status, amountUsdCents, creditsRevoked } = answer;
      const failed = status === 'failed';
      toast({
        title: `${formatUsdCents(amountUsdCents)} ${SENT[status]}`,
        description: failed ? undefined : `${countOf(creditsRevoked, 'credit')} taken.`,
        tone: failed ? 'danger' : 'ok',
      });
      done();
    },
  };
}
