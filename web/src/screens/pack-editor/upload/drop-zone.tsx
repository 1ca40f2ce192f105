import { Upload } from 'lucide-react';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { useFilePicker } from '../../../ui/forms/file-picker.js';
import { toast } from '../../../ui/overlays/toast.js';
import { AUDIO_ACCEPT, AUDIO_KINDS } from '../../../../../application/publishing/values.js';

/** Call it while the drop event is handled, because the browser clears the data afterwards. */
function droppedFiles({ items, files }: Pick<DataTransfer, 'items' | 'files'>): Promise<File[]> {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  return entries.some(({ isDirectory }) => isDirectory)
    ? import('./dropped-files.js').then(({ filesOf }) => filesOf(entries))
    : Promise.resolve([...files]);
}

/** Accepts files and folders dropped on the children. An area under the children says so and opens the file dialog. */
export function DropZone(props: {
  /** Null if the visitor may not upload. */
  onFiles: ((files: File[]) => void) | null;
  /** Shown instead of the area under the children if the visitor may not upload. */
  instead: ReactNode;
  children: ReactNode;
}) {
  const { onFiles, instead, children } = props;
  const [over, setOver] = useState(false);
  const depth = useRef(0);
  const carriesFiles = (event: DragEvent) => onFiles !== null && event.dataTransfer.types.includes('Files');
  const move = (event: DragEvent, step: 1 | -1) => {
    if (!carriesFiles(event)) return;
    depth.current = Math.max(0, depth.current + step);
    setOver(depth.current > 0);
  };
  const drop = (event: DragEvent) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    depth.current = 0;
    setOver(false);
    void droppedFiles(event.dataTransfer).then(
      (files) => onFiles?.(files),
      () =>
        toast({
          title: 'The folder could not be read',
          description: 'Drop its files instead.',
          tone: 'danger',
        }),
    );
  };
  const { input, open } = useFilePicker({
    label: 'Audio files',
    accept: AUDIO_ACCEPT,
    multiple: true,
    onFiles: (files) => onFiles?.(files),
  });
  return (
    <div
      onDragEnter={(event) => move(event, 1)}
      onDragLeave={(event) => move(event, -1)}
      onDragOver={(event) => carriesFiles(event) && event.preventDefault()}
      onDrop={drop}
    >
      {children}
      {onFiles ? (
        <div
          className="mt-4 flex min-h-18 items-center justify-center gap-3.5 border border-dashed border-strong px-4 py-3 text-muted data-over:border-accent data-over:bg-accent-wash data-over:text-text"
          data-over={over ? '' : undefined}
        >
          <Upload size={18} />
          <p>
            Drop audio files here, or{' '}
            <button type="button" className="underlined min-h-6 text-text" onClick={open}>
              choose files
            </button>
            <span className="block text-sm text-faint">{AUDIO_KINDS}</span>
          </p>
          {input}
        </div>
      ) : (
        <div className="mt-4">{instead}</div>
      )}
    </div>
  );
}
