import { REASON_MAX_LENGTH } from '../../../application/shared/values.js';
import type { FormBody, FormKey } from '../api/check-body.js';
import { Textarea } from '../ui/forms/field.js';
import { FormDialog } from '../ui/forms/form-dialog.js';
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
  /** The fields of the request body other than the reason. */
  subject?: object;
  /** Sends the decision. Throws if the server refuses it. */
  decide: (reason: string) => Promise<void>;
}

export default function ReasonDialog({ decision, onClose }: { decision: Decision; onClose: () => void }) {
  const { title, consequence, confirmLabel, tone = 'danger', key, subject, decide } = decision;
  const form = useBodyForm(key, {
    defaultValues: { reason: '' },
    body: ({ reason }) => ({ ...subject, reason }),
  });
  return (
    <FormDialog
      onClose={onClose}
      title={title}
      description={consequence}
      confirmLabel={confirmLabel}
      tone={tone}
      form={form}
      send={({ reason }) => decide(reason)}
      refusalAt="reason"
    >
      <Textarea
        label="Reason"
        hint="The reason is kept with the decision."
        maxLength={REASON_MAX_LENGTH}
        data-autofocus
        {...form.field('reason')}
      />
    </FormDialog>
  );
}
