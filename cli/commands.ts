import described from '../package.json' with { type: 'json' };
import { Argument, Command, Option, CommanderError } from 'commander';
import { ACT_KINDS, STAFF_ACTIONS } from '../application/administration/values.js';
import { KEY_PURPOSES } from '../application/shared/keys/signing-keys.js';
import { STAFF_ROLES } from '../domain/accounts/staff.js';
import { addFinance } from './finance/finance-commands.js';
import { readConfig } from '../bootstrap/config.js';
import { address, day, jobId, position, reason, time } from './arguments.js';
import { onProduct } from './on-product.js';
import { CommandRefused } from './refused.js';
import { addStripe } from './stripe-commands.js';
import { explainFailure } from '../bootstrap/explain-failure.js';

// Commands load their code when they run, so that usage lines do not wait for a database driver.

export function offcut(): Command {
  const program = new Command('offcut')
    .usage('<command>')
    .version(described.version, '-v, --version', 'Prints the version.')
    .allowExcessArguments(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => console.log(text.trimEnd()),
      writeErr: (text) => console.error(text.trimEnd()),
      outputError: (text, write) => write(text.replace(/^error: /, 'offcut: ')),
    })
    .showHelpAfterError()
    .addHelpText(
      'after',
      '\nSettings come from the environment, as for the server; DATA_DIR names the data folder.',
    );
  addImports(program);
  addStaff(program);
  addFinance(program);
  addOperations(program);
  program
    .command('version')
    .description('Prints the version.')
    .action(() => console.log(described.version));
  return program;
}

function addImports(program: Command): void {
  program
    .command('import <folder>')
    .description(
      'Imports the audio files (WAV, AIFF, FLAC, MP3, Ogg, Opus, M4A, AAC) of a folder as a pack. Title, tempo and key come from pack.json, from names such as Felt_Keys_90bpm_Cmin.wav, or from tags. Running it again adds only what is missing.',
    )
    .requiredOption('--creator <handle>', 'the creator of the pack')
    .option('--pack <name>', 'the name of the pack')
    .option('--publish', 'puts it on sale, since its first date if pack.json has one', false)
    .action((folder, options) =>
      onProduct(import('./imports/import.command.js'), 'runImport', { folder, ...options }),
    );
  program
    .command('publish <folder>')
    .description(
      'Makes packs of a folder at any shop, through its API with an access token. Needs no data of this server; creators run it as `npx offcut-publish`. Running it again adds only what is missing.',
    )
    .option('--url <address>', 'the address of the shop, or OFFCUT_URL')
    .option('--token <token>', 'a token with the scope packs:write, or OFFCUT_TOKEN')
    .option('--genre <genre>', 'of new packs for which offcut.csv names none')
    .option('--mood <mood>', 'of new packs for which offcut.csv names none')
    .option('--dry-run', 'prints what would be made, and makes nothing', false)
    .option('--publish', 'puts the packs on sale when all their files are uploaded', false)
    .option('--json', 'one line of JSON per event', false)
    .action(async (folder, options) => {
      const { publishFolder } = await import('../packages/offcut-publish/src/main.js');
      process.exitCode = await publishFolder({ folder, ...options });
    });
  program
    .command('import-bucket')
    .argument('<place>', 'a folder, or s3://bucket')
    .description(
      'Imports every pack at Users/*/Packs/* with covers and samples. Running it again adds only what is missing. Creators without --creator get accounts without a password; `offcut hand-over` gives them to their owners. IMPORT_S3_ACCESS_KEY_ID and IMPORT_S3_SECRET_ACCESS_KEY give access to the bucket.',
    )
    .option('--endpoint <url>', 'the address of the S3 service')
    .option('--region <name>', 'the region of the S3 service')
    .option('--creator <folder=handle>', 'a creator who has an account; may be repeated', many, [])
    .option('--report <file>', 'the file for the whole report, as JSON')
    .action((from, { creator: creators, ...options }) =>
      onProduct(import('./imports/import-bucket.command.js'), 'runImportBucket', {
        from,
        creators,
        ...options,
      }),
    );
  program
    .command('export-pack <slug>')
    .description(
      'Writes a pack as a folder with pack.json, covers, samples, stems and MIDI. The import command reads such a folder.',
    )
    .requiredOption('--creator <handle>', 'the creator of the pack')
    .requiredOption('--to <folder>', 'the folder to write to')
    .action((slug, options) => onProduct(import('./export.command.js'), 'exportPack', { slug, ...options }));
  program
    .command('hand-over <handle>')
    .description(
      'Gives the account of an imported creator an e-mail address; the creator signs in through "Forgot password?".',
    )
    .requiredOption('--email <address>', "the creator's address", address)
    .action((handle, { email }) =>
      onProduct(import('./hand-over.command.js'), 'handOver', { handle, email }),
    );
}

