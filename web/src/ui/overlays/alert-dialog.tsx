import { type AlertRequest, settleAlert } from './alerts.js';
import { Button } from '../button.js';
import { Dialog } from './dialog.js';

export default function AlertDialog({ request }: { request: AlertRequest }) {
  const { kind, title, message, description, action, More, confirmLabel, cancelLabel, destructive } = request;
  const close = () => settleAlert(false);
  return (
    <Dialog
      open
      alert
      onClose={close}
      title={title}
      description={description && description !== message ? `${message} ${description}` : message}
      actions={
        kind === 'alert' ? (
          <>
            <Button tone={action ? 'secondary' : 'primary'} onClick={close}>
              OK
            </Button>
            {action && (
              <Button
                tone="primary"
                data-autofocus
                onClick={() => {
                  close();
                  action.onPress();
                }}
              >
                {action.label}
              </Button>
            )}
          </>
        ) : (
          <>
            <Button onClick={close}>{cancelLabel ?? 'Cancel'}</Button>
            <Button tone={destructive ? 'danger' : 'primary'} onClick={() => settleAlert(true)}>
              {confirmLabel ?? 'Confirm'}
            </Button>
          </>
        )
      }
    >
      {More && <More />}
    </Dialog>
  );
}
