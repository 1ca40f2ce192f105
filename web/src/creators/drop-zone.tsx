import { Upload } from 'lucide-react';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { AUDIO_ACCEPT, AUDIO_KINDS, AUDIO_NAME } from '../../../application/publishing/values.js';
import { useFilePicker } from '../ui/forms/file-picker.js';
import { toast } from '../ui/overlays/toast.js';

/** Whether the files come from a chosen folder that has sounds in its subfolders. */
export const hasFolders = (files: readonly File[]): boolean =>
  files.some(
    ({ name, webkitRelativePath }) =>
      AUDIO_NAME.test(name) && (webkitRelativePath || name).split('/').length > 2,
  );

/** Reads dropped files and folders. Call it during the drop event, because the browser clears the data afterwards. */
function droppedFiles({ items, files }: Pick<DataTransfer, 'items' | 'files'>): Promise<File[]> {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  return entries.some(({ isDirectory }) => isDirectory)
    ? import('./dropped-files.js').then(({ filesOf }) => filesOf(entries))
    : Promise.resolve([...files]);
}

const FILES = {
  picker: { label: 'Audio files', accept: AUDIO_ACCEPT, multiple: true },
  text: 'Drop audio files here, or',
  choose: 'choose files',
  hint: AUDIO_KINDS,
};
const FOLDER = {
  picker: { label: 'Folder of sounds', folder: true },
  text: 'Drop a folder here, or',
  choose: 'choose a folder',
  hint: 'Each of its folders becomes a pack, with covers, MIDI and stems. An offcut.csv can describe them.',
};

/**
 * Accepts files and folders that the visitor drops on the children. An area under the children invites to drop them,
 * and has a button for the file dialog.
 */
export function DropZone(props: {
  /** Whether the area asks for files or for a folder. Default: files. */
  wants?: 'files' | 'folder';
  /** Null if the visitor may not upload. */
  onFiles: ((files: File[]) => void) | null;
  /** Shown instead of the area under the children if the visitor may not upload. */
  instead?: ReactNode;
  children: ReactNode;
}) {
  const { onFiles, instead, children } = props;
  const words = props.wants === 'folder' ? FOLDER : FILES;
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
    ...words.picker,
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
            {words.text}{' '}
            <button type="button" className="underlined min-h-6 text-text" onClick={open}>
              {words.choose}
            </button>
            <span className="block text-sm text-faint">{words.hint}</span>
          </p>
          {input}
        </div>
      ) : (
        instead && <div className="mt-4">{instead}</div>
      )}
    </div>
  );
}
