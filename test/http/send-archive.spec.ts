import { PassThrough } from 'node:stream';
import { expect, it } from '@jest/globals';
import { sendArchive } from '../../adapters/platform/http/files.js';
import type { HttpResponse } from '../../adapters/platform/http/request.js';
import { workFor } from '../../application/shared/lanes.js';

/** An archive that the test ends, and its client. */
function archiveFor(owner: string) {
  const body = new PassThrough();
  const response = Object.assign(new PassThrough().resume(), { setHeader: () => undefined });
  const archive = { body, sizeBytes: undefined };
  const sent = workFor(owner, () =>
    sendArchive(response as unknown as HttpResponse, { archive, filename: 'a.zip' }),
  );
  return { body, sent };
}

it('[DOOR-03] four archives are under way to one account; the next is refused before its first byte', async () => {
  const four = [1, 2, 3, 4].map(() => archiveFor('ada'));
  const fifth = archiveFor('ada');
  await expect(fifth.sent).rejects.toMatchObject({ status: 429, code: 'TooManyRequests' });
  expect(fifth.body.destroyed).toBe(true);
  const other = archiveFor('bo');
  four[0]?.body.end('PK');
  expect(await four[0]?.sent).toBe(true);
  const again = archiveFor('ada');
  for (const { body } of [...four.slice(1), other, again]) body.end('PK');
  expect(await Promise.all([...four, other, again].map(({ sent }) => sent))).toEqual(Array(6).fill(true));
});
