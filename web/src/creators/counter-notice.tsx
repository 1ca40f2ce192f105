import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { STATEMENT_MAX_LENGTH, STATEMENT_MIN_LENGTH } from '../../../application/complaints/values.js';
import { api } from '../api/api.js';
import { invalidate } from '../api/query-client.js';
import { messageOf } from '../api/transport/http.js';
import { Button } from '../ui/button.js';
import { Checkbox, Textarea } from '../ui/forms/field.js';
import { formatDay } from '../ui/format.js';

export const complaintsChanged = () => void invalidate('GET /api/complaints', 'GET /api/complaints/:id');

/** The form in which a creator objects to a takedown that followed a complaint. */
export function CounterNotice({ id, until }: { id: string; until: string }) {
  const [text, setText] = useState('');
  const [isMeant, setMeant] = useState(false);
  const [problem, setProblem] = useState<string>();
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      api('POST /api/complaints/:id/counter-notice', {
        params: { id },
        body: { text: text.trim(), inGoodFaith: true },
      }),
    onSettled: complaintsChanged,
    onError: (error) => setProblem(messageOf(error)),
  });
  return (
    <form
      noValidate
      className="panel mt-6 px-5 py-5"
      aria-labelledby="counter-title"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim().length < STATEMENT_MIN_LENGTH)
          setProblem(`Say it in ${STATEMENT_MIN_LENGTH} letters or more.`);
        else if (!isMeant) setProblem('Say that you believe it.');
        else mutate();
      }}
    >
      <h2 id="counter-title" className="text-xl font-semibold">
        Object to it
      </h2>
      <p className="mt-1 mb-4 text-muted">
        You can do so once, until {formatDay(until)}. The staff who decide read what you say. The person who
        complained learns that you objected, and what we decide.
      </p>
      <Textarea
        label="Why this was wrong"
        rows={5}
        maxLength={STATEMENT_MAX_LENGTH}
        value={text}
        error={problem}
        onChange={(event) => {
          setText(event.target.value);
          setProblem(undefined);
        }}
      />
      <Checkbox
        className="mt-3"
        label="I believe in good faith that it was taken away by mistake"
        checked={isMeant}
        onChange={(event) => {
          setMeant(event.target.checked);
          setProblem(undefined);
        }}
      />
      <Button type="submit" tone="primary" className="mt-4" busy={isPending}>
        Send the counter-notice
      </Button>
    </form>
  );
}
