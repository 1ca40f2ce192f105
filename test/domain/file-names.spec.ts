import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  DEFAULT_TEMPLATE,
  distinctNames,
  fileStem,
  nameKey,
  PLACEHOLDERS,
  safeName,
  templateProblem,
} from '../../domain/shared/file-names.js';

const felt = {
  creator: 'Junie',
  title: 'Felt Keys',
  pack: 'Winter',
  bpm: 90,
  key: 'C Minor',
  genre: 'Soul',
  mood: 'Chill',
  instruments: ['Piano', 'Pad'],
  kind: 'loop',
};
const bare = { ...felt, bpm: 0, key: null, instruments: [], kind: null };

describe('[DL-703] a template of file names', () => {
  it.each([
    [DEFAULT_TEMPLATE, 'Junie - Felt Keys', 'Junie - Felt Keys'],
    ['{creator} - {title} - {bpm} - {key}', 'Junie - Felt Keys - 90 - C Minor', 'Junie - Felt Keys'],
    ['{bpm}_{key}_{title}', '90_C Minor_Felt Keys', 'Felt Keys'],
    ['{title} ({bpm} BPM) [{key}]', 'Felt Keys (90 BPM) [C Minor]', 'Felt Keys'],
    ['{title} ({bpm} BPM) {pack}', 'Felt Keys (90 BPM) Winter', 'Felt Keys Winter'],
    ['{title}({bpm}){pack}', 'Felt Keys(90)Winter', 'Felt KeysWinter'],
    ['Offcut - {bpm} BPM - {title}', 'Offcut - 90 BPM - Felt Keys', 'Offcut - Felt Keys'],
    ['{instrument}, {kind} {genre} {mood}', 'Piano, loop Soul Chill', 'Soul Chill'],
    ['{bpm}{key}', '90C Minor', 'Untitled'],
  ])('%s names %s, and without tempo and key %s', (template, whole, without) => {
    expect(fileStem(template, felt)).toBe(whole);
    expect(fileStem(template, bare)).toBe(without);
  });

  it('says what is wrong with it', () => {
    expect(templateProblem('{title} {tempo}')).toBe('There is no {tempo}');
    expect(templateProblem('{title')).toContain('no partner');
    expect(templateProblem('sample')).toContain('at least one placeholder');
    for (const name of PLACEHOLDERS) expect(templateProblem(`x {${name}} y`)).toBeUndefined();
  });

  it.each([
    ['NUL', 'NUL_'],
    ['aux.take 2', 'aux_.take 2'],
    ['COM1 ', 'COM1_'],
    ['Console', 'Console'],
    ['../../etc/passwd', 'etc passwd'],
    ['a: b?\u0000\u202E*', 'a b'],
    ['Kick. . ', 'Kick'],
    ['…', '…'],
    ['Cafe\u0301', 'Café'],
    ['\ud800', 'Untitled'],
    ['', 'Untitled'],
  ])('makes %j the safe name %j', (text, name) => {
    expect(safeName(text)).toBe(name);
  });

  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.string({ maxLength: 400 }),
  );
  const sample = fc.record({
    creator: text,
    title: fc.oneof(text, fc.constantFrom('con', 'NUL.x', '...', ' ', '🎹'.repeat(200))),
    pack: text,
    bpm: fc.nat(300),
    key: fc.option(text),
    genre: text,
    mood: text,
    instruments: fc.array(text, { maxLength: 2 }),
    kind: fc.option(text),
  });
  const template = fc
    .array(fc.oneof(text, fc.constantFrom(...PLACEHOLDERS.map((name) => `{${name}}`))), { maxLength: 8 })
    .map((pieces) => pieces.join(''));

  it('gives every sample a name that Windows, macOS and Linux take', () => {
    fc.assert(
      fc.property(template, sample, (pattern, of) => {
        const name = fileStem(pattern, of);
        expect(name).not.toMatch(/[\p{Cc}\p{Cs}\p{Bidi_Control}<>:"/\\|?*]/u);
        expect(name).not.toMatch(/^[. ]|[. ]$|^$/);
        expect(name).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)\s*(\.|$)/i);
        expect(Buffer.byteLength(`${name} (9999) (stems).zip`)).toBeLessThanOrEqual(255);
        expect(name.normalize('NFC')).toBe(name);
        expect(safeName(name)).toBe(name);
      }),
      { numRuns: 1_000 },
    );
  });

  it('never gives two names that a file system without case treats as one', () => {
    const close = fc.constantFrom(
      'Kick',
      'KICK',
      'kick (2)',
      'Kick (2)',
      'Straße',
      'STRASSE',
      'Cafe\u0301',
      'café',
    );
    fc.assert(
      fc.property(fc.array(close, { maxLength: 12 }), (names) => {
        const distinct = distinctNames(names);
        expect(new Set(distinct.map(nameKey)).size).toBe(names.length);
        // A later name changes no earlier one.
        expect(distinctNames([...names, 'kick']).slice(0, -1)).toEqual(distinct);
      }),
    );
  });
});
