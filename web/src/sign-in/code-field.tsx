import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { messageOf } from '../api/transport/http.js';
import { Input } from '../ui/forms/field.js';
import { Button, type ButtonTone } from '../ui/button.js';

type Kind = 'app' | 'recovery-code';

const TEXT = {
  app: {
    label: 'Code',
    hint: 'The six digits that your authenticator app shows now.',
    other: 'Use a recovery code',
  },
  'recovery-code': {
    label: 'Recovery code',
    hint: 'One of the ten that you kept. It works once.',
    other: 'Use the authenticator app',
  },
} as const;

export function CodeForm(props: {
  kinds: readonly Kind[];
  send: (code: string) => Promise<unknown>;
  submit: string;
  focusFirst: boolean;
  tone?: ButtonTone;
  also?: ReactNode;
}) {
  const { kinds, send, submit, focusFirst, tone = 'primary', also } = props;
  const [chosen, setChosen] = useState<Kind>();
  const [code, setCode] = useState('');
  const [error, setError] = useState<string>();
  const giving = useMutation({
    mutationFn: send,
    onError: (refusal) => {
      setError(messageOf(refusal));
      setCode('');
    },
  });
  const kind = chosen ?? kinds[0];
  if (!kind) return null;
  const other = kinds.find((one) => one !== kind);
  const give = () => {
    if (code.trim() === '') setError('Enter the code');
    else giving.mutate(code.trim());
  };
  const turn = () => {
    setChosen(other);
    setCode('');
    setError(undefined);
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        give();
      }}
    >
      <Input
        key={kind}
        label={TEXT[kind].label}
        hint={TEXT[kind].hint}
        error={error}
        value={code}
        onChange={({ target }) => {
          setCode(target.value);
          setError(undefined);
        }}
        autoComplete="one-time-code"
        inputMode={kind === 'app' ? 'numeric' : 'text'}
        spellCheck={false}
        data-autofocus={focusFirst || undefined}
        className="code-field"
      />
      <Button type="submit" tone={tone} busy={giving.isPending} className="mt-5 w-full">
        {submit}
      </Button>
      <div className="flex flex-wrap justify-between gap-x-4 gap-y-2 text-muted not-empty:mt-4">
        {other && (
          <button type="button" className="underlined py-1" onClick={turn}>
            {TEXT[kind].other}
          </button>
        )}
        {also}
      </div>
    </form>
  );
}
