import { Check, Copy } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Button } from './button.js';
import { useCopy } from './hooks/use-copy.js';

export function CopyButton(props: { text: string } & ComponentProps<typeof Button>) {
  const { text, children = 'Copy', ...look } = props;
  const { copied, copy } = useCopy();
  const Icon = copied ? Check : Copy;
  return (
    <Button {...look} icon={<Icon size={look.size === 'small' ? 15 : 16} />} onClick={() => copy(text)}>
      {copied ? 'Copied' : children}
    </Button>
  );
}
