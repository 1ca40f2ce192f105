import type { NewNotice } from '../../mail/notices.js';
import { paths } from '../../pages/paths.js';
import type { OwnPack } from '../contract.js';

/** Returns the notice for a creator that an operator's import into a pack has finished. */
export const importNotice = (
  userId: string,
  { id, title, slug }: Pick<OwnPack, 'id' | 'title' | 'slug'>,
  added: number,
  at: Date,
): NewNotice => ({
  userId,
  fact: `import ${id}`,
  kind: 'files',
  subject: `The import into “${title}” has finished: ${added} new ${added === 1 ? 'sound' : 'sounds'}`,
  path: paths.creatorPack(slug),
  at,
});
