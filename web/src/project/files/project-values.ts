import type { MusicalKey } from '../../../../application/catalogue/values.js';

/** What a project file says about the song. */
export interface ProjectValues {
  tempo?: number;
  key?: MusicalKey;
  timeSignature?: string;
}
