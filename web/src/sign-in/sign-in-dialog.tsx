import { useEffect, useRef, useState } from 'react';
import { type SignInRequest, closeSignIn } from '../session/sign-in-request.js';
import { Dialog } from '../ui/overlays/dialog.js';
import { type PanelMode, SignInPanel, TITLES } from './sign-in-panel.js';

const CLOSE_DELAY_MS = 150;

export default function SignInDialog({ mode: asked, reason }: SignInRequest) {
  const [mode, setMode] = useState<PanelMode>(asked);
  const closing = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(closing.current), []);
  const done = () => {
    closing.current = setTimeout(closeSignIn, CLOSE_DELAY_MS);
  };
  return (
    <Dialog open onClose={closeSignIn} title={TITLES[mode]} description={reason} width={420} overAll>
      <SignInPanel mode={mode} onModeChange={setMode} onDone={done} />
    </Dialog>
  );
}
