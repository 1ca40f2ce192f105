import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ENDPOINTS } from '../../application/all-endpoints.js';
import { TITLE_MAX_LENGTH } from '../../application/publishing/values.js';
import { BODIES } from '../../web/src/api/bodies.js';
import { useBodyForm } from '../../web/src/ui/forms/use-body-form.js';

interface Fields {
  name: string;
  genre: string;
  mood: string;
}

function PackForm({ send }: { send: (body: unknown) => unknown }) {
  const { register, formProps, formState } = useBodyForm('POST /api/creator/packs', {
    defaultValues: { name: '', genre: 'Soul', mood: '' },
    words: { mood: 'Choose a mood' },
    check: ({ name, genre }: Fields) => (name === genre ? { genre: 'Not the name again' } : {}),
  });
  const said = (['name', 'genre', 'mood'] as const).flatMap((name) => formState.errors[name]?.message ?? []);
  return (
    <form {...formProps(async (body) => send(body))}>
      <input aria-label="Name" {...register('name')} />
      <input aria-label="Mood" {...register('mood')} />
      <p role="status">{said.join('; ')}</p>
      <button type="submit">Save</button>
    </form>
  );
}

const show = () => {
  const send = jest.fn<(body: unknown) => unknown>();
  render(<PackForm send={send} />);
  return { send, visitor: userEvent.setup() };
};
const save = () => screen.getByRole('button');

afterEach(cleanup);

describe('a form of a body', () => {
  it('[WEB-29] says in the contract’s words what is wrong, in its own where it has better ones', async () => {
    const { send, visitor } = show();
    await visitor.click(save());
    expect(await screen.findByText('Enter a name; Choose a mood')).toBeDefined();
    await visitor.type(screen.getByLabelText('Name'), 'Soul');
    await visitor.click(save());
    expect(await screen.findByText('Not the name again; Choose a mood')).toBeDefined();
    await visitor.click(screen.getByLabelText('Name'));
    await visitor.paste('x'.repeat(TITLE_MAX_LENGTH));
    await visitor.click(save());
    expect(await screen.findByText(`At most ${TITLE_MAX_LENGTH} characters; Choose a mood`)).toBeDefined();
    expect(send).not.toHaveBeenCalled();
  });

  it('[WEB-29] sends the body as the contract reads it', async () => {
    const { send, visitor } = show();
    await visitor.type(screen.getByLabelText('Name'), '  Kitchen Table ');
    await visitor.type(screen.getByLabelText('Mood'), 'Nostalgic');
    await visitor.click(save());
    await screen.findByText('', { selector: 'p' });
    expect(send.mock.calls[0]?.[0]).toEqual({
      name: 'Kitchen Table',
      genre: 'Soul',
      mood: 'Nostalgic',
      description: '',
    });
  });

  it('[WEB-29] sends once for two presses, and again after the answer', async () => {
    const { send, visitor } = show();
    await visitor.type(screen.getByLabelText('Name'), 'Kitchen Table');
    await visitor.type(screen.getByLabelText('Mood'), 'Nostalgic');
    let answer = (): void => undefined;
    send.mockReturnValueOnce(new Promise<void>((resolve) => (answer = resolve)));
    const { form } = save() as HTMLButtonElement;
    for (let press = 0; press < 2; press += 1) form?.requestSubmit();
    await waitFor(() => expect(send).toHaveBeenCalled());
    await visitor.click(save());
    expect(send).toHaveBeenCalledTimes(1);
    answer();
    await waitFor(async () => {
      await visitor.click(save());
      expect(send).toHaveBeenCalledTimes(2);
    });
  });

  it('[WEB-29] sends only what stood in the form at the press, and drops a message that no longer holds', async () => {
    const { send, visitor } = show();
    await visitor.type(screen.getByLabelText('Name'), 'Soul');
    (save() as HTMLButtonElement).form?.requestSubmit();
    fireEvent.input(screen.getByLabelText('Name'), { target: { value: 'Kitchen Table' } });
    // The rules load in between.
    expect(await screen.findByText('Choose a mood')).toBeDefined();
    await visitor.type(screen.getByLabelText('Mood'), 'Nostalgic');
    expect(await screen.findByText('', { selector: 'p' })).toBeDefined();
    expect(send).not.toHaveBeenCalled();
    await visitor.click(save());
    await waitFor(() => expect(send).toHaveBeenCalledTimes(1));
  });

  it('[WEB-29] has the very schemas of the endpoints', () => {
    for (const [key, schema] of Object.entries(BODIES))
      expect(ENDPOINTS.find((endpoint) => endpoint.key === key)?.body).toBe(schema);
  });
});

it('[WEB-29] leaves it to the server where the rules cannot be fetched', async () => {
  jest.resetModules();
  jest.unstable_mockModule('../../web/src/api/bodies.js', () => {
    throw new Error('The connection is lost');
  });
  const { checkBody } = await import('../../web/src/api/check-body.js');
  expect(await checkBody('POST /api/auth/sign-in', { email: 'x' })).toEqual({ body: { email: 'x' } });
});
