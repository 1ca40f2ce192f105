import type { Genre, Instrument, Mood, MusicalKey } from '../../../domain/catalogue/vocabulary.js';
import { PACK_SAMPLE_LIMIT } from '../../../domain/publishing/pack.js';
import type { Kind } from '../../../domain/shared/kind.js';
import type { Origin } from '../../../domain/shared/origin.js';
import { IMAGE_LIMIT_BYTES, IMAGE_LIMIT_MIB } from '../../media/values.js';
import { asWritten, cutText, unreadable } from '../../shared/text.js';
import { AUDIO_KINDS, AUDIO_LIMIT_BYTES, AUDIO_LIMIT_MIB, AUDIO_NAME, TITLE_MAX_LENGTH } from '../values.js';
import { type ManifestRow, MANIFEST_NAME, readManifest, type WrongRow } from './manifest.js';

export interface FolderFile {
  /** The path below the folder, with slashes. */
  path: string;
  sizeBytes: number;
  /** Why the content cannot be uploaded. */
  refusal?: string | undefined;
}

export interface PlannedSound {
  path: string;
  sizeBytes: number;
  midi: string | null;
  stems: string | null;
  /** What the manifest says. The server takes the rest from the name of the file. */
  meta: {
    name?: string;
    bpm?: number;
    key?: MusicalKey | null;
    instruments?: Instrument[];
    creditCost?: number;
    isRoyaltyFree?: boolean;
    kind?: Kind | null;
    origin?: Origin | null;
  };
}

export interface PlannedPack {
  /**
   * Identifies the pack. Stays the same when the folder is read again, even if the creator has chosen another
   * title.
   */
  key: string;
  title: string;
  /** Null if the manifest does not say it. */
  genre: Genre | null;
  mood: Mood | null;
  description: string;
  cover: string | null;
  sounds: PlannedSound[];
}

export interface FolderPlan {
  packs: PlannedPack[];
  leftOut: { path: string; reason: string }[];
  /** Rows of the manifest that cannot be used. If there are any, no pack may be created from the folder. */
  wrongRows: WrongRow[];
}

/** Compares names as people do: "take 2" comes before "take 10". */
const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

const OF_THE_SYSTEM = /(?:^|\/)(?:\.[^/]*|__MACOSX|Thumbs\.db|desktop\.ini)(?:\/|$)/i;
const IMAGE_NAME = /\.(?:png|jpe?g|webp)$/i;
const COVER_NAMES = ['cover', 'artwork', 'folder', 'front'];
const ATTACHMENTS = { midi: /\.midi?$/i, stems: /\.zip$/i } as const;
type AttachmentKind = keyof typeof ATTACHMENTS;
const KINDS = ['midi', 'stems'] as const;
const NOUNS = { midi: 'MIDI file', stems: 'stems' } as const;
/** Ends the name of an attachment or of a folder of stems, as in `Felt Keys (stems).zip`. */
const SUFFIX = /[\s_-]*\(?(?:stems|midi)\)?$/;

const foldersOf = (path: string): string[] => path.split('/').slice(0, -1);
/** The folder at the top that contains a file; empty for a file at the top. */
const topOf = (path: string): string => foldersOf(path)[0] ?? '';
const lowered = (text: string): string => text.normalize('NFC').toLowerCase();
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const stemOf = (path: string): string => lowered(nameOf(path)).replace(/\.[^.]+$/, '');

/** Returns a title for the pack of a folder. */
function titleFrom(folder: string): string {
  const title = cutText(asWritten(folder.replaceAll('_', ' ').replaceAll(/\s+/g, ' ')), TITLE_MAX_LENGTH);
  return title === '' || unreadable(title, 'one') ? 'New Pack' : title;
}

/** Whether a title names the same pack as another. */
export const isSameTitle = (a: string, b: string): boolean => lowered(asWritten(a)) === lowered(asWritten(b));

/**
 * Returns the samples that already exist for sounds of a plan, by path of the sound. A sample matches if its file
 * has the same name and size.
 */
