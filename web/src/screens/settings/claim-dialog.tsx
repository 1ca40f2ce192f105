import { useEffect, useRef } from 'react';
import type { EraseAnswer } from '../../../../application/accounts/contract.js';
import { Button } from '../../ui/button.js';
import { formatDay, formatMicroUsd } from '../../ui/format.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { CopyButton } from '../../ui/copy-button.js';

/**
 * Shows the claim code for the balance of a deleted account. The code is shown only once, so Escape does not close the
 * dialog.
 */
export default function ClaimDialog(props: {
  claim: EraseAnswer['claim'];
  onWritten: () => void;
  /** Runs whenever the dialog closes, for any reason. */
  onGone: () => void;
}) {
  const { claim, onWritten, onGone } = props;
  const { code, owedMicroUsd, payableUntil } = claim;
  const gone = useRef(onGone);
  useEffect(() => () => gone.current(), []);
  return (
    <Dialog
      open
      alert
      onClose={() => {}}
      title="Your claim code"
      description={`With this code you can claim ${formatMicroUsd(owedMicroUsd)} until ${formatDay(payableUntil)}. We show the code only once: write it down now.`}
      actions={
        <>
          <CopyButton data-autofocus text={code}>
            Copy code
          </CopyButton>
          <Button tone="primary" onClick={onWritten}>
            I have written it down
          </Button>
        </>
      }
    >
      {/* Shows the code in groups of four, which are easy to read and write down. A copied code has no gaps. */}
      <p className="mono grid grid-cols-5 gap-y-1.5 border border-strong bg-inset p-4 text-md select-all">
        {code.match(/.{1,4}/g)?.map((group, at) => (
          <span key={at}>{group}</span>
        ))}
      </p>
    </Dialog>
  );
}
