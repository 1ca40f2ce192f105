import type { ComponentType } from 'react';
import { held } from '../../held.js';

export interface AlertRequest {
  kind: 'alert' | 'confirm';
  title: string;
  message: string;
  /** A further text, shown after the message. */
  description?: string;
  action?: { label: string; onPress: () => void };
  /** Shown below the message of an alert. */
  More?: ComponentType;
  confirmLabel?: string;
  cancelLabel?: string;
  destructive?: boolean;
  settle: (confirmed: boolean) => void;
}

const current = held<AlertRequest | null>(null);

function ask(next: AlertRequest): void {
  current.get()?.settle(false);
  current.set(next);
}

/**
 * Closes the open alert or confirmation with an answer. If the visitor closes it without an answer, `confirmed` is
 * false.
 */
export function settleAlert(confirmed: boolean): void {
  current.get()?.settle(confirmed);
  current.set(null);
}

export const showAlert = (
  alert: Partial<Pick<AlertRequest, 'title' | 'message' | 'action' | 'More'>> = {},
): Promise<void> =>
  new Promise((resolve) =>
    ask({ kind: 'alert', title: 'Notice', message: '', ...alert, settle: () => resolve() }),
  );

export const askConfirm = (
  question: Partial<Omit<AlertRequest, 'kind' | 'action' | 'settle'>> = {},
): Promise<boolean> =>
  new Promise((settle) =>
    ask({ kind: 'confirm', title: 'Confirm', message: 'Are you sure?', ...question, settle }),
  );

export const useAlertRequest = current.use;
