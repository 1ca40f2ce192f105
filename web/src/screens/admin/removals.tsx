import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { checkBody } from '../../api/check-body.js';
import { ApiProblem, messageOf } from '../../api/transport/http.js';
import { Button } from '../../ui/button.js';
import { Input } from '../../ui/forms/field.js';
import { REFUND_WINDOW_DAYS } from '../../../../application/administration/values.js';
import { refundInvoice, returnDefective, takeDown, deferredReturnsQuery } from '../../api/admin.js';
import { countOf, formatUsdCents, formatDay } from '../../ui/format.js';
import { toast } from '../../ui/overlays/toast.js';
import { askReason, type Decision, reportWaiting } from '../../staff/decisions.js';
import { api } from '../../api/api.js';
import { List } from '../../staff/list/list.js';
import { usePages } from '../../staff/list/paged-list.js';
import { Badge } from '../../ui/badge.js';
import { Section } from '../../ui/section.js';

function returned(answer: { purchasesReturned: number; purchasesWaiting: number }): string {
  const said = `${countOf(answer.purchasesReturned, 'purchase')} returned.`;
  if (answer.purchasesWaiting === 0) return said;
  return `${said} ${countOf(answer.purchasesWaiting, 'purchase')} will be returned when a bank has decided.`;
}

/**
 * Returns the decision to take a pack down for good and to return the credits of its buyers.
 * @param done runs after the takedown
 */
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

/**
 * Returns the decision to refund the unspent credits of one payment.
 * @param text the id of the payment's invoice, or of the lot that the payment bought
 */
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
        reportWaiting('One person refunds only so much a day. Nothing was sent yet.');
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

/** Returns what is wrong with the typed id, so that the form shows it before the dialog asks for a reason. */
async function subjectProblem({ key, subject }: Decision): Promise<string | undefined> {
  const checked = await checkBody(key, { ...subject, reason: '' });
  if (!('problems' in checked)) return undefined;
  return Object.entries(checked.problems).find(([member]) => member !== 'reason')?.[1];
}

export function Start(props: {
  title: string;
  label: string;
  hint: string;
  button: string;
  decisionOn: (text: string, done: () => void) => Decision | Promise<Decision>;
}) {
  const [text, setText] = useState('');
  const { mutate, reset, data, error, isPending } = useMutation({
    mutationFn: async (): Promise<string | undefined> => {
      if (text.trim() === '') return 'Enter one';
      const decision = await props.decisionOn(text.trim(), () => setText(''));
      const problem = await subjectProblem(decision);
      if (!problem) askReason(decision);
      return problem;
    },
  });
  const missing = error instanceof ApiProblem && error.status === 404;
  const problem = missing ? 'There is no page at this address.' : error ? messageOf(error) : data;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  return (
    <form
      noValidate
      aria-label={props.title}
      className="panel grid content-start gap-4 p-5"
      onSubmit={submit}
    >
      <h2 className="text-lg font-semibold">{props.title}</h2>
      <Input
        label={props.label}
        hint={props.hint}
        error={problem}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          reset();
        }}
      />
      <Button type="submit" tone="danger" busy={isPending}>
        {props.button}
      </Button>
    </form>
  );
}

const PACK_ADDRESS = /\/pack\/([^/?#]+)\/([^/?#]+)/;

/** Finds a pack by the address of its page. Any other text is taken for the pack's id. */
async function packOf(text: string): Promise<{ id: string; title?: string }> {
  const [, slug, handle] = PACK_ADDRESS.exec(text) ?? [];
  if (!slug || !handle) return { id: text };
  const params = { handle: decodeURIComponent(handle), slug: decodeURIComponent(slug) };
  return api('GET /api/packs/:handle/:slug', { params });
}

const STATUSES = {
  waiting: { tone: 'warn', says: 'Waits for the bank' },
  returned: { tone: 'ok', says: 'Returned' },
  withheld: { tone: 'danger', says: 'The buyer got the money back instead' },
} as const;

/** Deferred returns of purchases: they wait, or waited, for a bank's decision about a disputed payment. */
function DeferredReturns() {
  return (
    <List
      cards
      of={usePages(deferredReturnsQuery)}
      title="Returns that waited for a bank"
      file="returns-waiting-for-a-bank"
      empty="No return had to wait for a bank"
      more="More returns"
      keyOf={({ id }) => id}
      columns={[
        {
          label: 'Buyer and sample',
          value: ({ buyerName, sampleTitle, sampleId }) => `${buyerName}, ${sampleTitle ?? sampleId}`,
          cell: ({ buyerName, sampleTitle, sampleId }) => (
            <>
              <span className="block font-semibold">{buyerName}</span>
              <span className="block text-sm font-normal text-faint">{sampleTitle ?? sampleId}</span>
            </>
          ),
        },
        {
          label: 'Why',
          value: ({ reason, explanation }) => `${reason}: ${explanation}`,
          cell: ({ reason, explanation }) => (
            <>
              <span className="block">{reason === 'defect' ? 'Defective' : 'Taken down'}</span>
              <span className="block text-sm text-faint">{explanation}</span>
            </>
          ),
        },
        { label: 'Asked for', value: ({ askedAt }) => askedAt, kind: formatDay },
        {
          label: 'Status',
          value: ({ status }) => status,
          cell: ({ status, settledAt, returnedCredits }) => (
            <>
              <Badge tone={STATUSES[status].tone}>{STATUSES[status].says}</Badge>
              {settledAt && (
                <span className="mt-1 block text-sm text-faint">
                  {countOf(returnedCredits ?? 0, 'credit')}, {formatDay(settledAt)}
                </span>
              )}
            </>
          ),
        },
      ]}
    />
  );
}

export function TakedownsPage() {
  return (
    <>
      <div className="grid gap-4 lg:grid-cols-2">
        <Start
          title="Take down a pack"
          label="Pack"
          hint="The address of its page, or its id."
          button="Take down..."
          decisionOn={async (text, done) => {
            const { id, title } = await packOf(text);
            return takedownOf(id, title && `“${title}”`, done);
          }}
        />
        <Start
          title="A defective sample"
          label="Sample id"
          hint="The id in a report, or in the file of a certificate."
          button="Return credits..."
          decisionOn={defectOf}
        />
      </div>
      <Section title="Waiting for a bank" heading="text-lg font-semibold" className="mt-8">
        <p className="mb-4 mt-1 text-muted">
          While a payment is disputed, the purchases that it paid for are not returned. If the dispute is won,
          the buyer gets the credits back. If it is lost, the buyer has the money.
        </p>
        <DeferredReturns />
      </Section>
    </>
  );
}
