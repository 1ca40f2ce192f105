export interface SavedThing {
  id?: string;
  type: 'sample' | 'track' | 'pack';
  title?: string;
  name?: string;
  artist?: string;
  creator?: string;
  fileUrl?: string | null;
}

export function savedItemId(thing: SavedThing): string {
  const title = thing.title ?? thing.name ?? '';
  if (thing.id) return thing.id;
  if (thing.fileUrl) return `file:${thing.fileUrl}`;
  if (thing.type === 'pack' && thing.creator) return `pack:${thing.creator}:${title}`;
  if (thing.type === 'sample' && thing.artist) return `sample:${thing.artist}:${title}`;
  return `${thing.type}:${title}`;
}
