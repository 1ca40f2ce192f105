import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { checkBody } from '../../api/check-body.js';
import { ApiProblem, messageOf } from '../../api/transport/http.js';
import { Button } from '../../ui/button.js';
import { Input } from '../../ui/forms/field.js';
import { REFUND_WINDOW_DAYS } from '../../../../application/administration/values.js';
import { refundInvoice, returnDefective, takeDown } from '../../api/admin.js';
import { countOf, formatUsdCents } from '../../ui/format.js';
import { toast } from '../../ui/overlays/toast.js';
import { reportWaiting } from '../../staff/failure.js';
import { askReason, type Decision } from '../../staff/ask-reason.js';

function returned(answer: { purchasesReturned: number; purchasesWaiting: number }): string {
  const said = `${countOf(answer.purchasesReturned, 'purchase')} returned.`;
  if (answer.purchasesWaiting === 0) return said;
  return `${said} ${countOf(answer.purchasesWaiting, 'purchase')} will be returned when a bank has decided.`;
}

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

/** Returns what is wrong with the input, so that it is shown before the dialog asks for a reason. */
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
