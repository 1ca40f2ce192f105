import { expect, it } from '@jest/globals';
import { deviceName } from '../../domain/accounts/device-name.js';

const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
const ANDROID = 'Mozilla/5.0 (Linux; Android 16; Pixel 9)';

it.each([
  ['Firefox on Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'],
  ['Chrome on macOS', `${MAC} ${WEBKIT} Chrome/142.0.0.0 Safari/537.36`],
  ['Safari on macOS', `${MAC} ${WEBKIT} Version/19.0 Safari/605.1.15`],
  ['Edge on Windows', `${WINDOWS} ${WEBKIT} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`],
  ['Opera on Windows', `${WINDOWS} ${WEBKIT} Chrome/141.0.0.0 Safari/537.36 OPR/125.0.0.0`],
  ['Chrome on Android', `${ANDROID} ${WEBKIT} Chrome/142.0.0.0 Mobile Safari/537.36`],
  ['Samsung Internet on Android', `${ANDROID} ${WEBKIT} SamsungBrowser/28.0 Chrome/130.0.0.0 Safari/537.36`],
  [
    'Chrome on iPhone',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) ${WEBKIT} CriOS/142.0 Safari/604.1`,
  ],
  ['A browser on Windows', `${WINDOWS} SomethingNew/1.0`],
  ['curl', 'curl/8.14.1'],
  ['Unknown device', 'node'],
  ['Unknown device', ''],
  ['Unknown device', null],
])('[SIGN-02] %s is what people call "%s"', (name, userAgent) => {
  expect(deviceName(userAgent)).toBe(name);
});
