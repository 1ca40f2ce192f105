import { ApiProblem } from '../../../api/transport/http.js';
import { failureOf } from '../../../staff/failure.js';

/** The message why an answer was refused, or that its outcome is unknown. */
export function whyNot(error: Error): string {
  if (error instanceof ApiProblem && error.code === 'AlreadyDecided') {
    const { by, state } = error.members as { by?: string | null; state?: string };
    return `${by ?? 'A colleague'} answered this in the meantime: ${state ?? 'answered'}.`;
  }
  return failureOf(error, 'answered');
}
