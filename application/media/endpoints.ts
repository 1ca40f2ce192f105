import { endpointsOf, sent } from '../shared/endpoint.js';

const open = endpointsOf({ tag: 'Media', access: 'public', status: 200 });
const problems = ['NotFound', 'TakenDown', 'RangeNotSatisfiable'] as const;
const answersOf = (mediaType: string) => ({ 200: sent(mediaType), 206: sent(mediaType), 304: null });

export const readPreviewAudio = open('GET /media/previews/:file', {
  summary: 'Returns the preview of a sample, addressed by its content hash',
  answers: answersOf('audio/mpeg'),
  problems,
});

export const readCover = open('GET /media/covers/:file', {
  summary: 'Returns the cover of a pack in one of the stored widths, addressed by its content hash',
  answers: answersOf('image/webp'),
  problems,
});

export const readAvatar = open('GET /media/avatars/:file', {
  summary: 'Returns the avatar of a user in one of the stored widths, addressed by its hash',
  answers: answersOf('image/webp'),
  problems,
});
