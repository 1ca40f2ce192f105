import { clsx } from 'clsx';
import { Check, Copy } from 'lucide-react';
import { useEffect } from 'react';
import { useName } from './named.js';
import { useCopy } from '../../../ui/hooks/use-copy.js';

const SHOWN_MS = 1_500;

/**
 * A hash or an id, cut to this many letters if it is long; a press copies it whole.
 * @param props.of the kind of id, for the accessible name
 * @param props.name the name of the person with this id; shown instead of it
 */
export function CopyId(props: { text: string; of: string; short?: number; name?: string | undefined }) {
  const { text, of, short = 12, name } = props;
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
      aria-label={copied ? `${of} copied` : `${name ? `${name}, copy` : 'Copy'} ${of} ${text}`}
      className={clsx('inline-flex min-h-6 items-center gap-2 hover:text-text', !name && 'mono')}
      onClick={() => copy(text)}
    >
      <span className="truncate" style={name ? {} : { maxWidth: `${short}ch` }}>
        {name ?? text}
      </span>
      <Icon size={13} className="text-faint" />
    </button>
  );
}

/** A person's name once it is known, or the name of a system actor such as the command line. A press copies the id. */
export function NamedId({ id, of }: { id: string; of: string }) {
  return <CopyId text={id} of={of} name={useName(id)} />;
}
