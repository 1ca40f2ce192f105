import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MarkdownItRenderer } from '../../adapters/vendors/markdown/markdown-it.js';
import { LEGAL_DOCUMENTS } from '../../application/legal/values.js';
import { readLegalTexts } from '../../bootstrap/legal-folder.js';
import { startProduct } from '../../bootstrap/product.js';
import type { HttpClient } from '../support/http-client.js';
import { HttpClient as Client } from '../support/http-client.js';
import { startTestProduct, type TestProduct } from '../support/product.js';

const folder = mkdtempSync(join(tmpdir(), 'offcut-legal-'));
const write = (document: string, text: string | Buffer) =>
  writeFileSync(join(folder, `${document}.md`), text);
const fill = () =>
  LEGAL_DOCUMENTS.forEach((document) => write(document, `# ${document}\n\nFirst ${document}.\n`));
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const versionsOf = (edition: string) => ({
  terms: hashOf(`# terms\n\n${edition} terms.\n`),
  privacy: hashOf('# privacy\n\nFirst privacy.\n'),
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('legal texts', () => {
  let product: TestProduct;
  beforeAll(async () => {
    fill();
    product = await startTestProduct({ LEGAL_DIR: folder });
  });
  afterAll(() => product?.stop());

  const eventsOf = async (client: HttpClient) =>
    (await product.resources.eventStore.readStream(`acceptance-${client.userId}`)).map(({ type, data }) => [
      type,
      data.document,
      data.version,
    ]);

  it('[LAW-700] are shown as HTML with their version, and a version that never existed is unknown', async () => {
    const visitor = product.browser();
    const { status, body } = await visitor.get('/api/legal/terms');
    const { terms } = versionsOf('First');
    expect([status, body.title, body.version, body.isCurrent]).toEqual([200, 'Terms of use', terms, true]);
    expect(body.html).toBe('<h1>terms</h1>\n<p>First terms.</p>\n');
    expect(body.versions).toEqual([{ version: terms, since: body.since }]);
    expect((await visitor.get(`/api/legal/terms?version=${'0'.repeat(64)}`)).status).toBe(404);
    expect((await visitor.get('/api/legal/cookies')).status).toBe(404);
  });

  it('[LAW-702, LAW-703] are accepted once per version, asked for again when they change, and stay readable', async () => {
    const first = versionsOf('First');
    const account = { email: 'lena@example.com', password: 'Birnbaum-im-Mai-7' };
    const lena = product.browser();
    const old = await lena.post('/api/auth/sign-up', { ...account, accepts: { terms: '1'.repeat(64) } });
    expect([old.status, old.body.code]).toEqual([409, 'LegalTextChanged']);
    await lena.post('/api/auth/sign-up', { ...account, accepts: first });
    await lena.post('/api/auth/sign-in', account);
    lena.userId = (await lena.get('/api/auth/session')).body.user.id;
    const accepted = [
      ['DocumentAccepted', 'terms', first.terms],
      ['DocumentAccepted', 'privacy', first.privacy],
    ];
    expect(await eventsOf(lena)).toEqual(accepted);
    expect((await lena.get('/api/me/acceptances')).body).toEqual({ versions: {} });
    // An account made without the form, for example through Google, is asked for both.
    const max = await product.signedUp();
    expect((await max.get('/api/me/acceptances')).body).toEqual({ versions: first });

    write('terms', '# terms\n\nSecond terms.\n');
    const { config } = product.resources;
    const next = await startProduct({ ...config, port: 0, publicUrl: 'http://localhost:0' });
    try {
      const second = versionsOf('Second');
      const again = new Client(next.url);
      await again.post('/api/auth/sign-in', account);
      expect((await again.get('/api/me/acceptances')).body).toEqual({ versions: { terms: second.terms } });
      expect((await again.post('/api/me/acceptances', { terms: first.terms })).status).toBe(409);
      for (let round = 0; round < 2; round += 1)
        expect((await again.post('/api/me/acceptances', { terms: second.terms })).status).toBe(204);
      expect(await eventsOf(lena)).toEqual([...accepted, ['DocumentAccepted', 'terms', second.terms]]);
      expect((await again.get('/api/me/acceptances')).body).toEqual({ versions: {} });
      const { body } = await again.get(`/api/legal/terms?version=${first.terms}`);
      expect([body.isCurrent, body.html]).toEqual([false, '<h1>terms</h1>\n<p>First terms.</p>\n']);
      expect(body.versions.map(({ version }: { version: string }) => version)).toEqual([
        second.terms,
        first.terms,
      ]);
      expect((await again.get('/api/me/export')).body.acceptedTexts).toHaveLength(3);
    } finally {
      await next.stop();
      fill();
    }
  });
});

describe('the folder of legal texts', () => {
  it.each([
    ['is missing', () => rmSync(join(folder, 'privacy.md')), /privacy\.md is missing/],
    ['is not UTF-8', () => write('privacy', Buffer.from([0x41, 0xff, 0xfe])), /privacy\.md is not readable/],
    ['is too large', () => write('privacy', 'a'.repeat(256 * 1024 + 1)), /privacy\.md is larger than 256 kB/],
    ['is empty', () => write('privacy', ' \n'), /privacy\.md is empty/],
    ['has a NUL', () => write('privacy', 'a\0b'), /privacy\.md is not a text/],
  ])('[LAW-701] stops the start with a sentence if a text %s', (_, damage, sentence) => {
    fill();
    damage();
    expect(() => readLegalTexts(folder)).toThrow(sentence);
  });

  it('[LAW-701] is a set of templates by default, which say so', () => {
    const { texts, areTemplates } = readLegalTexts(undefined);
    expect(areTemplates).toBe(true);
    for (const text of Object.values(texts)) expect(text).toContain('This is a template');
  });
});

it('[LAW-700] Markdown becomes HTML without scripts, tags of the text, pictures and active links', () => {
  const html = new MarkdownItRenderer().html(
    '<script>alert(1)</script>\n\n<b onclick="x()">b</b> [a](javascript:alert(1)) [b](data:text/html,x) ![p](http://x/p.png) [ok](/terms)',
  );
  expect(html).not.toMatch(/<(?!\/?(p|a)\b)/);
  expect(html.match(/<a [^>]*>/g)).toEqual(['<a href="http://x/p.png">', '<a href="/terms">']);
});
