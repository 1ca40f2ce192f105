import { expect, it, jest } from '@jest/globals';
import { StorageUnavailable, type ObjectStorage } from '../../application/storage/object-storage.js';
import { PresentObjects } from '../../application/storage/present-objects.js';

function presentObjects(there: Set<string>) {
  let deleted: (key: string) => void = () => {};
  let [asking, most] = [0, 0];
  const head = jest.fn(async (key: string) => {
    most = Math.max(most, (asking += 1));
    const answer = there.has(key) ? {} : undefined;
    await Promise.resolve();
    asking -= 1;
    return answer;
  });
  const storage = { head, onDelete: (listener: typeof deleted) => (deleted = listener) };
  const present = new PresentObjects(storage as unknown as ObjectStorage);
  const areThere = async (keys: string[]) => (await present.missing(keys)).size === 0;
  return { present, areThere, head, most: () => most, deleted: (key: string) => deleted(key) };
}

it('[OPS-173] asks once for an object that is there, sixteen at a time, and each time for one that is not', async () => {
  const keys = Array.from({ length: 100 }, (_, n) => `Users/x/${n}`);
  const { present, areThere, head, most } = presentObjects(new Set(keys));
  expect(await areThere(keys)).toBe(true);
  expect(await areThere(keys)).toBe(true);
  expect([head.mock.calls.length, most()]).toEqual([100, 16]);
  for (let n = 0; n < 2; n += 1)
    expect(await present.missing([...keys, 'Users/x/none'])).toEqual(new Set(['Users/x/none']));
  expect(head.mock.calls.length).toBe(102);
});

it('[OPS-173] asks again for what was deleted, also while it was being asked for', async () => {
  const there = new Set(['a']);
  const { areThere, head, deleted } = presentObjects(there);
  const asked = areThere(['a']);
  deleted('a');
  there.delete('a');
  expect(await asked).toBe(true);
  expect(await areThere(['a'])).toBe(false);
  there.add('a');
  expect(await areThere(['a'])).toBe(true);
  there.delete('a');
  deleted('a');
  expect(await areThere(['a'])).toBe(false);
  expect(head.mock.calls.length).toBe(4);
});

it('[OPS-173] needs no storage for what was there lately', async () => {
  const { areThere, head } = presentObjects(new Set(['a', 'b']));
  await areThere(['a']);
  head.mockRejectedValue(new StorageUnavailable('away'));
  expect(await areThere(['a'])).toBe(true);
  await expect(areThere(['a', 'b'])).rejects.toThrow(StorageUnavailable);
});
