import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiProblem, messageOf } from '../../api/http.js';
import { Button } from '../../ui/button.js';
import { Input } from '../../ui/forms/field.js';
import type { Decision } from './reason-dialog.js';

/** One field and a button that leads to a decision. */
export function Start(props: {
  title: string;
  label: string;
  hint: string;
  button: string;
  decisionOn: (text: string, done: () => void) => Promise<Decision>;
  ask: (decision: Decision) => void;
}) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const { mutate, isPending } = useMutation({
    mutationFn: () => props.decisionOn(text.trim(), () => setText('')),
    onSuccess: props.ask,
    onError: (error) => {
      const missing = error instanceof ApiProblem && error.status === 404;
      setProblem(missing ? 'There is nothing at this address.' : messageOf(error));
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === '') setProblem('Which one?');
    else mutate();
  };
  return (
    <form
      noValidate
      aria-label={props.title}
      className="panel grid content-start gap-4 p-5"
      onSubmit={submit}
    >
      <h2 className="text-lg font-semibold">{props.title}</h2>
      <Input
        label={props.label}
        hint={props.hint}
        error={problem}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setProblem(undefined);
        }}
      />
      <Button type="submit" tone="danger" busy={isPending}>
        {props.button}
      </Button>
    </form>
  );
}