function addStaff(program: Command): void {
  const staff = program
    .command('staff')
    .description(
      'Lists, grants and revokes the roles admin and finance. Use it to appoint the first administrator; an administrator must approve later grants. The person must have an account.',
    );
  for (const action of ['grant', 'revoke'] as const) {
    const command = staff
      .command(action)
      .argument('<address>', 'of the account', address)
      .addArgument(new Argument('<role>').choices(STAFF_ROLES))
      .option('--reason <text>', 'why; administrators read it', 'Asked for on the command line');
    if (action === 'grant')
      command.option(
        '--break-glass <reason>',
        'grants at once, because no administrator is available; finance is notified and the audit records the reason',
        reason,
      );
    command.action((email, role, options) =>
      onProduct(import('./staff.command.js'), 'changeStaff', { action, email, role, ...options }),
    );
  }
  staff
    .command('reset-factors')
    .description(
      'Removes the passkeys, authenticator app and recovery codes of a person who lost them, and ends their sessions. A mail notifies the person.',
    )
    .argument('<address>', 'of the account', address)
    .requiredOption('--reason <text>', 'why, and how you know that it is them; kept with the act')
    .action((email, options) =>
      onProduct(import('./staff.command.js'), 'resetFactors', { email, ...options }),
    );
  staff
    .command('audit')
    .description('Prints requests, decisions and actions of staff, newest first.')
    .option('--person <id>', 'who did it, or had something of it')
    .addOption(new Option('--kind <kind>', 'what it was about').choices(ACT_KINDS))
    .addOption(new Option('--did <action>', 'what they did').choices(STAFF_ACTIONS))
    .option('--from <day>', 'the first day (UTC), such as 2026-11-20', day)
    .option('--to <day>', 'the last day', day)
    .addOption(
      new Option('--format <format>', 'for people or programs')
        .choices(['table', 'csv', 'json'])
        .default('table'),
    )
    .option('--json', 'the same as --format json', false)
    .action((options) => onProduct(import('./staff.command.js'), 'printAudit', options));
  staff
    .command('list')
    .description('Lists the members of staff and their roles.')
    .option('--json', 'the list as JSON', false)
    .action((options) => onProduct(import('./staff.command.js'), 'printStaff', options));
}

function addKeys(program: Command): void {
  const keys = program.command('keys').description('Manages signing keys outside the database.');
  keys
    .command('new')
    .description(
      'Makes a key for each purpose (log heads, certificates, download addresses, authenticator apps, tax details). Former keys stay in the file and verify or decrypt what they were used for.',
    )
    .option('--into <file>', 'adds them to the file that KEYS_FILE names; else they are printed')
    .addOption(new Option('--only <purpose>', 'for one purpose').choices(KEY_PURPOSES))
    .option('--from <time>', 'when they begin to sign, such as 2026-12-01T06:00:00Z; else now', time)
    .action(async (options) => (await import('./keys.command.js')).newKeys(options, console.log));
  keys
    .command('withdraw <id>')
    .description('Withdraws a leaked key, so that it no longer signs.')
    .requiredOption('--file <file>', 'the file that KEYS_FILE names')
    .action(async (id, { file }) =>
      (await import('./keys.command.js')).withdrawKey({ file, id }, console.log),
    );
}

function addBackups(program: Command): void {
  program
    .command('backup <place>')
    .description(
      'Writes one snapshot of the database to a file or to s3://bucket/name, and the stored files if they are in DATA_DIR. The server may run.',
    )
    .option('--json', 'the report as JSON', false)
    .action((to, { json }) =>
      onProduct(import('./backup/backup.command.js'), 'backup', { to, isJson: json }),
    );
  const restore = program
    .command('restore')
    .argument('<file>')
    .description(
      'Restores a backup into an empty database, which DATABASE_URL or a new DATA_DIR names, and checks it. Nothing is written before all of the backup was checked.',
    )
    .option('--json', 'the report as JSON', false)
    .action(async (from, { json }) => {
      const { restoreBackup } = await import('./backup/restore-backup.command.js');
      process.exitCode = await restoreBackup(readConfig(process.env), { from, isJson: json }, console.log);
    });
  restore
    .command('missing')
    .description(
      'Lists what the restored log lacks: payments at Stripe, stored files, events that mails were about, and certificates that buyers hold. Changes nothing. Exits with 1 if something other than mails is missing.',
    )
    .requiredOption('--since <time>', 'the time of the backup, such as 2026-11-27T03:00:00Z', time)
    .option('--certificates <folder>', 'certificates as JSON that buyers sent')
    .option('--json', 'the list as JSON', false)
    .action((options) => onProduct(import('./backup/missing.command.js'), 'printMissing', options));
  restore
    .command('record')
    .description(
      'Asks a second person to record that the log ends where a backup did. Signed heads after that event which contradict the log are then excused, by name.',
    )
    .requiredOption('--position <position>', 'the last event that the backup had', position)
    .requiredOption('--reason <text>', 'why the backup was restored; the second person reads it', reason)
    .requiredOption('--by <address>', 'your address, as an administrator or finance', address)
    .action((options) => onProduct(import('./restore.command.js'), 'requestRestore', options));
}

