import type { PackDetail } from '../../../application/catalogue/contract.js';
import type { DawProject } from '../../../application/purchases/contract.js';
import { DAW_FORMATS } from '../../../application/purchases/values.js';
import { held } from '../held.js';
import { currentProject } from '../project/project.js';
import { SelectControl } from '../ui/forms/field.js';

const format = held<DawProject['format'] | null>(null);
const NAMES = { dawproject: 'DAWproject', rpp: 'REAPER' } as const;

/** How selections and packs are downloaded: as a project for a DAW, or as plain files if null. */
export const useDownloadFormat = format.use;

/** The DAW project that a request asks for. The server fills in absent members. */
export type ProjectOrder = Pick<DawProject, 'format'> & Partial<DawProject>;

/** The chosen format, in the tempo and key of the open project. Undefined for plain files. */
export function chosenProject(): ProjectOrder | undefined {
  const chosen = format.get();
  if (!chosen) return undefined;
  const { tempo, key, timeSignature } = currentProject() ?? {};
  return { format: chosen, ...(tempo && { tempo, key: key ?? null, timeSignature: timeSignature ?? '4/4' }) };
}

/** Hidden on phones, which have no DAW that opens these projects. */
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
 * Returns what a visitor pays for the samples that they miss of a pack. This is the rule of the server, which decides.
 * It is in this module because the pack page and the purchase already share its chunk.
 */
export const packCost = ({ packCostCredits, totalCostCredits: sum }: PackDetail, missingCredits: number) =>
  Math.ceil(((packCostCredits ?? sum) * missingCredits) / sum) || 0;
