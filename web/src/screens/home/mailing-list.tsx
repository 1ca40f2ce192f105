import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { mutation } from '../../api/api.js';
import { ApiProblem, messageOf } from '../../api/http.js';
import { Button } from '../../ui/button.js';
import { Input } from '../../ui/forms/field.js';

const BAD_ADDRESS = 'Enter an e-mail address';
/** A first check in the browser; the server decides. */
const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** News by e-mail: an address is stored only after its owner followed the mailed link. */
export function MailingList() {
  const [email, setEmail] = useState('');
  const [isBad, setBad] = useState(false);
  const { mutate, isPending, isSuccess, error } = useMutation(mutation('POST /api/mailing-list'));
  const isRefused = isBad || (error instanceof ApiProblem && error.status === 400);
  const subscribe = (event: FormEvent) => {
    event.preventDefault();
    const address = email.trim();
    setBad(!ADDRESS.test(address));
    if (ADDRESS.test(address)) mutate({ body: { email: address } });
  };
  return (
    <section aria-labelledby="mailing-list" className="home-gutter border-t border-line py-12">
      <div className="flex flex-wrap items-start justify-between gap-x-12 gap-y-6">
        <div className="max-w-[44ch]">
          <h2 id="mailing-list" className="display text-5xl">
            New offcuts, by mail
          </h2>
          <p className="mt-3 text-md text-muted">
            A short mail when there are new packs. No more than that, and one click ends it.
          </p>
        </div>
        {isSuccess ? (
          <p role="status" className="max-w-[44ch] border-l-3 border-ok pl-3">
            We sent a link to {email.trim()}. Follow it and you are on the list; until then the address is not
            kept.
          </p>
        ) : (
          <form noValidate onSubmit={subscribe} className="w-full max-w-115">
            <div className="flex items-start gap-3">
              <Input
                label="E-mail address"
                hideLabel
                type="email"
                autoComplete="email"
                placeholder="you@example.com"
                className="min-w-0 flex-1"
                value={email}
                error={isRefused ? BAD_ADDRESS : error ? messageOf(error) : undefined}
                onChange={(event) => setEmail(event.target.value)}
              />
              <Button type="submit" tone="primary" className="min-h-11" busy={isPending}>
                Subscribe
              </Button>
            </div>
          </form>
        )}
      </div>
    </section>
  );
}
