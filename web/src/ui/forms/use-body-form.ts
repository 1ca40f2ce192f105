import { type FormEvent, useRef } from 'react';
import {
  type FieldError,
  type FieldErrors,
  type FieldPath,
  type FieldValues,
  type UseFormProps,
  get,
  useForm,
} from 'react-hook-form';
import { checkBody, type FormBody, type FormKey, loadBodies } from '../../api/check-body.js';

type Words<Fields> = Partial<Record<keyof Fields & string, string>>;

interface Options<Fields extends FieldValues> extends Pick<UseFormProps<Fields>, 'defaultValues' | 'mode'> {
  /** Makes the request body from the fields; by default, the body contains all fields. */
  body?: (fields: Fields) => unknown;
  /** Messages by field, in place of the messages of the API contract. */
  words?: Words<Fields>;
  /** Checks that the API contract cannot make, such as that two passwords are equal. Returns messages by field. */
  check?: (fields: Fields) => Words<Fields>;
}

/** Makes a form for the request body of an endpoint. The body is checked by the API contract before it is sent. */
export function useBodyForm<Fields extends FieldValues, K extends FormKey>(
  key: K,
  { body = (fields) => fields, words = {}, check = () => ({}), ...props }: Options<Fields>,
) {
  const form = useForm<Fields, unknown, FormBody<K>>({
    ...props,
    resolver: async (fields) => {
      // The visitor may change the fields while the rules load.
      const own = check(fields);
      const checked = await checkBody(key, body(fields));
      const problems = { ...('problems' in checked && checked.problems), ...own };
      if ('body' in checked && Object.keys(problems).length === 0)
        return { values: checked.body, errors: {} };
      const said: Record<string, string | undefined> = words;
      const errors = Object.entries(problems).map(([name, message]) => [
        name,
        { type: 'contract', message: said[name] ?? message },
      ]);
      return { values: {}, errors: Object.fromEntries(errors) as FieldErrors<Fields> };
    },
  });
  /** The props of the control of a field, with the problem of the field. */
  const field = (name: FieldPath<Fields>) => {
    const problem: FieldError | undefined = get(form.formState.errors, name);
    return { ...form.register(name), error: problem?.message };
  };
  const isSending = useRef(false);
  const submit = async (event: FormEvent, handle: (event: FormEvent) => Promise<unknown>) => {
    event.preventDefault();
    // A second press may come before the button shows that the form is busy.
    if (isSending.current) return;
    isSending.current = true;
    try {
      await handle(event);
    } finally {
      isSending.current = false;
    }
  };
  /** The props of the `form` element. The rules load when the form first gets the focus. */
  const formProps = (
    send: (body: FormBody<K>) => Promise<unknown>,
    refuse?: (errors: FieldErrors<Fields>) => void,
  ) => ({
    noValidate: true,
    onFocus: () => void loadBodies().catch(() => undefined),
    onSubmit: (event: FormEvent) =>
      void submit(
        event,
        form.handleSubmit(send, async (errors) => {
          refuse?.(errors);
          // Fields that the visitor filled while the rules loaded are no longer wrong.
          await form.trigger();
        }),
      ),
  });
  return { ...form, field, formProps };
}
