import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { REASON_MAX_LENGTH, REASON_MIN_LENGTH } from '../../../../../application/shared/values.js';
import { COUNTER_DECISIONS } from '../../../../../application/complaints/values.js';
import {
  answerCounterNotice,
  type Complaint,
  type CounterAnswer as Body,
} from '../../../api/admin-complaints.js';
import { titleOf } from '../../../creators/complaint-words.js';
import { Button } from '../../../ui/button.js';
import { Textarea } from '../../../ui/forms/field.js';
import { toast } from '../../../ui/overlays/toast.js';
import { Choices } from './choices.js';
import { whyNot } from './why-not.js';

const hintOf = (decision: Body['decision'], { subject }: Complaint): string => {
  if (decision === 'stands') return 'It stays away.';
  return subject.kind === 'pack'
    ? 'The strike is lifted. The creator must publish the pack again.'
    : 'It is on sale again, and the strike goes.';
};
const LABELS = { restored: 'Give it back', stands: 'Let the answer stand' } as const;

/** The decision about a measure after the creator's objection. */
export function CounterAnswer({ complaint }: { complaint: Complaint }) {
  const [decision, setDecision] = useState<Body['decision']>('stands');
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<string>();
  const { mutate, isPending } = useMutation({
    mutationFn: () => answerCounterNotice(complaint.id, { decision, reason: reason.trim() }),
    onSuccess: () => toast({ title: `Answered: ${titleOf(complaint)}`, tone: 'ok' }),
    onError: (error) => setProblem(whyNot(error)),
  });
  return (
    <form
      noValidate
      aria-label="Answer to the counter-notice"
      className="panel px-5 py-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (reason.trim().length < REASON_MIN_LENGTH) setProblem('Say why: both read it.');
        else if (!isPending) mutate();
      }}
    >
      <Choices
        name="counter"
        of={COUNTER_DECISIONS}
        chosen={decision}
        onChoose={setDecision}
        wordsOf={(each) => ({ label: LABELS[each], hint: hintOf(each, complaint) })}
      />
      <Textarea
        label="Reason"
        hint="Both sides read it."
        className="mt-4"
        rows={3}
        maxLength={REASON_MAX_LENGTH}
        value={reason}
        error={problem}
        onChange={(event) => {
          setReason(event.target.value);
          setProblem(undefined);
        }}
      />
      <Button type="submit" tone="primary" className="mt-4" busy={isPending}>
        {LABELS[decision]}
      </Button>
    </form>
  );
}
