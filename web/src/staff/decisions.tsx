import { Suspense, useEffect, type ChangeEvent, useState } from 'react';
import { held } from '../held.js';
import { lazyWithPreload } from '../shell/lazy-with-preload.js';
import type { Decision } from './reason-dialog.js';
import { REASON_MAX_LENGTH, REASON_MIN_LENGTH } from '../../../application/shared/values.js';
import { ApiProblem, messageOf } from '../api/transport/http.js';
import { isAnswer } from '../api/transport/idempotency-key.js';
import { toast } from '../ui/overlays/toast.js';

export type { Decision };

const ReasonDialog = lazyWithPreload(() => import('./reason-dialog.js'));

const asked = held<Decision | undefined>(undefined);

export const askReason = (decision: Decision): void => asked.set(decision);

/** Shows the dialog that `askReason` opens. Each staff screen renders this once. */
export function ReasonDialogs() {
  const decision = asked.use();
  useEffect(() => {
    void ReasonDialog.load().catch(() => undefined);
    return () => asked.set(undefined);
  }, []);
  return (
    decision && (
      <Suspense>
        <ReasonDialog decision={decision} onClose={() => asked.set(undefined)} />
      </Suspense>
    )
  );
}

/** The text field for the reason of a decision, and the problem to show beside it. Typing clears the problem. */
export function useReason(onChange?: () => void) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const reason = text.trim();
  return {
    reason,
    problem,
    setProblem,
    /** Returns whether the reason is long enough. If not, the text `missing` becomes the problem. */
    hasReason: (missing: string): boolean => {
      const has = reason.length >= REASON_MIN_LENGTH;
      if (!has) setProblem(missing);
      return has;
    },
    field: {
      maxLength: REASON_MAX_LENGTH,
      value: text,
      onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
        setText(event.target.value);
        setProblem(undefined);
        onChange?.();
      },
    },
  };
}

/** The message of an error, after a note if the outcome is unknown. @param done a participle such as "answered" */
export const failureOf = (error: Error, done: string): string =>
  isAnswer(error) ? messageOf(error) : `We do not know yet whether it was ${done}. ${messageOf(error)}`;

/**
 * The reason why a decision failed, for example that a colleague decided first.
 * @param done a participle such as "answered"
 */
export function whyNot(error: Error, done: string): string {
  if (!(error instanceof ApiProblem) || error.code !== 'AlreadyDecided') return failureOf(error, done);
  const { by, state } = error.members as { by?: string | null; state?: string };
  return state === 'lapsed'
    ? 'The sound is gone, so nothing is to be decided.'
    : `${by ?? 'A colleague'} ${done} this in the meantime: ${state ?? done}.`;
}

/** Reports that an act failed, or that its outcome is unknown. @param done a participle such as "adjusted" */
export const reportFailure = (error: unknown, done: string, description = messageOf(error)): void =>
  toast({
    title: isAnswer(error) ? `Nothing was ${done}` : `We do not know yet whether it was ${done}`,
    description,
    tone: 'danger',
  });

/** Reports that a second person must approve an act. @param description the situation until then */
export const reportWaiting = (description?: string): void =>
  toast({ title: 'A second person must approve it', description, tone: 'info' });