export function samplesOf<Sample extends { filename: string; sizeBytes: number }>(
  sounds: readonly PlannedSound[],
  samples: readonly Sample[],
): Map<string, Sample> {
  const keyOf = (path: string, sizeBytes: number): string => `${stemOf(path)}/${sizeBytes}`;
  const waiting = grouped(samples, ({ filename, sizeBytes }) => keyOf(filename, sizeBytes));
  const found = new Map<string, Sample>();
  for (const { path, sizeBytes } of sounds) {
    const sample = waiting.get(keyOf(path, sizeBytes))?.shift();
    if (sample) found.set(path, sample);
  }
  return found;
}

interface Draft extends PlannedPack {
  /** The first row that names the pack; null without one. */
  row: number | null;
  /** The number of the manifest row that gives the pack's genre, mood, description or cover, by field. */
  statedIn: Map<string, number>;
}

function grouped<Item>(items: Iterable<Item>, keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

/**
 * Plans the packs of a folder: one of each subfolder with sounds and one of the sounds at the top, unless the manifest
 * says otherwise. MIDI files, stems and covers are found by name.
 * @param manifest the text of `offcut.csv`
 */
export function planFolder(folder: string, files: readonly FolderFile[], manifest?: string): FolderPlan {
  return new Planning(folder, files).run(manifest === undefined ? undefined : readManifest(manifest));
}

class Planning {
  private readonly files: readonly FolderFile[];
  private readonly byName: ReadonlyMap<string, FolderFile[]>;
  private readonly drafts = new Map<string, Draft>();
  private readonly reasons = new Map<string, string>();
  private readonly wrongRows: WrongRow[] = [];
  private readonly sounds = new Map<string, PlannedSound>();
  private readonly packs = new Map<string, Draft>();
  private readonly taken = new Set<string>();

  constructor(
    private readonly folder: string,
    files: readonly FolderFile[],
  ) {
    this.files = files
      .filter(({ path }) => !OF_THE_SYSTEM.test(path) && path !== MANIFEST_NAME)
      .toSorted((a, b) => compare(a.path, b.path));
    this.byName = grouped(this.files, ({ path }) => lowered(nameOf(path)));
  }

  run(manifest: ReturnType<typeof readManifest> | undefined): FolderPlan {
    for (const file of this.files) this.reasons.set(file.path, this.refusalOf(file) ?? '');
    for (const { path } of this.files) this.leaveOutStems(path);
    const rows = new Map<string, ManifestRow>();
    this.wrongRows.push(...(manifest?.wrongRows ?? []));
    for (const row of manifest?.rows ?? []) this.readRow(row, rows);
    for (const file of this.files) if (this.isSellable(file.path)) this.addSound(file, rows.get(file.path));
    const byStem = grouped(this.sounds.values(), ({ path }) => stemOf(path));
    const tops = new Set([...this.sounds.keys()].map(topOf));
    for (const kind of KINDS)
      for (const { path } of this.files)
        if (ATTACHMENTS[kind].test(path) && this.reasons.get(path) === '')
          this.attach(kind, path, byStem, tops);
    for (const draft of this.drafts.values()) draft.cover ??= this.coverOf(draft);
    return this.result();
  }

  private result(): FolderPlan {
    const drafts = [...this.drafts.values()];
    const used = new Set([
      ...[...this.sounds.values()].flatMap(({ path, midi, stems }) => [path, midi, stems]),
      ...drafts.map(({ cover }) => cover),
    ]);
    if (this.wrongRows.length === 0)
      for (const { row, title, sounds } of drafts)
        if (row !== null && sounds.length === 0)
          this.wrongRows.push({ row, reason: `the pack ${title} has no sounds` });
    return {
      packs: drafts
        .filter(({ sounds }) => sounds.length > 0)
        .map(({ row: _row, statedIn: _statedIn, ...pack }) => pack)
        .sort((a, b) => compare(a.title, b.title)),
      leftOut: this.files
        .filter(({ path }) => !used.has(path))
        .map(({ path }) => ({ path, reason: this.reasons.get(path) || 'Another picture is the cover.' })),
      wrongRows: this.wrongRows.sort((a, b) => a.row - b.row),
    };
  }

  private refusalOf({ path, sizeBytes, refusal }: FolderFile): string | undefined {
    const isImage = IMAGE_NAME.test(path);
    const isAttachment = KINDS.some((kind) => ATTACHMENTS[kind].test(path));
    if (!isImage && !isAttachment && !AUDIO_NAME.test(path)) return `Not a ${AUDIO_KINDS} file.`;
    if (sizeBytes === 0) return 'The file is empty.';
    if (isImage && sizeBytes > IMAGE_LIMIT_BYTES)
      return `The picture is too large: at most ${IMAGE_LIMIT_MIB} MB.`;
    if (sizeBytes > AUDIO_LIMIT_BYTES) return `The file is too large: at most ${AUDIO_LIMIT_MIB} MB.`;
    return refusal;
  }

  /** Excludes stems that are not zipped: audio files in a folder named after a sound beside that folder. */
  private leaveOutStems(path: string): void {
    const folder = foldersOf(path).at(-1);
    if (folder === undefined || !AUDIO_NAME.test(path) || !SUFFIX.test(lowered(folder))) return;
    const beside = foldersOf(path).slice(0, -1).join('/');
    const stem = lowered(folder).replace(SUFFIX, '');
    const isSound = ({ path: other }: FolderFile): boolean =>
      AUDIO_NAME.test(other) && foldersOf(other).join('/') === beside && stemOf(other) === stem;
    if (stem !== '' && this.files.some(isSound))
      this.reasons.set(path, `Stems are uploaded as one file: zip this folder as ${folder}.zip.`);
  }

  private isSellable(path: string): boolean {
    return AUDIO_NAME.test(path) && this.reasons.get(path) === '';
  }

  private draftOf(title: string): Draft {
    const key = lowered(title);
    const draft = this.drafts.get(key) ?? {
      key,
      title,
      genre: null,
      mood: null,
      description: '',
      cover: null,
      sounds: [],
      row: null,
      statedIn: new Map(),
    };
    this.drafts.set(key, draft);
    return draft;
  }

  /** Returns the file that a cell names, by path or by a name that no other file has. */
  private fileNamed(cell: string): FolderFile | string {
    const wanted = lowered(cell.replace(/^\.?\//, ''));
    const named = this.byName.get(nameOf(wanted)) ?? [];
    const exact = named.find(({ path }) => lowered(path) === wanted);
    if (exact) return exact;
    const found = named.filter(({ path }) => lowered(path).endsWith(`/${wanted}`));
    if (found.length > 1) return `several files are called ${cell}, so write their folders too`;
    return found[0] ?? `no such file: ${cell}`;
  }

  private readRow(row: ManifestRow, rows: Map<string, ManifestRow>): void {
    const reasons: string[] = [];
    const named = (cell: string | undefined, is: RegExp, what: string): string | undefined => {
      if (cell === undefined) return undefined;
      const file = this.fileNamed(cell);
      if (typeof file === 'string') return void reasons.push(file);
      const refusal = this.reasons.get(file.path);
      if (refusal || !is.test(file.path))
        return void reasons.push(`${cell} is not ${what}${refusal ? `: ${refusal}` : ''}`);
      return file.path;
    };
    const path = named(row.file, AUDIO_NAME, 'a sound');
    const midi = named(row.midi, ATTACHMENTS.midi, 'a MIDI file');
    const stems = named(row.stems, ATTACHMENTS.stems, 'a ZIP file');
    const cover = named(row.cover, IMAGE_NAME, 'a picture');
    if (row.file === undefined && (row.midi ?? row.stems) !== undefined) reasons.push('no file is named');
    const other = path === undefined ? undefined : rows.get(path);
    if (other) reasons.push(`row ${other.row} describes the same file`);
    for (const attached of [midi, stems])
      if (attached !== undefined && this.taken.has(attached)) reasons.push(`${attached} is named twice`);
    const pack = this.draftOf(row.pack ?? titleFrom((path && topOf(path)) || this.folder));
    pack.row ??= row.row;
    if (reasons.length === 0) this.describePack(pack, { ...row, cover }, reasons);
    if (reasons.length > 0)
      return void this.wrongRows.push({ row: row.row, reason: [...new Set(reasons)].join('; ') });
    for (const attached of [midi, stems]) if (attached !== undefined) this.taken.add(attached);
    if (path !== undefined) rows.set(path, { ...row, pack: pack.title, midi, stems });
  }

  private describePack(pack: Draft, row: ManifestRow, reasons: string[]): void {
    for (const field of ['genre', 'mood', 'description', 'cover'] as const) {
      if (row[field] === undefined) continue;
      const before = pack.statedIn.get(field);
      if (before === undefined) {
        pack.statedIn.set(field, row.row);
        Object.assign(pack, { [field]: row[field] });
      } else if (pack[field] !== row[field]) reasons.push(`row ${before} gives the pack another ${field}`);
    }
  }

  private addSound({ path, sizeBytes }: FolderFile, row: ManifestRow | undefined): void {
    const pack = this.draftOf(row?.pack ?? titleFrom(topOf(path) || this.folder));
    if (pack.sounds.length >= PACK_SAMPLE_LIMIT)
      return void this.reasons.set(
        path,
        `A pack takes at most ${PACK_SAMPLE_LIMIT.toLocaleString('en')} samples.`,
      );
    const { name, bpm, key, instruments, creditCost, isRoyaltyFree, kind, origin } = row ?? {};
    const stated = Object.entries({ name, bpm, key, instruments, creditCost, isRoyaltyFree, kind, origin });
    const sound: PlannedSound = {
      path,
      sizeBytes,
      midi: row?.midi ?? null,
      stems: row?.stems ?? null,
      meta: Object.fromEntries(stated.filter(([, value]) => value !== undefined)),
    };
    pack.sounds.push(sound);
    this.sounds.set(path, sound);
    this.packs.set(path, pack);
  }

  /** Attaches a file to the sound with the same name in the nearest folder, or records why it cannot. */
  private attach(
    kind: AttachmentKind,
    path: string,
    byStem: ReadonlyMap<string, PlannedSound[]>,
    tops: ReadonlySet<string>,
  ): void {
    if (this.taken.has(path)) return;
    // A folder without sounds, such as `MIDI`, belongs to all packs.
    const top = topOf(path);
    const named = (stem: string): PlannedSound[] =>
      (byStem.get(stem) ?? []).filter((sound) => !tops.has(top) || topOf(sound.path) === top);
    const exact = named(stemOf(path));
    const found = exact.length > 0 ? exact : named(stemOf(path).replace(SUFFIX, ''));
    const folders = foldersOf(path);
    const distanceTo = ({ path: other }: PlannedSound): number => {
      const others = foldersOf(other);
      const shared = [...folders, ''].findIndex((folder, at) => folder !== others[at]);
      return folders.length + others.length - 2 * shared;
    };
    const least = Math.min(...found.map(distanceTo));
    const [sound, ...more] = found.filter((each) => distanceTo(each) === least);
    if (!sound) return void this.reasons.set(path, 'No sound has this name.');
    if (more.length > 0) return void this.reasons.set(path, 'Several sounds have this name.');
    if (sound[kind] !== null)
      return void this.reasons.set(path, `${nameOf(sound.path)} has other ${NOUNS[kind]} already.`);
    sound[kind] = path;
  }

  /** Finds the cover of a pack in its folder, or beside the folder under the same name. */
  private coverOf({ sounds }: Draft): string | null {
    const tops = new Set(sounds.map(({ path }) => topOf(path)));
    const [top] = tops;
    if (top === undefined || tops.size > 1) return null;
    // A folder whose sounds are in several packs does not say whose cover it has.
    const inFolder = [...this.sounds.keys()].filter((path) => topOf(path) === top);
    if (new Set(inFolder.map((path) => this.packs.get(path))).size > 1) return null;
    const images = this.files.filter(
      ({ path }) => IMAGE_NAME.test(path) && this.reasons.get(path) === '' && !this.isCover(path),
    );
    const inside = images.filter(({ path }) => topOf(path) === top);
    const beside = images.filter(
      ({ path }) => top !== '' && topOf(path) === '' && stemOf(path) === lowered(top),
    );
    const named = [...COVER_NAMES, lowered(top || this.folder)].flatMap((name) =>
      inside.filter(({ path }) => stemOf(path) === name),
    );
    const only = inside.length === 1 ? inside : [];
    return [...named, ...beside, ...only][0]?.path ?? null;
  }

  private isCover = (path: string): boolean => [...this.drafts.values()].some(({ cover }) => cover === path);
}
