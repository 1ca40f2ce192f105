import { expect, it } from '@jest/globals';
import { filesOf } from '../../web/src/creators/dropped-files.js';

const file = (name: string) => ({
  name,
  isFile: true,
  isDirectory: false,
  fullPath: `/Tapes/drums/${name}`,
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

const filesIn = (entries: object[]) => filesOf(entries as FileSystemEntry[]);

it('takes every file of a dropped folder, however deep, by name, without hidden ones', async () => {
  const tapes = folder('Tapes', [
    file('10.wav'),
    file('9.wav'),
    file('.DS_Store'),
    folder('drums', [file('kick.wav'), folder('more', [file('snare.wav')])]),
    folder('.git', [file('x.wav')]),
  ]);
  const files = await filesIn([tapes, file('loose.wav')]);
  expect(files.map(({ webkitRelativePath }) => webkitRelativePath)).toContain('Tapes/drums/kick.wav');
  expect(files.map(({ name }) => name)).toEqual(['9.wav', '10.wav', 'kick.wav', 'snare.wav', 'loose.wav']);
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
  await expect(filesIn([broken])).rejects.toThrow('gone');
});
