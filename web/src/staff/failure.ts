import { messageOf } from '../api/transport/http.js';
import { isAnswer } from '../api/transport/idempotency-key.js';
import { toast } from '../ui/overlays/toast.js';

/** The reason of a failure, after a note if the outcome is unknown. @param done "answered" */
export const failureOf = (error: Error, done: string): string =>
  isAnswer(error) ? messageOf(error) : `We do not know yet whether it was ${done}. ${messageOf(error)}`;

/** Reports that an act failed, or that its outcome is unknown. @param done "adjusted" */
export const reportFailure = (error: unknown, done: string, description = messageOf(error)): void =>
  toast({
    title: isAnswer(error) ? `Nothing was ${done}` : `We do not know yet whether it was ${done}`,
    description,
    tone: 'danger',
  });
