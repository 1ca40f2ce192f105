import { type ComponentProps, type ReactNode, useId } from 'react';
import { messageOf } from '../../api/transport/http.js';
import { Button } from '../button.js';
import { Dialog, type DialogProps } from '../overlays/dialog.js';

type Frame = Pick<DialogProps, 'onClose' | 'title' | 'description' | 'width'> & {
  confirmLabel: string;
  tone?: 'primary' | 'danger';
  children: ReactNode;
};

/** A dialog around a form, with a button to cancel and a button to send the form. */
export function FormFrame(props: Frame & { form: ComponentProps<'form'>; busy: boolean }) {
  const { form, busy, confirmLabel, tone = 'primary', children, ...dialog } = props;
  const id = useId();
  return (
    <Dialog
      {...dialog}
      open
      actions={
        <>
          <Button onClick={dialog.onClose}>Cancel</Button>
          <Button type="submit" form={id} tone={tone} busy={busy}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <form className="grid gap-4" {...form} id={id}>
        {children}
      </form>
    </Dialog>
  );
}

/** A dialog with a form. It closes after `send` has succeeded. If `send` fails, it stays open and keeps the input. */
export function FormDialog<Body, Name extends string>(
  props: Frame & {
    form: {
      formProps: (send: (body: Body) => Promise<unknown>) => ComponentProps<'form'>;
      formState: { isSubmitting: boolean };
      setError: (name: Name, error: { message: string }, options: { shouldFocus: boolean }) => void;
    };
    send: (body: Body) => Promise<unknown>;
    /** The field that shows the error if `send` fails. */
    refusalAt: NoInfer<Name>;
  },
) {
  const { form, send, refusalAt, ...frame } = props;
  const submit = (body: Body) =>
    send(body).then(frame.onClose, (error: unknown) =>
      form.setError(refusalAt, { message: messageOf(error) }, { shouldFocus: true }),
    );
  return <FormFrame {...frame} form={form.formProps(submit)} busy={form.formState.isSubmitting} />;
}
