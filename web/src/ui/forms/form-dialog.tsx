import { type ComponentProps, type ReactNode, useId } from 'react';
import { messageOf } from '../../api/transport/http.js';
import { Button } from '../button.js';
import { Dialog, type DialogProps } from '../overlays/dialog.js';

/** A dialog with a form. It closes when the body is sent; after a refusal it stays, with its text. */
export function FormDialog<Body, Name extends string>(
  props: Pick<DialogProps, 'onClose' | 'title' | 'description' | 'width'> & {
    form: {
      formProps: (send: (body: Body) => Promise<unknown>) => ComponentProps<'form'>;
      formState: { isSubmitting: boolean };
      setError: (name: Name, error: { message: string }, options: { shouldFocus: true }) => void;
    };
    send: (body: Body) => Promise<unknown>;
    /** The field that shows a refusal. */
    refusalAt: NoInfer<Name>;
    confirmLabel: string;
    tone?: 'primary' | 'danger';
    children: ReactNode;
  },
) {
  const { form, send, refusalAt, confirmLabel, tone = 'primary', children, ...dialog } = props;
  const { onClose } = dialog;
  const id = useId();
  const submit = (body: Body) =>
    send(body).then(onClose, (error: unknown) =>
      form.setError(refusalAt, { message: messageOf(error) }, { shouldFocus: true }),
    );
  return (
    <Dialog
      {...dialog}
      open
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={id} tone={tone} busy={form.formState.isSubmitting}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <form id={id} {...form.formProps(submit)} className="grid gap-4">
        {children}
      </form>
    </Dialog>
  );
}
