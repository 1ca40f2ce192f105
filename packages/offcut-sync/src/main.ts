import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { TEMPLATE_MAX_LENGTH, templateProblem } from '../../../domain/shared/file-names.js';
import { DiskFull } from './disk.js';
import { Folder } from './folder.js';
import { NodeDisk } from './node-disk.js';
import { printer } from './output.js';
import { NeedsPerson, TryLater } from './server.js';
import { Shop } from './shop.js';
import { type Progress, type SyncEvent, syncOnce } from './sync.js';

const USAGE = `offcut-sync <folder> --url <address of the shop> --token <token> [--watch] [--every <seconds>] [--json]
            [--template <template>]

Keeps everything that you bought in a folder. Deletes nothing.

  --url       or OFFCUT_URL
  --token     or OFFCUT_TOKEN: a token with the scopes library:read and library:download
  --template  names the files, for example "{creator} - {title} - {bpm} - {key}"; without it, Settings → Account counts
  --watch     keeps running and asks for new purchases every minute, or as --every says
  --json      prints one line of JSON per event

Exit codes: 0 everything is there; 1 something is missing, run again; 2 something needs you first.`;

const DONE = 0;
const INCOMPLETE = 1;
const NEEDS_YOU = 2;

const POLL_SECONDS = 60;
const LONGEST_POLL_MS = 15 * 60_000;

interface Options {
  folder: string;
  url: string;
  token: string;
  template: string | undefined;
  watch: boolean;
  everyMs: number;
  json: boolean;
}

/** @throws NeedsPerson if an argument is missing or invalid, which only the user can correct */
function readOptions(args: string[]): Options {
  const { positionals, values } = parse(args);
  const [folder, ...more] = positionals;
  const { url = process.env.OFFCUT_URL, token = process.env.OFFCUT_TOKEN, template } = values;
  if (folder === undefined || more.length > 0 || !url || !token) throw new NeedsPerson(USAGE);
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw new NeedsPerson(`--url is no address: ${url}`);
  const problem = template === undefined ? undefined : templateProblem(template);
  if (problem !== undefined) throw new NeedsPerson(`--template: ${problem}.`);
  if (template !== undefined && template.length > TEMPLATE_MAX_LENGTH)
    throw new NeedsPerson(`--template has more than ${TEMPLATE_MAX_LENGTH} characters.`);
  const everyMs = Number(values.every ?? POLL_SECONDS) * 1_000;
  if (!(everyMs >= 1_000 && everyMs <= LONGEST_POLL_MS))
    throw new NeedsPerson('--every takes 1 to 900 seconds.');
  const { watch = false, json = false } = values;
  return { folder, url, token, template, watch, everyMs, json };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        url: { type: 'string' },
        token: { type: 'string' },
        template: { type: 'string' },
        watch: { type: 'boolean' },
        every: { type: 'string' },
        json: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new NeedsPerson(`${(error as Error).message}\n\n${USAGE}`);
  }
}

function sentenceOf(event: Exclude<SyncEvent, Progress>): string {
  if (event.event === 'done')
    return `${event.files} files: ${event.downloaded} downloaded, ${event.renamed} renamed, ${event.skipped} skipped, ${event.failed} failed.`;
  if (event.event === 'waiting') return `Waiting ${event.seconds} s: ${event.reason}.`;
  if (event.event === 'renamed') return `${event.from} → ${event.file}`;
  if ('reason' in event) return `${event.file}: ${event.event}. ${event.reason}`;
  return event.event === 'found' ? `${event.file}: already there` : event.file;
}

/** Prints why a run ended early. @returns its exit code; throws unexpected errors */
function explain(error: unknown): number {
  if (error instanceof DiskFull) {
    console.error('The disk is full. Free some space and run again: what has arrived is kept.');
    return INCOMPLETE;
  }
  if (error instanceof TryLater || error instanceof NeedsPerson) {
    console.error(error.message);
    return error instanceof TryLater ? INCOMPLETE : NEEDS_YOU;
  }
  if (
    ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')
  ) {
    console.error(`The folder cannot be written: ${(error as Error).message}`);
    return NEEDS_YOU;
  }
  throw error;
}

async function main(args: string[]): Promise<number> {
  const options = readOptions(args);
  const print = printer<SyncEvent>(options.json, sentenceOf);
  const { url, token, template } = options;
  const onPause = (seconds: number, reason: string) => print({ event: 'waiting', seconds, reason });
  const shop = new Shop({ url, token, onPause });
  const disk = await NodeDisk.open(options.folder);
  const leave = () => void disk.unlock().finally(() => process.exit(options.watch ? DONE : INCOMPLETE));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, leave);
  try {
    const folder = await Folder.open(disk);
    const once = async () => ((await syncOnce(shop, folder, print, template)) === 0 ? DONE : INCOMPLETE);
    for (let wait = options.everyMs; ;) {
      const code = await once().catch(explain);
      if (!options.watch || code === NEEDS_YOU) return code;
      wait = code === DONE ? options.everyMs : Math.min(wait * 2, LONGEST_POLL_MS);
      await pause(wait);
    }
  } finally {
    await disk.unlock();
  }
}

process.exitCode = await main(process.argv.slice(2)).catch(explain);
