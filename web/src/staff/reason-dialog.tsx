import { useId } from 'react';
import { REASON_MAX_LENGTH } from '../../../application/shared/values.js';
import type { FormBody, FormKey } from '../api/check-body.js';
import { messageOf } from '../api/transport/http.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/overlays/dialog.js';
import { Textarea } from '../ui/forms/field.js';
import { useBodyForm } from '../ui/forms/use-body-form.js';

type ReasonedKey = { [K in FormKey]: FormBody<K> extends { reason: string } ? K : never }[FormKey];

/** A decision that needs a reason, so that others can understand it. */
export interface Decision {
  title: string;
  consequence: string;
  confirmLabel: string;
  /** Danger by default; `primary` if the decision benefits a person. */
  tone?: 'primary';
  /** The endpoint of the decision. */
  key: ReasonedKey;
  /** The body, without the reason. */
  subject: object;
  /** Throws if the server refuses. */
  decide: (reason: string) => Promise<void>;
}

/** After a refusal, the dialog stays with its text. */
export default function ReasonDialog({ decision, onClose }: { decision: Decision; onClose: () => void }) {
  const { title, consequence, confirmLabel, tone = 'danger', key, subject, decide } = decision;
  const id = useId();
  const { register, formProps, setError, formState } = useBodyForm(key, {
    defaultValues: { reason: '' },
    body: ({ reason }) => ({ ...subject, reason }),
  });
  const submit = ({ reason }: { reason: string }) =>
    decide(reason).then(onClose, (error: unknown) => setError('reason', { message: messageOf(error) }));
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description={consequence}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={id} tone={tone} busy={formState.isSubmitting}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <form id={id} {...formProps(submit)}>
        <Textarea
          label="Reason"
          hint="The reason is kept with the decision."
          error={formState.errors.reason?.message}
          maxLength={REASON_MAX_LENGTH}
          data-autofocus
          {...register('reason')}
        />
      </form>
    </Dialog>
  );
}
