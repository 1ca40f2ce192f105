import { AUDIO_LIMIT_BYTES, AUDIO_LIMIT_MIB } from '../../../../../application/publishing/values.js';
import { toast } from '../../../ui/overlays/toast.js';

export const AUDIO_ACCEPT = '.wav,.mp3,.m4a,audio/wav,audio/mpeg,audio/mp4';
const ENDINGS = /\.(wav|mp3|m4a)$/i;

/** The files that may be uploaded; says why the others may not. */
export function acceptedAudio(files: Iterable<File>): File[] {
  const accepted: File[] = [];
  for (const file of files) {
    if (!ENDINGS.test(file.name)) {
      toast({
        title: 'Please upload only .wav, .mp3, or .m4a files',
        description: file.name,
        tone: 'danger',
      });
    } else if (file.size > AUDIO_LIMIT_BYTES) {
      toast({
        title: 'The file is too large',
        description: `${file.name}: at most ${AUDIO_LIMIT_MIB} MB.`,
        tone: 'danger',
      });
    } else accepted.push(file);
  }
  return accepted;
}

/** A title from a file's name: ending off, underscores and hyphens to spaces. */
export function titleOf(filename: string): string {
  const words = filename
    .replace(/\.[^.]+$/, '')
    .replaceAll(/[_-]+/g, ' ')
    .trim();
  return words ? words[0]?.toUpperCase() + words.slice(1) : 'Sample';
}

/** Length in milliseconds, as the browser reads it. @throws when the browser cannot read the file */
export function readDuration(file: File): Promise<number> {
  const address = URL.createObjectURL(file);
  const audio = new Audio();
  return new Promise<number>((resolve, reject) => {
    audio.addEventListener('loadedmetadata', () =>
      Number.isFinite(audio.duration)
        ? resolve(Math.round(audio.duration * 1000))
        : reject(new Error('endless')),
    );
    audio.addEventListener('error', () => reject(new Error('unreadable')));
    audio.preload = 'metadata';
    audio.src = address;
  }).finally(() => URL.revokeObjectURL(address));
}
