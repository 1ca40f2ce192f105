import { held } from '../../held.js';

export interface AlertRequest {
  kind: 'alert' | 'confirm';
  title: string;
  message: string;
  /** The screen reader's description of a confirmation; the message by default. */
  description?: string;
  action?: { label: string; onPress: () => void };
  confirmLabel?: string;
  /** "Cancel" by default. */
  cancelLabel?: string;
  destructive?: boolean;
  settle: (confirmed: boolean) => void;
}

const current = held<AlertRequest | null>(null);

function ask(next: AlertRequest): void {
  current.get()?.settle(false);
  current.set(next);
}

/** Closes the open alert or confirmation with an answer; no answer counts as no. */
export function settleAlert(confirmed: boolean): void {
  current.get()?.settle(confirmed);
  current.set(null);
}

/** Shows an alert, and resolves when it closes. The title defaults to "Notice". */
export function showAlert(
  alert: { title?: string; message?: string; action?: AlertRequest['action'] } = {},
): Promise<void> {
  return new Promise((resolve) =>
    ask({ kind: 'alert', title: 'Notice', message: '', ...alert, settle: () => resolve() }),
  );
}

/** Asks; resolves true only if the visitor confirms. Defaults to "Confirm" / "Are you sure?". */
export function askConfirm(
  question: {
    title?: string;
    message?: string;
    description?: string;
    confirmLabel?: string;
    cancelLabel?: string;
    destructive?: boolean;
  } = {},
): Promise<boolean> {
  return new Promise((settle) =>
    ask({ kind: 'confirm', title: 'Confirm', message: 'Are you sure?', ...question, settle }),
  );
}

/** The current request, for the one host that renders it. */
export const useAlertRequest = current.use;
