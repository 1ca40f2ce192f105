import { clsx } from 'clsx';
import { Upload } from 'lucide-react';
import type { ReactNode } from 'react';
import { useFileDrop } from './use-file-drop.js';
import { useFilePicker } from './file-picker.js';

/**
 * An area that accepts one file, dropped or chosen. `children` is the text after "Drop a file here, or choose
 * it."
 */
export function FileDrop(props: {
  label: string;
  accept: string;
  onFile: (file: File) => void;
  children?: ReactNode;
}) {
  const { label, accept, onFile, children } = props;
  const { over, drop } = useFileDrop(onFile);
  const { input, open } = useFilePicker({ label, accept, onFiles: ([file]) => file && onFile(file) });
  return (
    <div
      data-testid="file-drop"
      {...drop}
      className={clsx(
        'flex min-h-18 items-center gap-3.5 border border-dashed px-4 py-3 text-muted',
        over ? 'border-accent bg-accent-wash text-text' : 'border-strong',
      )}
    >
      <Upload size={18} className="flex-none" />
      <p>
        Drop a file here, or{' '}
        <button type="button" className="underlined min-h-6 text-text" onClick={open}>
          choose it
        </button>
        . {children}
      </p>
      {input}
    </div>
  );
}
