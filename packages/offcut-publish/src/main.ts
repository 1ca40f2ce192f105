import { parseArgs } from 'node:util';
import { GENRES, genreFrom, MOODS } from '../../../application/catalogue/values.js';
import { lockFolder } from '../../offcut-sync/src/lock.js';
import { printer } from '../../offcut-sync/src/output.js';
import { NeedsPerson, TryLater } from '../../offcut-sync/src/server.js';
import type { Progress } from '../../offcut-sync/src/sync.js';
import { type PublishEvent, PublishRun, type Wishes } from './publish.js';
import { readFolder } from './read-folder.js';
import { Refused, Studio } from './studio.js';

const USAGE = `offcut-publish <folder> --url <address of the shop> --token <token> [--dry-run] [--publish] [--json]
               [--genre <genre>] [--mood <mood>]

Makes packs of a folder: one of each folder in it, with covers, MIDI and stems. They stay drafts without --publish.

  --url      or OFFCUT_URL
  --token    or OFFCUT_TOKEN: a token with the scope packs:write
  --genre    of packs for which offcut.csv names none; --mood likewise
  --dry-run  prints what would be made, and makes nothing
  --publish  puts the packs on sale when all their files are uploaded
  --json     prints one line of JSON per event

Exit codes: 0 everything is there; 1 something is missing, run again; 2 something needs you first.`;

const DONE = 0;
const INCOMPLETE = 1;
const NEEDS_YOU = 2;

interface Options extends Wishes {
  url: string;
  token: string;
  json: boolean;
}

type Given = { folder?: string } & ReturnType<typeof parse>['values'];

/** @throws NeedsPerson if an option is missing or invalid, which only the user can correct */
function optionsOf({ folder, ...values }: Given): Options {
  const { url = process.env.OFFCUT_URL, token = process.env.OFFCUT_TOKEN } = values;
  if (folder === undefined || !url || !token) throw new NeedsPerson(USAGE);
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw new NeedsPerson(`--url is no address: ${url}`);
  const genre = values.genre === undefined ? undefined : genreFrom(values.genre);
  if (values.genre !== undefined && !genre) throw new NeedsPerson(`--genre is one of ${GENRES.join(', ')}.`);
  const mood = MOODS.find((each) => each.toLowerCase() === values.mood?.toLowerCase());
  if (values.mood !== undefined && !mood) throw new NeedsPerson(`--mood is one of ${MOODS.join(', ')}.`);
  const { dryRun = false, publish = false, json = false } = values;
  return { folder, url, token, genre, mood, dryRun, publish, json };
}

function parse(args: string[]) {
  try {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        url: { type: 'string' },
        token: { type: 'string' },
        genre: { type: 'string' },
        mood: { type: 'string' },
        'dry-run': { type: 'boolean' },
        publish: { type: 'boolean' },
        json: { type: 'boolean' },
      },
    });
    const [folder, ...more] = positionals;
    const { 'dry-run': dryRun, ...others } = values;
    return { folder: more.length > 0 ? undefined : folder, values: { ...others, dryRun } };
  } catch (error) {
    throw new NeedsPerson(`${(error as Error).message}\n\n${USAGE}`);
  }
}

function sentenceOf(event: Exclude<PublishEvent, Progress>): string {
  if (event.event === 'done')
    return `${event.packs} packs: ${event.uploaded} files uploaded, ${event.known} already there, ${event.failed} failed.`;
  if (event.event === 'waiting') return `Waiting ${event.seconds} s: ${event.reason}.`;
  if (event.event === 'pack')
    return `${event.pack} (${event.status}): ${event.sounds} sounds, ${event.there} already there, ${event.midi} with MIDI, ${event.stems} with stems, ${event.cover ? `cover ${event.cover}` : 'no cover'}`;
  if ('packId' in event) return `${event.pack}: ${event.event === 'made' ? 'made' : 'on sale'}`;
  if (event.event === 'left-out') return `${event.file}: left out. ${event.reason}`;
  if (event.event === 'failed') return `${event.file || event.pack}: failed. ${event.reason}`;
  return event.event === 'known' ? `${event.file}: already there` : event.file;
}

/** Prints why a run ended early. @returns its exit code; throws unexpected errors */
function explain(error: unknown): number {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const isOfFolder = ['EACCES', 'EPERM', 'EROFS', 'EEXIST', 'ENOSPC', 'ENOTDIR'].includes(code);
  if (isOfFolder) console.error(`The folder cannot be written: ${message}`);
  else if (error instanceof TryLater || error instanceof NeedsPerson || error instanceof Refused)
    console.error(message);
  else throw error;
  return error instanceof TryLater ? INCOMPLETE : NEEDS_YOU;
}

/** Runs the program with the arguments of a command line. @returns the exit code */
export const publishFromArguments = (args: string[]): Promise<number> =>
  explained(() => {
    const { folder, values } = parse(args);
    return { ...values, ...(folder !== undefined && { folder }) };
  });

/** Runs the program with options. @returns the exit code */
export const publishFolder = (given: Given): Promise<number> => explained(() => given);

async function explained(read: () => Given): Promise<number> {
  try {
    return await run(optionsOf(read()));
  } catch (error) {
    return explain(error);
  }
}

async function run(options: Options): Promise<number> {
  const { folder, url, token, dryRun, json } = options;
  const print = printer<PublishEvent>(json, sentenceOf);
  const plan = await readFolder(folder);
  if (plan.wrongRows.length > 0) {
    for (const { row, reason } of plan.wrongRows) console.error(`offcut.csv, row ${row}: ${reason}.`);
    throw new NeedsPerson('Nothing was made, because offcut.csv has wrong rows.');
  }
  if (plan.packs.length === 0) throw new NeedsPerson(`The folder ${folder} contains no sounds.`);
  const onPause = (seconds: number, reason: string) => print({ event: 'waiting', seconds, reason });
  const studio = new Studio({ url, token, onPause });
  const work = new PublishRun(studio, options, plan, print);
  if (dryRun) return (await work.run()) === 0 ? DONE : INCOMPLETE;
  const unlock = await lockFolder(folder, 'offcut-publish');
  const leave = () => void unlock().finally(() => process.exit(INCOMPLETE));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, leave);
  try {
    return (await work.run()) === 0 ? DONE : INCOMPLETE;
  } finally {
    await unlock();
  }
}
