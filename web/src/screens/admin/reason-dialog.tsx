import { useMutation } from '@tanstack/react-query';
import { useId, useState, type FormEvent } from 'react';
import { REASON_MAX_LENGTH, REASON_MIN_LENGTH } from '../../../../application/administration/values.js';
import { messageOf } from '../../api/http.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { Textarea } from '../../ui/forms/field.js';

/** A decision that others must be able to understand. */
export interface Decision {
  title: string;
  /** The consequences. */
  consequence: string;
  confirmLabel: string;
  /** Throws what refused it. */
  decide: (reason: string) => Promise<void>;
}

/** Asks why, then decides; a refusal is shown and nothing is lost. */
export function ReasonDialog({ decision, onClose }: { decision: Decision; onClose: () => void }) {
  const { title, consequence, confirmLabel, decide } = decision;
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<string>();
  const id = useId();
  const { mutate, isPending } = useMutation({
    mutationFn: () => decide(reason.trim()),
    onSuccess: onClose,
    onError: (error) => setProblem(messageOf(error)),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (reason.trim().length < REASON_MIN_LENGTH) setProblem('Say why');
    else mutate();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description={consequence}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={id} tone="danger" busy={isPending}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <form id={id} noValidate onSubmit={submit}>
        <Textarea
          label="Reason"
          hint="Kept with the decision."
          value={reason}
          error={problem}
          maxLength={REASON_MAX_LENGTH}
          data-autofocus
          onChange={(event) => {
            setReason(event.target.value);
            setProblem(undefined);
          }}
        />
      </form>
    </Dialog>
  );
}
