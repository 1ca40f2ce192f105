import { describe, expect, it } from '@jest/globals';
import { parseFileName } from '../../domain/publishing/file-name.js';

describe('a file name', () => {
  it.each([
    ['Felt_Keys_90bpm_Cmin.wav', { title: 'Felt Keys', bpm: 90, key: 'C Minor' }],
    ['loop-120-BPM-F#maj.mp3', { title: 'loop', bpm: 120, key: 'F# Major' }],
    ['Dusty 140 Ebm.m4a', { title: 'Dusty', bpm: 140, key: 'Eb Minor' }],
    ['Pad_A minor_80 bpm.wav', { title: 'Pad', bpm: 80, key: 'A Minor' }],
    ['Bass_95bpm_G.wav', { title: 'Bass', bpm: 95, key: 'G Major' }],
    ['A_95bpm_Bass.wav', { title: 'Bass', bpm: 95, key: 'A Major' }],
    ['A Tape Hiss_90bpm.wav', { title: 'A Tape Hiss', bpm: 90 }],
    ['Kick 808.wav', { title: 'Kick 808' }],
    ['Plan B.wav', { title: 'Plan B' }],
    ['Snare_01.wav', { title: 'Snare 01' }],
    ['120bpm.wav', { title: 'Sample', bpm: 120 }],
    ['___.wav', { title: 'Sample' }],
    ['../../etc/passwd_90bpm.wav', { title: 'passwd', bpm: 90 }],
  ])('%s', (name, parsed) => {
    expect(parseFileName(name)).toEqual(parsed);
  });
});
