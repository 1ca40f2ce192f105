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
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === '') return setProblem('Which one?');
    setBusy(true);
    try {
      props.ask(await props.decisionOn(text.trim(), () => setText('')));
    } catch (error) {
      const missing = error instanceof ApiProblem && error.status === 404;
      setProblem(missing ? 'There is nothing at this address.' : messageOf(error));
    }
    setBusy(false);
  };
  return (
    <form
      noValidate
      aria-label={props.title}
      className="panel grid content-start gap-4 p-5"
      onSubmit={(event) => void submit(event)}
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
      <Button type="submit" tone="danger" busy={busy}>
        {props.button}
      </Button>
    </form>
  );
}
