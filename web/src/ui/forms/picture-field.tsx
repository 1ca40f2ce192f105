import { useMutation } from '@tanstack/react-query';
import { IMAGE_LIMIT_BYTES, IMAGE_LIMIT_MIB } from '../../../../application/media/values.js';
import type { User } from '../../../../application/accounts/contract.js';
import { acceptUser } from '../../session/session.js';
import { Avatar } from '../avatar.js';
import { Button } from '../button.js';
import { toast } from '../overlays/toast.js';
import { useFilePicker } from './file-picker.js';

/** @param send stores the file and returns the address of the new picture */
export function PictureField(props: {
  user: User;
  label: string;
  action: string;
  send: (file: File) => Promise<string>;
  onDone?: () => void;
  onFailure: (error: unknown) => void;
}) {
  const { user, label, action } = props;
  const sending = useMutation({
    mutationFn: (file: File) => props.send(file),
    onSuccess: (avatarUrl) => {
      acceptUser({ ...user, avatarUrl });
      props.onDone?.();
    },
    onError: props.onFailure,
  });
  const { open, input } = useFilePicker({
    label,
    accept: 'image/png,image/jpeg,image/webp,image/gif',
    onFiles: ([file]) => {
      if (!file) return;
      if (file.size <= IMAGE_LIMIT_BYTES) sending.mutate(file);
      else toast({ title: `File size must be less than ${IMAGE_LIMIT_MIB}MB`, tone: 'danger' });
    },
  });
  return (
    <div className="flex items-center gap-4">
      <Avatar key={user.avatarUrl} name={user.displayName} url={user.avatarUrl} size={84} />
      <div>
        {input}
        <Button size="small" busy={sending.isPending} onClick={open}>
          {action}
        </Button>
        <p className="mt-1.5 text-sm text-faint">JPG, PNG or GIF. Max size {IMAGE_LIMIT_MIB}MB.</p>
      </div>
    </div>
  );
}
