import * as z from 'zod';
import { REASON_MAX_LENGTH, REASON_MIN_LENGTH, ID_CHARACTERS } from './values.js';
import { isStorable, asWritten, unreadable } from './text.js';

/** The RFC 9457 answer of every refusal. `code` is stable; `title` and `detail` are for people. */
export const Problem = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.string(),
    detail: z.string().optional(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof Problem>;

/** Text from a client that is kept character by character, such as a password. The caller sets the maximum length. */
export const exactText = () =>
  z.string().refine(isStorable, { error: 'contains characters that cannot be stored', abort: true });

const writtenText = (lines: 'one' | 'several', max: number) =>
  exactText()
    .overwrite(asWritten)
    .max(max, { error: `At most ${max} characters`, abort: true })
    .superRefine((text, context) => {
      const message = unreadable(text, lines);
      if (message) context.addIssue({ code: 'custom', message });
    });

/** A name or title. It is one line, because lists, files and mails show it beside other people's text. */
export const lineText = (max: number) => writtenText('one', max);

export const bodyText = (max: number) => writtenText('several', max);

/** Search words, and other text that is only normalised (NFC), such as items from the browser's storage. */
export const soughtText = (max: number) => exactText().normalize('NFC').max(max);

export const Id = z.string().min(1).max(100).regex(ID_CHARACTERS, 'not an id');
export const IsoTime = z.iso.datetime();

/** An object with a schema of its own in the API description. */
export const namedObject = <Shape extends z.ZodRawShape>(id: string, shape: Shape) =>
  z.object(shape).meta({ id });

export const page = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable(), total: z.int().optional() });

export const pageQuery = {
  limit: z.coerce.number().int().min(1).max(100).default(50),
  cursor: exactText().max(500).optional(),
};

/** The reason for a staff decision. The affected users can read it. */
export const Reason = bodyText(REASON_MAX_LENGTH).min(REASON_MIN_LENGTH, 'Say why');
export const ReasonBody = z.strictObject({ reason: Reason });
