import { endpoint, sent } from '../shared/endpoint.js';

const open = { tag: 'Media', access: 'public', status: 200 } as const;
const problems = ['NotFound', 'TakenDown', 'RangeNotSatisfiable'] as const;
const answersOf = (mediaType: string) => ({ 200: sent(mediaType), 206: sent(mediaType), 304: null });

export const readPreview = endpoint('GET /media/previews/:file', {
  ...open,
  summary: 'The preview of a sample, addressed by its content hash',
  answers: answersOf('audio/mpeg'),
  problems,
});

export const readCover = endpoint('GET /media/covers/:file', {
  ...open,
  summary: 'The cover of a pack in one of the stored widths, addressed by its content hash',
  answers: answersOf('image/webp'),
  problems,
});

export const readAvatar = endpoint('GET /media/avatars/:file', {
  ...open,
  summary: 'The avatar of a user in one of the stored widths, addressed by its hash',
  answers: answersOf('image/webp'),
  problems,
});
