import {
  AUDIO_LIMIT_BYTES,
  AUDIO_LIMIT_MIB,
  KIND_HEAD_BYTES,
  kindOf,
  refusalOfContent,
} from '../../../../../application/publishing/values.js';
import { durationOf } from '../../../player/preload.js';
import { toast } from '../../../ui/overlays/toast.js';

const headOf = async (file: File) => new Uint8Array(await file.slice(0, KIND_HEAD_BYTES).arrayBuffer());

/**
 * Whether the content of a file is accepted audio. If the browser cannot read the length of such a file, the server
 * measures it instead.
 */
export const isRecognised = async (file: File): Promise<boolean> => kindOf(await headOf(file)) === 'taken';

/**
 * Why a file cannot be uploaded; null if it can. The file's name is considered only if its content is not recognised.
 */
export async function refusalOf(file: File): Promise<string | null> {
  if (file.size > AUDIO_LIMIT_BYTES) return `The file is too large: at most ${AUDIO_LIMIT_MIB} MB.`;
  return refusalOfContent(await headOf(file), file.name) ?? null;
}

/** Returns the first file. If it cannot be uploaded, shows why and returns undefined. */
export async function acceptedFile(files: Iterable<File>): Promise<File | undefined> {
  const [file] = files;
  const refusal = file && (await refusalOf(file).catch(() => 'The file could not be read.'));
  if (refusal) toast({ title: refusal, description: file.name, tone: 'danger' });
  return refusal ? undefined : file;
}

/** The length of a sound in whole milliseconds. @throws if the browser cannot read the file */
export function readDuration(file: File): Promise<number> {
  const address = URL.createObjectURL(file);
  return durationOf(address)
    .then(Math.round)
    .finally(() => URL.revokeObjectURL(address));
}
