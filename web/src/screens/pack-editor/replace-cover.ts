import { IMAGE_LIMIT_BYTES, IMAGE_LIMIT_MIB } from '../../../../application/media/values.js';
import type { OwnPack } from '../../../../application/publishing/contract.js';
import { api } from '../../api/api.js';
import { messageOf } from '../../api/transport/http.js';
import { toast } from '../../ui/overlays/toast.js';
import { writePack } from './write-pack.js';

const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp'];

/** Replaces the cover, then asks the server to remove unused images. */
export async function replaceCover(pack: OwnPack, file: File): Promise<void> {
  if (!IMAGE_TYPES.includes(file.type)) {
    return toast({ title: 'Please upload only .jpg, .png, or .webp image files', tone: 'danger' });
  }
  if (file.size > IMAGE_LIMIT_BYTES) {
    return toast({ title: `Image file size must be less than ${IMAGE_LIMIT_MIB}MB`, tone: 'danger' });
  }
  const body = new FormData();
  body.append('image', file, file.name);
  try {
    const changed = await writePack(pack.slug, (ifMatch) =>
      api('PUT /api/creator/packs/:id/cover', { params: { id: pack.id }, body, ifMatch }),
    );
    if (!changed) return;
    toast({ title: 'Cover changed' });
    await api('POST /api/storage/cleanup-images').catch(() =>
      console.warn('Unused images were not removed.'),
    );
  } catch (error) {
    toast({ title: messageOf(error), tone: 'danger' });
  }
}
