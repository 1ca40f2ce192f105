import { useMutation } from '@tanstack/react-query';
import { FolderDown, Pencil, Plus, Table2, Tag, Ticket, Trash2, Users } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { apiAddress } from '../../api/transport/backend.js';
import type { OwnPack } from '../../../../application/publishing/contract.js';
import { Button, IconButton } from '../../ui/button.js';
import { SelectControl } from '../../ui/forms/field.js';
import { countOf } from '../../ui/format.js';
import { applyCostToAll, deletePack } from './pack-actions.js';
import { COSTS } from './sample-fields.js';
import { lazyWithPreload } from '../../shell/lazy-with-preload.js';

const PackInfoDialog = lazyWithPreload(() => import('./pack-info-dialog.js'));

export function EditorToolbar(props: {
  pack: OwnPack;
  cost: number;
  onCost: (cost: number) => void;
  onAdd: () => void;
  onSplits: () => void;
  onPrice: () => void;
  onPromotions: () => void;
  /** Switches to the grid; null while the grid is shown. */
  onGrid: (() => void) | null;
  mayUpload: boolean;
}) {
  const { pack, cost, onCost, onAdd, onSplits, onPrice, onPromotions, onGrid, mayUpload } = props;
  const [editing, setEditing] = useState(false);
  const navigate = useNavigate();
  const apply = useMutation({ mutationFn: () => applyCostToAll(pack, cost) });
  const remove = useMutation({ mutationFn: () => deletePack(pack, navigate) });
  return (
    <div className="@container/bar mt-5 flex flex-wrap items-center justify-between gap-2 border-t border-line pt-3">
      {/* On a phone, the buttons are one line that scrolls sideways, because the rows below matter more. */}
      <div className="editor-tools no-scrollbar flex gap-2 *:flex-none max-sm:-mx-(--gutter) max-sm:overflow-x-auto max-sm:px-(--gutter) max-sm:py-1 sm:flex-wrap">
        <Button tone="quiet" icon={<Plus size={17} />} disabled={!mayUpload} onClick={onAdd}>
          Add Sample
        </Button>
        <Button tone="quiet" icon={<Pencil size={17} />} onClick={() => setEditing(true)}>
          Edit Pack Info
        </Button>
        {pack.status !== 'taken_down' && (
          <Button tone="quiet" icon={<Users size={17} />} onClick={onSplits}>
            Splits
          </Button>
        )}
        {pack.status !== 'taken_down' && (
          <Button tone="quiet" icon={<Tag size={17} />} onClick={onPrice}>
            Pack Price
          </Button>
        )}
        {pack.status !== 'taken_down' && (
          <Button tone="quiet" icon={<Ticket size={17} />} onClick={onPromotions}>
            Codes
          </Button>
        )}
        {onGrid && pack.samples.length > 0 && (
          <Button tone="quiet" icon={<Table2 size={17} />} onClick={onGrid}>
            Edit as Grid
          </Button>
        )}
      </div>
      {/* These controls wrap together if there is no room beside the others. */}
      <div className="flex flex-wrap items-end gap-2 max-sm:w-full sm:items-center">
        <div className="flex items-center gap-x-2 gap-y-1 text-muted max-sm:flex-1 max-sm:flex-col max-sm:items-stretch">
          <label htmlFor="default-cost">Default Cost</label>
          <SelectControl
            id="default-cost"
            className="min-h-10! w-29! text-base! max-sm:w-full!"
            value={cost}
            options={COSTS.map((option) => [option, countOf(option, 'credit')])}
            onChange={(event) => onCost(Number(event.target.value))}
          />
        </div>
        <Button busy={apply.isPending} onClick={() => apply.mutate()}>
          Apply to All
        </Button>
        {pack.status !== 'taken_down' && (
          <a
            className="icon-btn icon-btn-outlined h-10! w-10!"
            href={apiAddress(`/api/creator/packs/${encodeURIComponent(pack.id)}/export.zip`)}
            download={`${pack.slug}.zip`}
            aria-label="Export pack as a folder"
            title="Export pack as a folder"
          >
            <FolderDown size={18} />
          </a>
        )}
        <IconButton
          label="Delete pack"
          busy={remove.isPending}
          className="size-10 border border-danger text-danger hover:bg-danger-wash hover:text-danger"
          onClick={() => remove.mutate()}
        >
          <Trash2 size={18} />
        </IconButton>
      </div>
      <Suspense>{editing && <PackInfoDialog pack={pack} onClose={() => setEditing(false)} />}</Suspense>
    </div>
  );
}
