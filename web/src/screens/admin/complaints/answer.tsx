import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { REASON_MAX_LENGTH, REASON_MIN_LENGTH } from '../../../../../application/shared/values.js';
import { COMPLAINT_DECISIONS } from '../../../../../application/complaints/values.js';
import {
  answerComplaint,
  type Complaint,
  type ComplaintAnswer,
  previewQuery,
} from '../../../api/admin-complaints.js';
import { titleOf } from '../../../creators/complaint-words.js';
import { Button } from '../../../ui/button.js';
import { Checkbox, Select, Textarea } from '../../../ui/forms/field.js';
import { toast } from '../../../ui/overlays/toast.js';
import { Choices } from './choices.js';
import { whyNot } from './why-not.js';

type Decision = ComplaintAnswer['decision'];
type Measure = Complaint['measures'][number];

const DECISIONS: Record<Decision, { label: string; hint: string }> = {
  upheld: { label: 'Uphold', hint: 'The complaint is right.' },
  partly: { label: 'Uphold in part', hint: 'A part of it is right.' },
  rejected: { label: 'Reject', hint: 'Everything stays as it is.' },
};
const MEASURES: Record<Measure, string> = {
  none: 'Take nothing away',
  refuse: 'Take it off sale; licences stand',
  'take down': 'Take it down; buyers get their credits back',
  return: 'Leave it; buyers get their credits back',
};

function Mails({ id, body }: { id: string; body: ComplaintAnswer }) {
  const { data } = useQuery(previewQuery(id, body));
  if (!data) return null;
  return (
    <div className="grid grid-cols-1 gap-3 lg:grid-cols-2 mt-4">
      {(
        [
          ['To who complains', data.complainant],
          ['To the creator', data.creator],
        ] as const
      ).map(([to, letter]) => (
        <section key={to} aria-label={to} className="border border-line bg-inset px-4 py-3">
          <p className="text-sm text-muted">{to}</p>
          <p className="mt-1 font-semibold wrap-anywhere">{letter.subject}</p>
          {letter.lines.map((line) => (
            <p key={line} className="mt-2 text-sm whitespace-pre-wrap wrap-anywhere">
              {line}
            </p>
          ))}
        </section>
      ))}
    </div>
  );
}

/** The form of an answer: decision, measure, reason and the resulting mails. */
export function Answer({ complaint }: { complaint: Complaint }) {
  const { id, measures } = complaint;
  const [decision, setDecision] = useState<Decision>('rejected');
  const [measure, setMeasure] = useState<Measure>('none');
  const [isStrike, setStrike] = useState(false);
  const [reason, setReason] = useState('');
  const [shown, setShown] = useState<ComplaintAnswer>();
  const [problem, setProblem] = useState<string>();
  const withholds = measure === 'refuse' || measure === 'take down';
  const body: ComplaintAnswer = {
    decision,
    measure: decision === 'rejected' ? 'none' : measure,
    isStrike: decision !== 'rejected' && withholds && isStrike,
    reason: reason.trim(),
  };
  const { mutate, isPending } = useMutation({
    mutationFn: () => answerComplaint(id, body),
    onSuccess: () => toast({ title: `Answered: ${titleOf(complaint)}`, tone: 'ok' }),
    onError: (error) => setProblem(whyNot(error)),
  });
  const isReady = () => {
    if (body.reason.length >= REASON_MIN_LENGTH) return true;
    setProblem('Say why: both read it.');
    return false;
  };
  const change = (then: () => void) => {
    then();
    setProblem(undefined);
    setShown(undefined);
  };
  return (
    <form
      noValidate
      aria-label="Answer"
      className="panel px-5 py-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady() && !isPending) mutate();
      }}
    >
      <Choices
        name="decision"
        of={COMPLAINT_DECISIONS}
        chosen={decision}
        onChoose={(each) => change(() => setDecision(each))}
        wordsOf={(each) => DECISIONS[each]}
      />
      {decision !== 'rejected' && measures.length > 1 && (
        <Select
          label="What is done"
          className="mt-4 max-w-120"
          value={measure}
          onChange={(event) => change(() => setMeasure(event.target.value as Measure))}
        >
          {measures.map((each) => (
            <option key={each} value={each}>
              {MEASURES[each]}
            </option>
          ))}
        </Select>
      )}
      {decision !== 'rejected' && withholds && (
        <Checkbox
          className="mt-3"
          label="Record a strike, which counts for a year"
          checked={isStrike}
          onChange={(event) => change(() => setStrike(event.target.checked))}
        />
      )}
      <Textarea
        label="Reason"
        hint="Both sides read it."
        className="mt-4"
        rows={3}
        maxLength={REASON_MAX_LENGTH}
        value={reason}
        error={problem}
        onChange={(event) => change(() => setReason(event.target.value))}
      />
      {shown && <Mails id={id} body={shown} />}
      <div className="mt-4 flex flex-wrap gap-3">
        <Button type="submit" tone={decision === 'rejected' ? 'primary' : 'danger'} busy={isPending}>
          {DECISIONS[decision].label}
        </Button>
        <Button onClick={() => isReady() && setShown(body)}>Show the mails</Button>
      </div>
    </form>
  );
}
