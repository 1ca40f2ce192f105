import { ChartNoAxesGantt } from 'lucide-react';
import type { Sample } from '../../../application/catalogue/contract.js';
import { IconButton } from '../ui/button.js';
import { tryInWorkbench } from './try-sound.js';

/** A button that adds samples to the workbench. @param about what the samples are called in its accessible name */
export function TryButton(props: {
  samples: readonly Sample[];
  about?: string;
  className?: string;
  outlined?: boolean;
  onPress?: () => void;
}) {
  const { samples, onPress, ...look } = props;
  const audible = samples.filter(({ previewUrl }) => previewUrl);
  return (
    <IconButton
      label="Try in workbench"
      {...look}
      disabled={audible.length === 0}
      onClick={() => {
        onPress?.();
        void tryInWorkbench(...audible);
      }}
    >
      <ChartNoAxesGantt size={18} />
    </IconButton>
  );
}
