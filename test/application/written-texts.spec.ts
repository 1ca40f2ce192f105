import { describe, expect, it } from '@jest/globals';
import { bodyText, lineText } from '../../application/shared/contract.js';

const line = (text: string) => {
  const read = lineText(80).min(1, 'Enter a name').safeParse(text);
  return read.success ? read.data : read.error.issues.map(({ message }) => message).join();
};
const body = (text: string) => bodyText(200).safeParse(text);

const NAMES = [
  'Ada Lovelace',
  'Zoë',
  'Łukasz Żółć',
  'Nguyễn Thị Minh Khai',
  'Trần Hưng Đạo',
  'Ørsted',
  'Þórr',
  'İstanbul',
  'O’Neill',
  "D'Angelo",
  'J. S. Bach',
  'Anne-Marie',
  'AC/DC',
  'P!nk',
  '$uicideboy$',
  'deadmau5',
  '4hero',
  '808',
  '7',
  'محمد علي',
  'فیروزه',
  'می‌خواهم',
  'نوروز ۱۴۰۳',
  'שלום עליכם',
  'צִיּוֹן',
  'ﷺ',
  'أمّ كلثوم',
  'اُردُو',
  'สมชาย ใจดี',
  'น้ำผึ้ง',
  'กรุงเทพฯ',
  'ວຽງຈັນ',
  'ភ្នំពេញ',
  'မြန်မာ',
  'བོད་ཡིག',
  'ქართული',
  'Հայաստան',
  'አማርኛ',
  'नमस्ते',
  'क्‍ष',
  'श्री',
  'বাংলা',
  'র‍্যাম',
  'தமிழ்',
  'മലയാളം',
  'ශ්‍රී ලංකා',
  'ਪੰਜਾਬੀ',
  'ગુજરાતી',
  '坂本龍一',
  '久石 譲',
  'きゃりーぱみゅぱみゅ',
  '방탄소년단',
  '조용필',
  '周杰倫',
  '𠮷田',
  'ヴァン・ヘイレン',
  'Ξενάκης',
  'Чайковский',
  '👩‍👩‍👧‍👦 family',
  '🏳️‍🌈',
  '🏴‍☠️ crew',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿 beats',
  '👍🏽',
  '1️⃣ One',
  '❤️‍🔥',
  '🇩🇪🇧🇷',
  '👨🏿‍🚀',
  '♀️',
  '†††',
  '∆',
  'ツ',
  '☮',
];

const REFUSED: Record<string, string[]> = {
  'contains marks that reverse the direction of text': [
    '\u202egnp.exe',
    'a\u202ab',
    'a\u202bb',
    'a\u202cb',
    'a\u202db',
    'a\u2066b',
    'a\u2067b',
    'a\u2068b',
    'a\u2069b',
    'a\u200eb',
    'a\u200fb',
    'a\u061cb',
  ],
  'contains invisible characters': [
    'a\u200db',
    'a\u200cb',
    '\u200da',
    'a\u200d',
    '\u200d',
    '\u3164',
    'a\u115fb',
    '\uffa0',
    '\u2800',
    'a\ue000',
    'a\u{e0001}b',
    'a\u{e0041}\u{e007f}',
    '\u{1f3f4}\u{e0067}',
    'a\u0007b',
    'a\u0085b',
    'a\tb',
    'a\ufffeb',
    'a\u{1ffff}b',
    'a\ufdd0',
    'a\ufff9b',
    'a\u2063b',
    'a\u{f0000}b',
    'א\u200dbc',
  ],
  'must be one line': ['a\nb', 'a\r\nb', 'a\rb', 'a\u2028b', 'a\u2029b'],
  'stacks too many accents': [`z${'\u0335\u0321'.repeat(10)}`, `e${'\u20dd'.repeat(5)}`],
  'has no visible characters': ['\u0301', '\ufe0f'],
  'Enter a name': ['', ' ', '\u200b', '\u00ad\ufeff', '\u00a0\u3000', '\n'],
  'contains characters that cannot be stored': ['a\u0000', 'a\ud800'],
  'At most 80 characters': ['x'.repeat(81), 'e\u0301'.repeat(81)],
};

describe('[ERR-31] names and titles', () => {
  it('take how people call themselves anywhere', () => {
    expect(NAMES.length).toBeGreaterThanOrEqual(60);
    for (const name of NAMES) expect(line(name)).toBe(name.normalize('NFC'));
    expect(line('e\u0301'.repeat(80))).toBe('é'.repeat(80));
  });

  it.each(Object.entries(REFUSED))('say what is wrong: %s', (message, texts) => {
    for (const text of texts)
      expect([JSON.stringify(text), line(text)]).toEqual([JSON.stringify(text), message]);
  });

  it('leave out what has no look of its own', () => {
    expect(line('\ufeff A\u200bd\u00ada\u2060 ')).toBe('Ada');
  });
});

describe('[ERR-31] descriptions and reasons', () => {
  it('may have lines and tabs, and nothing else that a line may not', () => {
    expect(body(' one\r\ntwo\rthree\n\tfour ').data).toBe('one\ntwo\nthree\n\tfour');
    expect(body('').data).toBe('');
    for (const [message, texts] of Object.entries(REFUSED)) {
      if (!/^(holds|piles|shows)/.test(message)) continue;
      for (const text of texts.filter((each) => !each.includes('\t'))) expect(body(text).success).toBe(false);
    }
    expect(body('a\u2028b').success).toBe(false);
  });
});
