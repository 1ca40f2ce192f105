import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { fill, patroniSettings } from './settings.js';

it('[OPEN-704] the cluster of the tests runs on the files of ops/reference, and their README explains every name in them', () => {
  const folder = 'ops/reference';
  const readme = readFileSync(`${folder}/README.md`, 'utf8');
  const files = readdirSync(folder).filter((file) => file !== 'README.md');
  const uses = readFileSync('test/cluster/settings.ts', 'utf8');
  expect(files.filter((file) => !uses.includes(`fill('${file}'`) || !readme.includes(`\`${file}\``))).toEqual(
    [],
  );
  const names = files.flatMap((file) =>
    [...readFileSync(`${folder}/${file}`, 'utf8').matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name),
  );
  // Tables name the first and the last of numbered ones.
  expect(names.filter((name) => !readme.includes(`\`${name.replace('_2', '_1')}\``))).toEqual([]);
  expect(() => fill('pgbouncer.ini', {})).toThrow('pgbouncer.ini needs PRIMARY_HOST');
  const settings = patroniSettings({
    name: 'node-1',
    own: '/srv/node-1',
    server: 5432,
    api: 8008,
    etcd: ['http://10.0.0.1:2379', 'http://10.0.0.2:2379', 'http://10.0.0.3:2379'],
    programs: '/usr/lib/postgresql/15/bin',
    archiveCommand: 'pgbackrest --stanza=offcut archive-push %p',
  });
  expect(parse(settings)).toMatchObject({
    etcd3: { hosts: ['10.0.0.1:2379', '10.0.0.2:2379', '10.0.0.3:2379'] },
    bootstrap: { dcs: { synchronous_mode: true, failsafe_mode: true, ttl: 6 } },
    postgresql: { listen: '127.0.0.1:5432', parameters: { archive_mode: 'on', archive_timeout: 20 } },
  });
});
