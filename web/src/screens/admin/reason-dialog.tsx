import { useId, useState, type FormEvent } from 'react';
import { messageOf } from '../../api/http.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { Textarea } from '../../ui/forms/field.js';

const SHORTEST = 3;

/** A decision that others will want to understand. */
export interface Decision {
  title: string;
  /** What follows from it. */
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
  const [busy, setBusy] = useState(false);
  const id = useId();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (reason.trim().length < SHORTEST) return setProblem('Say why');
    setBusy(true);
    try {
      await decide(reason.trim());
      onClose();
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
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
          <Button type="submit" form={id} tone="danger" busy={busy}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <form id={id} noValidate onSubmit={(event) => void submit(event)}>
        <Textarea
          label="Reason"
          hint="Kept with the decision."
          value={reason}
          error={problem}
          maxLength={500}
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
