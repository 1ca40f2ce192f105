import { useState } from 'react';
import { packsChanged } from '../../api/changes.js';
import { dropMirroredPacks } from '../../api/storage/pack-mirror.js';
import { isCatalogue, queryClient } from '../../api/query-client.js';
import { PageTitle } from '../../shell/page-frame.js';
import { Button } from '../../ui/button.js';
import { toast } from '../../ui/overlays/toast.js';

export default function ClearCacheScreen({ reload = () => window.location.reload() }) {
  const [cleared, setCleared] = useState(false);
  const clear = () => {
    dropMirroredPacks();
    queryClient.removeQueries({ predicate: isCatalogue, type: 'inactive' });
    packsChanged();
    setCleared(true);
    toast({
      title: 'Cache cleared',
      description: 'All pack caches of this browser are empty. Reloading the packs.',
    });
    setTimeout(reload, 1_000);
  };
  return (
    <div className="gutter mx-auto max-w-190 py-16">
      <PageTitle />
      <h1 className="display text-7xl md:text-8xl">Clear cache</h1>
      <p className="mt-5 text-md text-muted">
        This clears all pack caches and reloads pack data from storage. Use it after
      </p>
      <ul className="mt-2 mb-7 grid list-disc gap-1 pl-5 text-md text-muted">
        <li>migrating folders</li>
        <li>updating pack metadata</li>
        <li>changing the storage structure</li>
      </ul>
      <Button tone="primary" size="large" onClick={clear} aria-disabled={cleared}>
        {cleared ? '✅ Cache Cleared - Reloading...' : 'Clear Cache & Reload'}
      </Button>
      <p className="mt-4 text-sm text-faint">Only this browser is cleared. Nothing of yours is deleted.</p>
    </div>
  );
}
