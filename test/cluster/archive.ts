/** The archive of the cluster's write-ahead log with pgBackRest, and the recovery of a lost cluster from it. */
import { execFile, execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { Part } from './part.js';
import { archiveSettings, PASSWORD, type Server } from './settings.js';

const run = promisify(execFile);

export interface Archived extends Server {
  /** The folder that contains the server's data. */
  folder: string;
}

interface Programs {
  pgbackrest: string;
  patronictl: string;
  postgres: string;
  uid: number | undefined;
}

export class Archive {
  constructor(
    /** The folder with the settings of each server, and with the archive itself. */
    private readonly folder: string,
    private readonly programs: Programs,
  ) {}

  /** Writes the settings of a server. @returns its `archive_command` */
  settle({ name, folder, port }: Archived): string {
    writeFileSync(this.file(name), archiveSettings(join(this.folder, 'archive'), { folder, port }));
    return `${this.programs.pgbackrest} --config=${this.file(name)} --stanza=offcut archive-push %p`;
  }

  /** Takes the first backup. */
  async begin(primary: Archived): Promise<void> {
    await this.pgbackrest(primary, 'stanza-create');
    await this.pgbackrest(primary, 'backup', '--type=full');
  }

  /** Restores the newest backup and all archived segments to a server, and ends the recovery there. */
  async restore(server: Archived): Promise<void> {
    const { name, folder, port } = server;
    await this.pgbackrest(server, 'restore', '--type=default');
    const data = join(folder, 'data');
    const settings = [
      `port=${port}`,
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=${folder}`,
      `archive_command=${this.settle(server)}`,
      `hba_file=${join(data, 'pg_hba.conf')}`,
      `ident_file=${join(data, 'pg_ident.conf')}`,
    ];
    const alone = new Part(
      `${name}-recovery`,
      {
        command: this.programs.postgres,
        args: ['-D', data, ...settings.flatMap((each) => ['-c', each])],
        uid: this.programs.uid,
      },
      async () => (await this.asked(port, 'select pg_is_in_recovery() as value')) === false,
      join(this.folder, `${name}-recovery.log`),
    );
    await alone.start();
    await alone.end('SIGINT');
  }

  /** Makes etcd forget the lost cluster. The restored server may be behind what it remembers. */
  async forget(settings: string): Promise<void> {
    execFileSync(this.programs.patronictl, ['-c', settings, 'remove', 'offcut'], {
      input: 'offcut\nYes I am aware\n',
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, LANG: 'C.UTF-8' },
    });
  }

  empty({ folder }: Archived): void {
    rmSync(join(folder, 'data'), { recursive: true, force: true });
  }

  private file(name: string): string {
    return join(this.folder, `${name}-pgbackrest.conf`);
  }

  private async pgbackrest({ name }: Server, ...command: string[]): Promise<void> {
    const { uid } = this.programs;
    await run(this.programs.pgbackrest, [`--config=${this.file(name)}`, '--stanza=offcut', ...command], {
      env: { PATH: process.env.PATH, LANG: 'C.UTF-8', PGPASSWORD: PASSWORD },
      ...(uid !== undefined && { uid, gid: uid }),
    });
  }

  private async asked(port: number, sql: string): Promise<unknown> {
    const config = { host: '127.0.0.1', port, user: 'postgres', password: PASSWORD, database: 'postgres' };
    const client = new pg.Client({ ...config, connectionTimeoutMillis: 2_000 });
    client.on('error', () => {});
    try {
      await client.connect();
      return (await client.query<{ value: unknown }>(sql)).rows[0]?.value;
    } finally {
      await client.end().catch(() => {});
    }
  }
}

/** Waits until the lease of the lost primary has expired. */
export const leaseOver = (): Promise<void> => pause(8_000);
