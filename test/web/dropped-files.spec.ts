import { expect, it } from '@jest/globals';
import { droppedFiles } from '../../web/src/screens/pack-editor/upload/dropped-files.js';

const file = (name: string) => ({
  name,
  isFile: true,
  isDirectory: false,
  file: (done: (file: File) => void) => done(new File(['x'], name)),
});

/** A folder that returns its entries two at a time, as browsers return them in batches. */
function folder(name: string, inside: { name: string }[]) {
  const createReader = () => {
    const rest = [...inside];
    return { readEntries: (done: (part: unknown[]) => void) => done(rest.splice(0, 2)) };
  };
  return { name, isFile: false, isDirectory: true, createReader };
}

const drop = (entries: object[], files: File[] = []) =>
  ({ items: entries.map((entry) => ({ webkitGetAsEntry: () => entry })), files }) as unknown as DataTransfer;
const names = async (transfer: DataTransfer) => (await droppedFiles(transfer)).map(({ name }) => name);

it('takes dropped files as they are', async () => {
  expect(
    await names(drop([file('b.wav'), file('a.wav')], [new File([''], 'b.wav'), new File([''], 'a.wav')])),
  ).toEqual(['b.wav', 'a.wav']);
});

it('takes every file of a dropped folder, however deep, by name, without hidden ones', async () => {
  const tapes = folder('Tapes', [
    file('10.wav'),
    file('9.wav'),
    file('.DS_Store'),
    folder('drums', [file('kick.wav'), folder('more', [file('snare.wav')])]),
    folder('.git', [file('x.wav')]),
  ]);
  expect(await names(drop([tapes, file('loose.wav')]))).toEqual([
    '9.wav',
    '10.wav',
    'kick.wav',
    'snare.wav',
    'loose.wav',
  ]);
});

it('says when a folder cannot be read', async () => {
  const broken = {
    name: 'x',
    isFile: false,
    isDirectory: true,
    createReader: () => ({
      readEntries: (_: unknown, fail: (error: Error) => void) => fail(new Error('gone')),
    }),
  };
  await expect(names(drop([broken]))).rejects.toThrow('gone');
});
