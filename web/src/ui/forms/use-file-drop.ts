import { type DragEvent, useState } from 'react';

/** Makes an element accept a dropped file. @returns `over` is true while files are above the element */
export function useFileDrop(onFile: (file: File) => void) {
  const [over, setOver] = useState(false);
  const drop = {
    onDragOver: (event: DragEvent) => {
      // Dragged text is left to the browser, so that it can be dropped into text fields.
      if (!event.dataTransfer.types.includes('Files')) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      setOver(false);
      const [file] = event.dataTransfer.files;
      if (!file) return;
      event.preventDefault();
      onFile(file);
    },
  };
  return { over, drop };
}
