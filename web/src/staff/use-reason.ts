import { type ChangeEvent, useState } from 'react';
import { REASON_MAX_LENGTH, REASON_MIN_LENGTH } from '../../../application/shared/values.js';

/** The reason for a decision, and the problem with the decision. Typing clears the problem. */
export function useReason(onChange?: () => void) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const reason = text.trim();
  return {
    reason,
    problem,
    setProblem,
    /** Returns whether there is a reason; otherwise `missing` is the problem. */
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
