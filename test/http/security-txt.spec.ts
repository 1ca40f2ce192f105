import { expect, it } from '@jest/globals';
import { SecurityTxt } from '../../adapters/catalogue/security-txt.js';
import type { WallClock } from '../../application/shared/clock.js';

const clock: WallClock = { now: () => new Date('2026-11-22T12:00:00.000Z') };

it('[DOOR-20] says where whoever finds a weakness writes, what they are promised, and until when that holds', () => {
  const security = { contact: 'mailto:security@offcut.example', policy: 'https://offcut.example/security' };
  expect(new SecurityTxt('https://offcut.example', security, clock).text()).toBe(
    [
      'Contact: mailto:security@offcut.example',
      'Expires: 2027-11-22T12:00:00.000Z',
      'Policy: https://offcut.example/security',
      'Canonical: https://offcut.example/.well-known/security.txt',
      'Preferred-Languages: en',
      '',
    ].join('\n'),
  );
  expect(new SecurityTxt('https://offcut.example', {}, clock).text()).toBeUndefined();
});
