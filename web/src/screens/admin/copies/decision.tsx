import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type CopyDecision, decideOnCopy, type SuspectedCopy } from '../../../api/copies.js';
import { useReason, whyNot } from '../../../staff/decisions.js';
import { Button } from '../../../ui/button.js';
import { toast } from '../../../ui/overlays/toast.js';

const CHOICES = [
  { decision: 'allowed', label: 'Allow', done: 'Allowed', consequence: 'allow' },
  { decision: 'refused', label: 'Refuse', done: 'Refused', consequence: 'refuse' },
  { decision: 'taken down', label: 'Take down', done: 'Taken down', consequence: 'takeDown' },
] as const;
export function Decision({ copy, onDecided }: { copy: SuspectedCopy; onDecided: () => void }) {
  const { newcomer } = copy;
  const [decision, setDecision] = useState<CopyDecision>('allowed');
  const [andOthers, setAndOthers] = useState(false);
  const { reason, hasReason, problem, setProblem, field } = useReason();
  const chosen = CHOICES.find((each) => each.decision === decision) ?? CHOICES[0];
  const { mutate, isPending } = useMutation({
    mutationFn: () => decideOnCopy(copy.id, { decision, reason, andOthers }),
    onSuccess: () => {
      toast({ title: `${chosen.done}: ${newcomer.title}`, tone: 'ok' });
      onDecided();
    },
    onError: (error) => setProblem(whyNot(error, 'decided')),
  });
  const needsReason = decision !== 'allowed';
  return (
    <form
      noValidate
      className="panel px-5 py-4"
      aria-label="Decision"
      onSubmit={(event) => {
        event.preventDefault();
        if ((!needsReason || hasReason('Say why: its creator reads it.')) && !isPending) mutate();
      }}
    >
      <div
        role="radiogroup"
        aria-label="What becomes of B"
        className="grid grid-cols-1 gap-2.5 md:grid-cols-3"
      >
        {CHOICES.map(({ decision: value, label, consequence }) => (
          <label
            key={value}
            className="grid content-start items-center gap-x-3.5 gap-y-1 rounded border border-line px-3.5 py-3 split-18 hover:bg-hover data-chosen:border-text data-chosen:bg-raised"
            data-chosen={value === decision || undefined}
          >
            <input
              type="radio"
              className="size-4.5 accent-accent"
              name="decision"
              value={value}
              checked={value === decision}
              onChange={() => {
                setDecision(value);
                setProblem(undefined);
              }}
            />
            <b>{label}</b>
            <span className="col-start-2 text-muted">{copy.consequences[consequence]}</span>
          </label>
        ))}
      </div>
      <div className="mt-3 flex flex-wrap gap-3">
        <input
          className="field min-w-60 flex-1"
          aria-label={needsReason ? 'Reason' : 'Reason (optional)'}
          aria-invalid={problem !== undefined || undefined}
          aria-describedby={problem ? 'copies-problem' : undefined}
          placeholder={needsReason ? `${newcomer.creatorName} reads it` : 'Reason, if there is one to give'}
          {...field}
        />
        <Button type="submit" tone="primary" busy={isPending}>
          {chosen.label} “{newcomer.title}”
        </Button>
      </div>
      {problem && (
        <p id="copies-problem" role="alert" className="mt-2 text-sm text-danger">
          {problem}
        </p>
      )}
      {decision === 'allowed' && (
        <label className="mt-3 flex items-center gap-2.5">
          <input
            type="checkbox"
            className="size-4.5 flex-none accent-accent"
            checked={andOthers}
            onChange={(event) => setAndOthers(event.target.checked)}
          />
          Compare no other sounds of {copy.original.creatorName} and {newcomer.creatorName} either
        </label>
      )}
    </form>
  );
}