function addOperations(program: Command): void {
  program
    .command('events <stream>')
    .description('Prints a stream of the event log, such as pack-{id}.')
    .option('--json', 'one event a line, as JSON', false)
    .action((stream, options) =>
      onProduct(import('./events.command.js'), 'printEvents', { stream, ...options }),
    );
  addKeys(program);
  const projections = program
    .command('projections')
    .description('Lists the position of each read model and reactor in the log, and its parked events.')
    .option('--json', 'the list as JSON', false)
    .action((options) => onProduct(import('./projections.command.js'), 'listProjections', options));
  projections
    .command('retry <name> [stream]')
    .description('Makes the workers retry the parked events of a read model or reactor now.')
    .action((name, stream) => onProduct(import('./projections.command.js'), 'retryParked', { name, stream }));
  projections
    .command('skip')
    .argument('<name>')
    .argument('<position>', 'of the event in the log', position)
    .description(
      'Has a read model or reactor go on without a parked event that it cannot handle. The reason and who gave it are recorded; `offcut events log-subscription-{name}` prints them.',
    )
    .requiredOption('--reason <text>', 'why; it stays in the log, so it names no person')
    .requiredOption('--by <address>', 'the address of an administrator', address)
    .action((name, position, options) =>
      onProduct(import('./projections.command.js'), 'skipParked', { name, position, ...options }),
    );
  projections
    .command('rebuild <name>')
    .description('Rebuilds a read model from the log. The old one stays readable until then.')
    .action((name) => onProduct(import('./projections.command.js'), 'rebuild', name));
  const jobs = program
    .command('jobs')
    .description('Lists waiting, running and failed jobs.')
    .option('--json', 'the list as JSON', false)
    .action((options) => onProduct(import('./jobs.command.js'), 'listJobs', options));
  for (const [action, description] of [
    ['retry', 'Retries failed jobs.'],
    ['discard', 'Deletes failed and waiting jobs. Running jobs finish.'],
    ['cancel', 'Cancels running jobs. They are not retried.'],
  ] as const)
    jobs
      .command(action)
      .argument('[id]', 'of the job', jobId)
      .description(description)
      .option('--kind <kind>', 'all of a kind, such as mail')
      .action((id, { kind }) => onProduct(import('./jobs.command.js'), 'decideOnJobs', { action, id, kind }));
  program
    .command('fingerprints')
    .description(
      'Counts the sounds that have a fingerprint and were compared with all others. Exits with 1 if any was not.',
    )
    .option('--missing', 'has workers make and compare those that are missing', false)
    .option('--json', 'the counts as JSON', false)
    .action((options) => onProduct(import('./fingerprints.command.js'), 'fingerprints', options));
  addStripe(program);
  program
    .command('migrate')
    .description(
      'Migrates the database to the schema of this version. Nodes of the previous version keep working unless the changelog says otherwise.',
    )
    .option('--check', 'changes nothing, lists what is missing and exits with 1 if anything is', false)
    .option('--json', 'the migrations as JSON', false)
    .action(async (options) => {
      const { runMigrate } = await import('./migrate.command.js');
      process.exitCode = await runMigrate(readConfig(process.env), options, console.log);
    });
  addBackups(program);
  program
    .command('storage')
    .description('Configures the bucket.')
    .command('cors')
    .description(
      'Allows pages of PUBLIC_URL to read and write the bucket through signed addresses. Other rules are kept.',
    )
    .action(() => onProduct(import('./storage.command.js'), 'allowPages'));
  program
    .command('doctor')
    .description('Checks the database, the storage, the chain of the log, the jobs and the read models.')
    .option('--json', 'the checks as JSON', false)
    .action(({ json }) => onProduct(import('./doctor.command.js'), 'doctor', { isJson: json }));
}

const many = (one: string, others: string[]): string[] => [...others, one];

const CALLED_WRONGLY = 2;

/** Runs one command. @returns the exit code: 0 done, 1 something failed, 2 called wrongly, 130 interrupted */
export async function runOffcut(args: readonly string[]): Promise<number> {
  const program = offcut();
  try {
    await program.parseAsync(args, { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      const sentence = error instanceof CommandRefused ? error.message : explainFailure(error);
      const { message, stack = message } = error as Error;
      // An unexpected error is a bug in Offcut. DEBUG=1 prints where it happened.
      const unexpected = process.env['DEBUG'] ? stack : `Unexpected error: ${message.split('\n')[0]}`;
      console.error(`offcut: ${sentence ?? unexpected}`);
      return 1;
    }
    return error.exitCode === 0 ? 0 : CALLED_WRONGLY;
  }
}
