import { Download } from 'lucide-react';
import { saveAs } from '../../../downloads/deliver.js';
import { Button } from '../../../ui/button.js';
import { Dialog } from '../../../ui/overlays/dialog.js';
import { CopyButton } from '../../../ui/copy-button.js';

/** Shows the recovery codes. Escape does not close the dialog, because the codes are shown only once. */
export default function RecoveryDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const text = `${codes.join('\n')}\n`;
  return (
    <Dialog
      open
      alert
      onClose={() => {}}
      title="Your recovery codes"
      description="Each of them signs you in once, after the password. We show them only now. Keep them where your phone is not."
      width={480}
      actions={
        <Button tone="primary" onClick={onClose}>
          I kept them
        </Button>
      }
    >
      <ol className="mono grid grid-cols-1 gap-x-6 gap-y-1.5 border border-strong bg-inset p-4 text-md select-all">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="mt-4 flex flex-wrap gap-2">
        <CopyButton size="small" data-autofocus text={text} />
        <Button
          size="small"
          icon={<Download size={15} />}
          onClick={() => saveAs('offcut-recovery-codes.txt', text, 'text/plain')}
        >
          Download
        </Button>
      </div>
    </Dialog>
  );
}
