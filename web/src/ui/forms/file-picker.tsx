import { type ChangeEvent, useRef } from 'react';

/** A hidden file input, and a function that opens its dialog. The same file can be chosen again. */
export function useFilePicker(props: {
  label: string;
  accept?: string;
  multiple?: boolean;
  /** Chooses a folder instead of files. Each file then has its path inside the folder. */
  folder?: boolean;
  onFiles: (files: File[]) => void;
}) {
  const { label, folder, onFiles, ...rest } = props;
  const box = useRef<HTMLInputElement>(null);
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(target.files ?? [])];
    target.value = '';
    if (files.length > 0) onFiles(files);
  };
  return {
    open: () => box.current?.click(),
    input: (
      <input
        ref={box}
        type="file"
        {...rest}
        {...(folder && { webkitdirectory: '' })}
        tabIndex={-1}
        className="sr-only"
        aria-label={label}
        onChange={choose}
      />
    ),
  };
}
