import { ApiProblem, messageOf } from '../api/transport/http.js';
import { isAnswer } from '../api/transport/idempotency-key.js';
import { toast } from '../ui/overlays/toast.js';

/** The reason of a failure, after a note if the outcome is unknown. @param done "answered" */
export const failureOf = (error: Error, done: string): string =>
  isAnswer(error) ? messageOf(error) : `We do not know yet whether it was ${done}. ${messageOf(error)}`;

/** The reason why a decision failed, such as a colleague who was faster. @param done "answered" */
export function whyNot(error: Error, done: string): string {
  if (!(error instanceof ApiProblem) || error.code !== 'AlreadyDecided') return failureOf(error, done);
  const { by, state } = error.members as { by?: string | null; state?: string };
  return state === 'lapsed'
    ? 'The sound is gone, so nothing is to be decided.'
    : `${by ?? 'A colleague'} ${done} this in the meantime: ${state ?? done}.`;
}

/** Reports that an act failed, or that its outcome is unknown. @param done "adjusted" */
export const reportFailure = (error: unknown, done: string, description = messageOf(error)): void =>
  toast({
    title: isAnswer(error) ? `Nothing was ${done}` : `We do not know yet whether it was ${done}`,
    description,
    tone: 'danger',
  });

/** Reports that a second person decides. @param description the situation until then */
export const reportWaiting = (description?: string): void =>
  toast({ title: 'A second person must approve it', description, tone: 'info' });
