import * as z from 'zod';
import { isStorable } from './text.js';
import { ID_CHARACTERS } from './values.js';

/** RFC 9457 answer of every refusal. `code` is stable; the rest is for people. */
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

/**
 * Text from outside whose exact letters matter, such as an address or a password; text that cannot be stored is
 * refused.
 */
export const exactText = () =>
  z.string().refine(isStorable, { error: 'holds characters that are no text', abort: true });

/**
 * Text that people wrote. Letters that can be written in several ways are stored in the composed form (NFC), so
 * that equal looks mean equal letters.
 */
export const plainText = () => exactText().normalize('NFC');

export const Id = z.string().min(1).max(100).regex(ID_CHARACTERS, 'not an id');
export const IsoTime = z.iso.datetime();

/** `{items, nextCursor, total?}`. */
export const page = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable(), total: z.int().optional() });

/** Query `?limit&cursor`. */
export const pageQuery = {
  limit: z.coerce.number().int().min(1).max(100).default(50),
  cursor: exactText().max(500).optional(),
};
