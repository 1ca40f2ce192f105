import { ListPlus } from 'lucide-react';
import type { Sample } from '../../../application/catalogue/contract.js';
import { IconButton } from '../ui/button.js';
import { askCollect, collectableSample } from './collect-request.js';

export function CollectButton(props: {
  sample: Sample;
  className?: string;
  tabIndex?: number;
  size?: number;
}) {
  const { sample, size = 18, ...rest } = props;
  return (
    <IconButton
      label="Add to collection"
      about={sample.title}
      {...rest}
      onClick={() => void askCollect(collectableSample(sample))}
    >
      <ListPlus size={size} />
    </IconButton>
  );
}
