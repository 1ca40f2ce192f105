import { ListPlus } from 'lucide-react';
import type { Sample } from '../../../application/catalogue/contract.js';
import { IconButton } from '../ui/button.js';
import { askCollect, collectableSample } from './collect-request.js';

export function CollectButton({ sample, className }: { sample: Sample; className?: string }) {
  return (
    <IconButton
      label="Add to collection"
      about={sample.title}
      className={className}
      onClick={() => void askCollect(collectableSample(sample))}
    >
      <ListPlus size={18} />
    </IconButton>
  );
}
