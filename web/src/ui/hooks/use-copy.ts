import { useCallback, useState } from 'react';
import { toast } from '../overlays/toast.js';

/** Copies text to the clipboard, even without the clipboard API (plain http). */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}

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
