import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { checkBody } from '../../api/check-body.js';
import { ApiProblem, messageOf } from '../../api/transport/http.js';
import { Button } from '../../ui/button.js';
import { Input } from '../../ui/forms/field.js';
import { askReason, type Decision } from '../../staff/ask-reason.js';

/** Returns what is wrong with the input, so that it is shown before the dialog asks for a reason. */
async function subjectProblem({ key, subject }: Decision): Promise<string | undefined> {
  const checked = await checkBody(key, { ...subject, reason: '' });
  if (!('problems' in checked)) return undefined;
  return Object.entries(checked.problems).find(([member]) => member !== 'reason')?.[1];
}

export function Start(props: {
  title: string;
  label: string;
  hint: string;
  button: string;
  decisionOn: (text: string, done: () => void) => Decision | Promise<Decision>;
}) {
  const [text, setText] = useState('');
  const { mutate, reset, data, error, isPending } = useMutation({
    mutationFn: async (): Promise<string | undefined> => {
      if (text.trim() === '') return 'Enter one';
      const decision = await props.decisionOn(text.trim(), () => setText(''));
      const problem = await subjectProblem(decision);
      if (!problem) askReason(decision);
      return problem;
    },
  });
  const missing = error instanceof ApiProblem && error.status === 404;
  const problem = missing ? 'There is no page at this address.' : error ? messageOf(error) : data;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
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
          reset();
        }}
      />
      <Button type="submit" tone="danger" busy={isPending}>
        {props.button}
      </Button>
    </form>
  );
}
