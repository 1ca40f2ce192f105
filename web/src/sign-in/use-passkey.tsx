import { useMutation } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import type { ComponentProps } from 'react';
import type { PasskeyAssertion, PasskeyQuestion } from '../../../application/accounts/factors/contract.js';
import { Button } from '../ui/button.js';
import { notifyError } from '../ui/overlays/toast.js';
import { answerByPasskey, isCancelled, knowsPasskeys } from './passkey.js';

/**
 * A button that answers a challenge with a passkey. Renders nothing if the browser does not support passkeys.
 * @param props.ask fetches a challenge for each press, because a challenge can be answered only once
 */
export function UsePasskey(
  props: {
    ask: () => Promise<PasskeyQuestion | null>;
    send: (passkey: PasskeyAssertion) => Promise<unknown>;
  } & Pick<ComponentProps<typeof Button>, 'tone' | 'className' | 'children'>,
) {
  const { ask, send, ...look } = props;
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const question = await ask();
      if (question) await send(await answerByPasskey(question));
    },
    onError: (error) => {
      if (!isCancelled(error)) notifyError(error);
    },
  });
  if (!knowsPasskeys()) return null;
  return <Button {...look} busy={isPending} icon={<KeyRound size={17} />} onClick={() => mutate()} />;
}
