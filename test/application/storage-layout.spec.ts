import { describe, expect, it } from '@jest/globals';
import {
  contentTypeOf,
  isInLayout,
  isListed,
  isPublic,
  normalisePath,
  trimPath,
} from '../../application/storage/layout.js';

describe('paths', () => {
  it.each([
    ['/Users/Ada/Packs/', 'ada/packs'],
    ['Users/Users/Ada', 'ada'],
    ['USERS/Ada', 'ada'],
    ['//Ada//Packs//', 'ada/packs'],
    ['Users', ''],
    ['/users/', ''],
    ['peaks', ''],
    ['Users/peaks', ''],
    ['', ''],
    ['Ada/peaks', 'ada/peaks'],
    ['Usersmith', 'usersmith'],
  ])('[STOR-11] compares %j as %j', (path, normalised) => {
    expect(normalisePath(path)).toBe(normalised);
  });

  it('keeps the case of what it looks up', () => {
    expect(trimPath('/Users/Ada//Packs/')).toBe('Users/Ada/Packs');
  });
});

describe('listings', () => {
  it('[STOR-10] skip placeholders, users, peaks, hidden files and names that normalise to empty', () => {
    const skipped = [
      '.emptyFolderPlaceholder',
      'users',
      'Users',
      'peaks',
      'PEAKS',
      '.DS_Store',
      '.hidden',
      '',
    ];
    for (const name of skipped) expect([name, isListed('Users/Ada/Packs', name)]).toEqual([name, false]);
    for (const name of ['loop.wav', 'peaks.json', 'usersmith'])
      expect([name, isListed('Users/Ada/Packs', name)]).toEqual([name, true]);
    expect(['Users', 'avatars', 'media', 'private'].filter((name) => isListed('', name))).toEqual([
      'Users',
      'avatars',
    ]);
  });
});

describe('places', () => {
  it('[STOR-03] are the layout, and open to everybody only where nobody is robbed', () => {
    for (const path of ['media/previews/x.mp3', 'users/Ada', 'Usersx/Ada', '', 'probes/x'])
      expect([path, isInLayout(path)]).toEqual([path, false]);
    const open = [
      'Users/Ada/Packs/warm/pack.json',
      'Users/Ada/Packs/warm/covers/c.webp',
      'Users/Ada/Profile/avatar-3.png',
      'avatars/u1.webp',
    ];
    const closed = [
      'Users/Ada/Packs/warm/samples/a.wav',
      'Users/Ada/Packs/warm/samples/pack.json',
      'Users/Ada/Packs/warm/covers/deep/a.wav',
      'Users/Ada/Packs/warm/stems/a.zip',
      'Users/Ada/a.wav',
      'Users/Ada/Packs/pack.json',
    ];
    for (const path of open) expect([path, isInLayout(path) && isPublic(path)]).toEqual([path, true]);
    for (const path of closed) expect([path, isPublic(path)]).toEqual([path, false]);
  });

  it('[STOR-09] know audio and images by their endings, and SVG by none', () => {
    expect(['a.wav', 'a.MP3', 'a.m4a', 'a.aac'].map(contentTypeOf)).toEqual([
      'audio/wav',
      'audio/mpeg',
      'audio/mp4',
      'audio/aac',
    ]);
    expect(
      ['a.png', 'a.jpg', 'a.jpeg', 'a.webp', 'a.gif'].every((name) =>
        contentTypeOf(name).startsWith('image/'),
      ),
    ).toBe(true);
    for (const name of ['a.svg', 'a.html', 'a.js', 'a', '.wav.exe'])
      expect(contentTypeOf(name)).toBe('application/octet-stream');
  });
});
