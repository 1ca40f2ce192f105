import type { PackDetail } from '../../../application/catalogue/contract.js';
import type { DawProject } from '../../../application/purchases/contract.js';
import { DAW_FORMATS } from '../../../application/purchases/values.js';
import { held } from '../held.js';
import { currentProject } from '../project/project.js';
import { SelectControl } from '../ui/forms/field.js';

const format = held<DawProject['format'] | null>(null);
const NAMES = { dawproject: 'DAWproject', rpp: 'REAPER' } as const;

/** The chosen format for downloads of selections and packs: a project for a DAW, or null for plain files. */
export const useDownloadFormat = format.use;

/** The DAW project that a request asks for. The server fills in absent members. */
export type ProjectOrder = Pick<DawProject, 'format'> & Partial<DawProject>;

/** The DAW project to order: the chosen format, and the open project's tempo and key. Undefined for plain files. */
export function chosenProject(): ProjectOrder | undefined {
  const chosen = format.get();
  if (!chosen) return undefined;
  const { tempo, key, timeSignature } = currentProject() ?? {};
  return { format: chosen, ...(tempo && { tempo, key: key ?? null, timeSignature: timeSignature ?? '4/4' }) };
}

/** The field to choose the format of downloads. Hidden on phones, which have no DAW that opens these projects. */
export const FormatField = ({ className = '' }: { className?: string }) => (
  <span className="p-0! max-md:hidden">
    <SelectControl
      className={`w-auto! ${className}`}
      aria-label="Download as"
      value={format.use() ?? 'files'}
      options={[['files', 'Files'], ...DAW_FORMATS.map((each) => [each, NAMES[each]] as const)]}
      onChange={({ target }) => format.set(DAW_FORMATS.find((each) => each === target.value) ?? null)}
    />
  </span>
);

/**
 * Returns the price for the samples of a pack that the visitor lacks. The pack's discount applies to their sum,
 * `missingCredits`. The server has the same rule, and its price counts. The function is in this module because the
 * build already loads the module for the pack page and for purchases.
 */
export const packCost = ({ packCostCredits, totalCostCredits: sum }: PackDetail, missingCredits: number) =>
  Math.ceil(((packCostCredits ?? sum) * missingCredits) / sum) || 0;
