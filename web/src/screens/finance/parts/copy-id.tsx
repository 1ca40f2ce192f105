import { Check, Copy } from 'lucide-react';
import { useEffect } from 'react';
import { useCopy } from '../../../ui/hooks/use-copy.js';

const SHOWN_MS = 1_500;

/**
 * A hash or an id, cut to this many letters if it is long; a press copies it whole.
 * @param of what it identifies, for its name
 */
export function CopyId({ text, of, short = 12 }: { text: string; of: string; short?: number }) {
  const { copied, copy, forget } = useCopy();
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(forget, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied, forget]);
  const Icon = copied ? Check : Copy;
  return (
    <button
      type="button"
      title={text}
      aria-label={copied ? `${of} copied` : `Copy ${of} ${text}`}
      className="mono inline-flex min-h-6 items-center gap-2 hover:text-text"
      onClick={() => copy(text)}
    >
      <span className="truncate" style={{ maxWidth: `${short}ch` }}>
        {text}
      </span>
      <Icon size={13} strokeWidth={1.75} className="text-faint" aria-hidden="true" />
    </button>
  );
}
