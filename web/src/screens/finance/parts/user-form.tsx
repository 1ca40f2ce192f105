import { Search } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Button } from '../../../ui/button.js';
import { Input } from '../../../ui/field.js';

const ID = /^[A-Za-z0-9_-]{1,100}$/;

/** Asks whose books are meant. @param onUser with an id; empty when `optional` and cleared */
export function UserForm(props: { userId: string; optional?: boolean; onUser: (userId: string) => void }) {
  const { userId, optional = false, onUser } = props;
  const [problem, setProblem] = useState<string>();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const asked = String(new FormData(event.currentTarget).get('user')).trim();
    if (asked === '' ? optional : ID.test(asked)) return onUser(asked);
    setProblem(asked === '' ? 'Whose?' : 'This is not the id of a user.');
  };
  return (
    <form
      key={userId}
      className="flex flex-wrap items-start gap-2 max-md:w-full"
      onSubmit={submit}
      noValidate
    >
      <Input
        name="user"
        label="User id"
        hideLabel
        placeholder="User id"
        defaultValue={userId}
        error={problem}
        onChange={() => setProblem(undefined)}
        autoComplete="off"
        spellCheck={false}
        className="w-[300px] max-md:w-0 max-md:flex-1"
      />
      <Button
        type="submit"
        className="min-h-[44px]!"
        icon={<Search size={16} strokeWidth={1.75} aria-hidden="true" />}
      >
        Find
      </Button>
      {optional && userId !== '' && (
        <Button tone="ghost" className="min-h-[44px]!" onClick={() => onUser('')}>
          Everybody
        </Button>
      )}
    </form>
  );
}
