import { FileAudio, Mic, Square } from 'lucide-react';
import { Button } from '../ui/button.js';
import { useFilePicker } from '../ui/forms/file-picker.js';
import { Dialog } from '../ui/overlays/dialog.js';
import { Problem } from '../ui/states.js';
import { useRecorder } from './recorder.js';

/** @param onSound is called with a chosen or recorded sound */
export default function FindBySoundDialog(props: {
  onSound: (sound: Blob, name: string) => void;
  onClose: () => void;
}) {
  const { onSound, onClose } = props;
  const take = (sound: Blob, name: string) => {
    onClose();
    onSound(sound, name);
  };
  const { state, start, stop } = useRecorder((sound) => take(sound, 'Recording'));
  const picker = useFilePicker({
    label: 'Sound file',
    accept: 'audio/*',
    onFiles: ([file]) => file && take(file, file.name),
  });
  const isRecording = state.status === 'recording';
  return (
    <Dialog
      open
      onClose={onClose}
      title="Find by a sound"
      description="Finds sounds that are like yours. Your sound is analysed here, not uploaded."
      width={480}
    >
      <div className="grid gap-3 pb-2 sm:grid-cols-2">
        <Button size="large" data-autofocus icon={<FileAudio size={18} />} onClick={picker.open}>
          Choose a file
        </Button>
        <Button
          size="large"
          tone={isRecording ? 'primary' : 'secondary'}
          busy={state.status === 'asking'}
          icon={isRecording ? <Square size={16} /> : <Mic size={18} />}
          onClick={() => (isRecording ? stop() : void start())}
        >
          {isRecording ? 'Stop and search' : 'Record a sound'}
        </Button>
      </div>
      {picker.input}
      <p role="status" className="min-h-5 text-sm text-muted">
        {isRecording ? 'Recording, for 15 seconds at most.' : 'You can also drop a file on the search field.'}
      </p>
      {state.status === 'failed' && <Problem of={state.reason} />}
    </Dialog>
  );
}
