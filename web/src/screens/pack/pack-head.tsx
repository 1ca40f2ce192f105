import { ListPlus } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { PackDetail } from '../../../../application/catalogue/contract.js';
import { askCollect } from '../../collections/collect-request.js';
import { FormatField, packCost } from '../../downloads/download-format.js';
import { useOwnedAmong } from '../../downloads/owned.js';
import { useDownload } from '../../downloads/use-download.js';
import { HeadActions, HeadDownload, HeadSave, PageHead } from '../../packs/page-head.js';
import { paths } from '../../paths.js';
import { usePackSave } from '../../samples/saved-packs.js';
import { useSession } from '../../session/session.js';
import { Button } from '../../ui/button.js';
import { coverOf } from '../../ui/sound/cover.js';
import { countOf, titleBy } from '../../ui/format.js';

function Actions({ pack }: { pack: PackDetail }) {
  const { downloadPack } = useDownload();
  const userId = useSession().user?.id;
  const wanted = pack.samples.filter((sample) => sample.previewUrl);
  const ownedIds = new Set(useOwnedAmong(wanted).map(({ id }) => id));
  const owned = wanted.length > 0 && ownedIds.size === wanted.length;
  // Leaves out samples that the visitor made or bought before, because they are free for the visitor.
  const missing = wanted.filter(({ id, creator }) => !ownedIds.has(id) && creator.id !== userId);
  const alone = missing.reduce((sum, { creditCost }) => sum + creditCost, 0);
  const costCredits = packCost(pack, alone);
  const whole = pack.packCostCredits;
  return (
    <>
      <HeadActions embed={{ kind: 'pack', id: pack.id, title: titleBy(pack.title, pack.creator) }}>
        <HeadDownload
          owned={owned}
          costCredits={costCredits}
          disabled={pack.samples.length === 0}
          onClick={() => downloadPack(pack)}
        >
          Download pack
        </HeadDownload>
        <FormatField />
        <HeadSave {...usePackSave(pack)} />
        <Button
          aria-label="Add to collection"
          title="Add to collection"
          disabled={pack.samples.length === 0}
          icon={<ListPlus size={17} />}
          onClick={() => void askCollect({ title: pack.title, sampleIds: pack.samples.map(({ id }) => id) })}
        />
      </HeadActions>
      {missing.length > 0 && (
        <p className="mt-3 text-sm text-muted">
          Have a code?{' '}
          <Link to={paths.redeem} className="underlined text-text">
            Redeem it
          </Link>
        </p>
      )}
      {whole !== null && alone > 0 && (
        <p className="mt-3 text-muted">
          Whole pack: {whole} instead of {pack.totalCostCredits} credits
          {whole > costCredits && `, less ${whole - costCredits} for what you own`}
        </p>
      )}
    </>
  );
}

export function PackHead({ pack }: { pack: PackDetail }) {
  const { title, creator, sampleCount, genre, mood, description } = pack;
  const facts = [
    countOf(sampleCount, 'sample'),
    genre,
    mood,
    creator.aiTraining ? 'AI training allowed' : 'Not for AI training',
  ];
  return (
    <PageHead title={title} cover={coverOf(pack)} creator={creator} facts={facts}>
      {description && (
        <p className="mt-3 max-w-135 text-md leading-[1.47] text-muted max-md:hidden">{description}</p>
      )}
      <Actions pack={pack} />
    </PageHead>
  );
}
