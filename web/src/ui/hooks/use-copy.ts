import { useCallback, useState } from 'react';
import { copyText } from '../copy.js';
import { toast } from '../overlays/toast.js';

/** Copies a text, and reports success by `copied` and a failure by toast. */
export function useCopy(): { copied: boolean; copy: (text: string) => void; forget: () => void } {
  const [copied, setCopied] = useState(false);
  const copy = (text: string) =>
    void copyText(text).then(
      () => setCopied(true),
      () => toast({ title: 'Error', description: 'It could not be copied.', tone: 'danger' }),
    );
  const forget = useCallback(() => setCopied(false), []);
  return { copied, copy, forget };
}
