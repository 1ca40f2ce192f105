import { useMutation, useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import type { FormEvent } from 'react';
import type { Person } from '../../../../../application/accounts/contract.js';
import { PEOPLE_SEARCH_MIN_LENGTH } from '../../../../../application/accounts/values.js';
import { ID_CHARACTERS } from '../../../../../application/shared/values.js';
import { financePeopleQuery } from '../../../api/finance.js';
import { messageOf } from '../../../api/transport/http.js';
import { queryClient } from '../../../api/query-client.js';
import { Button } from '../../../ui/button.js';
import { Input } from '../../../ui/forms/field.js';

/**
 * Accepts any text in the form of an id, because the search does not find erased accounts, which the books still
 * contain.
 */
const isWholeId = (text: string) => ID_CHARACTERS.test(text) && /\d/.test(text);

interface Outcome {
  userId?: string;
  people?: Person[];
  problem?: string;
}

function Found({ people, onChoose }: { people: Person[]; onChoose: (userId: string) => void }) {
  return (
    <ul aria-label="People found" className="popover mt-2 w-full">
      {people.map(({ id, displayName, email }) => (
        <li key={id}>
          <button
            type="button"
            className="block min-h-11 w-full px-4 py-2 text-left hover:bg-hover"
            onClick={() => onChoose(id)}
          >
            <span className="block font-semibold">{displayName}</span>
            <span className="block text-sm text-muted">{email}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/**
 * @param props.onUser receives the id of the found or chosen user, or a typed id that the search does not know;
 * empty if `optional` and cleared
 */
export function UserForm(props: { userId: string; optional?: boolean; onUser: (userId: string) => void }) {
  const { userId, optional = false, onUser } = props;
  const find = async (asked: string): Promise<Outcome> => {
    if (asked === '' && optional) return { userId: '' };
    if (asked.length < PEOPLE_SEARCH_MIN_LENGTH)
      return {
        problem: asked === '' ? 'Enter a person' : `Enter at least ${PEOPLE_SEARCH_MIN_LENGTH} characters.`,
      };
    const { items } = await queryClient.fetchQuery(financePeopleQuery(asked));
    const [first] = items;
    if (first && (items.length === 1 || first.id === asked)) return { userId: first.id };
    if (items.length > 0) return { people: items };
    return isWholeId(asked) ? { userId: asked } : { problem: `No person matches “${asked}”.` };
  };
  const { mutate, reset, data, error, isPending } = useMutation({
    mutationFn: find,
    onSuccess: ({ userId: found }) => found !== undefined && onUser(found),
  });
  const choose = (id: string) => {
    reset();
    onUser(id);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    mutate(String(new FormData(event.currentTarget).get('user')).trim());
  };
  return (
    <form key={userId} className="max-md:w-full" onSubmit={submit} noValidate>
      <div className="flex flex-wrap items-start gap-2">
        <Input
          name="user"
          label="E-mail, name or user id"
          hideLabel
          placeholder="E-mail, name or user id"
          defaultValue={userId}
          error={error ? messageOf(error) : data?.problem}
          onChange={reset}
          autoComplete="off"
          spellCheck={false}
          className="w-75 max-md:w-0 max-md:flex-1"
        />
        <Button type="submit" busy={isPending} className="min-h-11!" icon={<Search size={16} />}>
          Find
        </Button>
        {optional && userId !== '' && (
          <Button tone="ghost" className="min-h-11!" onClick={() => choose('')}>
            Everybody
          </Button>
        )}
      </div>
      {data?.people && <Found people={data.people} onChoose={choose} />}
    </form>
  );
}

export function Who({ userId }: { userId: string }) {
  const { data } = useQuery(financePeopleQuery(userId));
  const person = data?.items.find(({ id }) => id === userId);
  return (
    <>
      {person && <span className="mr-2 font-semibold text-text">{person.displayName}</span>}
      <span className="mono break-all text-text">{userId}</span>
    </>
  );
}
