// Hostile addresses, grouped by kind.
// oxfmt-ignore
const LEADS_HOME = [
  '', '//', '///', '//evil.example', '///evil.example', '////evil.example', '/\\evil.example', '/\\/evil.example',
  '\\\\evil.example', '\\/evil.example', '/.//evil.example', '/..//evil.example', '/./\\evil.example',
  '/%2e//evil.example', '/%2E%2E//evil.example', '/a/..//evil.example', '/a/%2e%2e//evil.example',
  '/a/b/../..//evil.example', '/.\\\\evil.example', '/././/evil.example', '/%2e/%2e//evil.example',
  '/\t/evil.example', '/\n/evil.example', '/\r\n/evil.example', '\t//evil.example', ' //evil.example',
  '/.\t//evil.example', '/\t\\evil.example', '/..\\\\evil.example', '/a\\..\\\\evil.example',
  'https://evil.example', 'HTTPS://evil.example', 'http:evil.example', 'https:/evil.example', 'https:\\evil.example',
  'http://offcut.example.evil.example', 'http://offcut.example@evil.example', '//offcut.example@evil.example',
  '//offcut.example', 'http://offcut.example/sounds', 'sounds', './sounds', '?q=1', '#a',
  'javascript:alert(1)', 'JavaScript:alert(1)', 'java\nscript:alert(1)', 'data:text/html,x', 'vbscript:x',
  'blob:http://offcut.example/x', 'file:///etc/passwd', 'mailto:a@b', 'ftp://evil.example', 'about:blank',
  '/api/me/export', '/API/me', '/api', '/api?x', '/api#x', '/a/../api/me', '/./media/signed/x', '/media', '/dev/mailbox',
  '/DEV/mailbox', '/dev', '/%2e/api/me', '//[::1]', '//[', '//%', '//evil.example:99999', '/\\[', 'x:', ':', '@', '*',
  '\u0000//evil.example', '\ufeff//evil.example', '\u00a0//evil.example', '／／evil.example', '∕∕evil.example',
];

const LEADS_THERE: Record<string, string> = {
  '/': '/',
  '/sounds': '/sounds',
  '//offcut.example/sounds': '/sounds',
  '/sounds?q=1': '/sounds?q=1',
  '/sounds?q=a b': '/sounds?q=a%20b',
  '/search?q=é#top': '/search?q=%C3%A9#top',
  '/pack/a/b': '/pack/a/b',
  '/a/./b/../c': '/a/c',
  '/a//b': '/a//b',
  '/%2f%2fevil.example': '/%2f%2fevil.example',
  '/%5cevil.example': '/%5cevil.example',
  '/%252f%252fevil.example': '/%252f%252fevil.example',
  '/@evil.example': '/@evil.example',
  '/:evil.example': '/:evil.example',
  '/apiary': '/apiary',
  '/developers': '/developers',
  '/sounds?next=//evil.example': '/sounds?next=//evil.example',
  '/sounds#//evil.example': '/sounds#//evil.example',
  '/a\r\nSet-Cookie: b=1': '/aSet-Cookie:%20b=1',
  '/…': '/%E2%80%A6',
  '/é': '/%C3%A9',
  '/a\u0000b': '/a%00b',
};

const long = `/sounds?q=${'x'.repeat(2_000)}`;

/**
 * Each address with the page of http://offcut.example that it leads to. Addresses that lead to the home page
 * are also tried after a dot.
 */
export const RETURN_ADDRESSES: ReadonlyArray<readonly [string, string]> = [
  ...LEADS_HOME.flatMap((asked) => [asked, ...(asked.startsWith('/') ? [`/.${asked}`] : [])]).map(
    (asked) => [asked, '/'] as const,
  ),
  ...Object.entries(LEADS_THERE),
  [long, long],
];
