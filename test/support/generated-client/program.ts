/**
 * A program outside the repository: it has only the types that openapi-typescript generates, and calls the shop with them.
 * `test/http/generated-client.spec.ts` copies it beside the generated `offcut.d.ts`, checks its types and runs it.
 *
 *   node program.ts <url> <email> <password>
 */
import { randomUUID } from 'node:crypto';
import createClient from 'openapi-fetch';
import type { paths } from './offcut.d.ts';

const [baseUrl = '', email = '', password = ''] = process.argv.slice(2);
const called: string[] = [];

/** Returns the data of an answer. Throws with its problem if the call failed. */
async function taken<Data>(
  name: string,
  call: Promise<{ data?: Data; error?: unknown; response: Response }>,
): Promise<Data> {
  const { data, error, response } = await call;
  if (!response.ok) throw new Error(`${name}: ${response.status} ${JSON.stringify(error)}`);
  called.push(name);
  return data as Data;
}

const visitor = createClient<paths>({ baseUrl });
const { user, session } = await taken(
  'signIn',
  visitor.POST('/api/auth/sign-in', { body: { email, password } }),
).then((answer) => {
  if (!('session' in answer)) throw new Error('a second factor is needed');
  return answer;
});
const api = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${session.access_token}` } });
const { GET, POST, PUT, PATCH, DELETE } = api;
const key = () => ({ header: { 'Idempotency-Key': randomUUID() } });

await taken('readHealth', GET('/healthz'));
await taken('readHome', GET('/api/home'));
await taken('readSounds', GET('/api/sounds'));
await taken('readDiscover', GET('/api/discover'));
await taken('listPlans', GET('/api/plans'));
await taken('listCollections', GET('/api/collections'));
await taken('readTransparency', GET('/api/transparency'));
await taken('readLegalText', GET('/api/legal/{document}', { params: { path: { document: 'terms' } } }));
const packs = await taken('listPacks', GET('/api/packs', { params: { query: { sort: 'new', limit: 5 } } }));
const pack = packs.items[0]!;
const address = { handle: pack.creator.handle, slug: pack.slug };
await taken('readPack', GET('/api/packs/{handle}/{slug}', { params: { path: address } }));
await taken(
  'readCreator',
  GET('/api/creators/{handle}', { params: { path: { handle: pack.creator.handle } } }),
);
const found = await taken(
  'searchSamples',
  GET('/api/samples', { params: { query: { genre: ['Lofi', 'Soul'], hasMidi: 'false' } } }),
);
const sample = found.items[0]!;
const id = sample.id;
await taken('readSample', GET('/api/samples/{id}', { params: { path: { id } } }));
await taken('listSimilar', GET('/api/samples/{id}/similar', { params: { path: { id } } }));
await taken('suggestResults', GET('/api/search/suggestions', { params: { query: { q: sample.title } } }));
await taken('swipe', GET('/api/swipe', { params: { query: { exclude: [id] } } }));

await taken('readSession', GET('/api/auth/session'));
await taken('readCredits', GET('/api/credits'));
const bought = await taken(
  'downloadSample',
  POST('/api/downloads', {
    params: key(),
    body: { sampleId: id, expectedCredits: sample.creditCost },
  }),
);
await taken('listCreditLines', GET('/api/credits/ledger', { params: { query: { limit: 10 } } }));
await taken('listDownloads', GET('/api/library/downloads'));
const certificate = await taken(
  'readCertificate',
  GET('/api/certificates/{id}', { params: { path: { id: bought.certificateId! } } }),
);
const { valid } = await taken('verifyCertificate', POST('/api/certificates/verify', { body: certificate }));
if (!valid) throw new Error('the certificate is not valid');

const item = { params: { path: { itemId: id } } };
await taken('saveItem', PUT('/api/library/saved/{itemId}', { ...item, body: { id, type: 'sample' } }));
await taken('listSaved', GET('/api/library/saved'));
await taken('removeSaved', DELETE('/api/library/saved/{itemId}', item));

const project = await taken('addProject', POST('/api/projects', { body: { name: 'Night bus', tempo: 90 } }));
const ofProject = { params: { path: { id: project.id } } };
await taken('changeProject', PATCH('/api/projects/{id}', { ...ofProject, body: { tempo: 92 } }));
await taken('listProjects', GET('/api/projects'));
await taken('removeProject', DELETE('/api/projects/{id}', ofProject));

const token = await taken(
  'issueToken',
  POST('/api/tokens', { body: { name: 'Studio PC', scopes: ['library:read'] } }),
);
await taken('listTokens', GET('/api/tokens'));
await taken('revokeToken', DELETE('/api/tokens/{id}', { params: { path: { id: token.id } } }));
await taken('readNotifications', GET('/api/notifications'));
await taken('changeNotifications', PUT('/api/notifications', { body: { weeklyMail: false } }));
await taken('listSessions', GET('/api/me/sessions'));

const refused = await GET('/api/packs', { params: { query: { cursor: 'nonsense' } } });
const code: string | undefined = refused.error && 'code' in refused.error ? refused.error.code : undefined;
process.stdout.write(JSON.stringify({ userId: user.id, called, code }));
