import { useQuery } from '@tanstack/react-query';
import { ExternalLink, FolderPlus, Plus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import type { User } from '../../../../application/accounts/contract.js';
import { creatorQuery } from '../../api/account.js';
import { CreatorFrame } from '../../creators/creator-frame.js';
import { paths } from '../../paths.js';
import { PageTitle } from '../../shell/page-frame.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { useFilePicker } from '../../ui/forms/file-picker.js';
import { Tabs } from '../../ui/tabs.js';
import { useLeaveQuestion } from '../../ui/forms/unsaved.js';
import { Overview } from './dashboard-overview.js';
import { lazyWithPreload } from '../../shell/lazy-with-preload.js';

const ProfileTab = lazyWithPreload(() => import('./profile-form.js'));
const RightsTab = lazyWithPreload(() => import('./rights-tab.js'));
const OwnCopies = lazyWithPreload(() => import('../../creators/own-copies.js'));
const OwnComplaints = lazyWithPreload(() => import('../../creators/own-complaints.js'));
const FolderDialog = lazyWithPreload(() => import('../../creators/folder/folder-dialog.js'));
const NewPackDialog = lazyWithPreload(() => import('./new-pack-dialog.js'));

const TABS = [
  { id: 'overview', label: 'Overview' },
  { id: 'profile', label: 'Profile' },
  { id: 'rights', label: 'Rights' },
] as const;

/** The start page of creators. Every signed-in user may open it; publishing needs approval. */
export default function DashboardScreen({ user }: { user: User }) {
  const { data: creator } = useQuery(creatorQuery);
  const [parameters, setParameters] = useSearchParams();
  const [creating, setCreating] = useState(false);
  const [folder, setFolder] = useState<File[] | null>(null);
  const picker = useFilePicker({ label: 'A folder of sounds', folder: true, onFiles: setFolder });
  useLeaveQuestion();
  const { id: tab, label } = TABS.find(({ id }) => id === parameters.get('tab')) ?? TABS[0];
  const isInner = tab !== 'overview';
  const title = isInner ? label : 'Creator Dashboard';
  return (
    <CreatorFrame user={user} current={tab === 'profile' ? tab : 'overview'}>
      <PageTitle>{title}</PageTitle>
      <div className="min-w-0 px-(--gutter) pt-4 pb-16">
        {isInner && (
          <nav aria-label="Breadcrumb" className="flex gap-2 text-sm text-muted">
            <Link to={paths.dashboard} className="no-underline hover:text-text">
              Creator Dashboard
            </Link>
            <span aria-hidden="true">/</span>
            <span aria-current="page" className="text-text">
              {title}
            </span>
          </nav>
        )}
        <div className="mt-1.5 flex flex-wrap items-center justify-between gap-3">
          <h1 className="display text-5xl">{title}</h1>
          <div className="flex flex-wrap gap-2 max-md:w-full max-md:*:flex-auto">
            {creator?.handle && (
              <ButtonLink to={paths.creator(creator.handle)} icon={<ExternalLink size={17} />}>
                View public page
              </ButtonLink>
            )}
            {creator?.status === 'approved' && (
              <Button icon={<FolderPlus size={17} />} onClick={picker.open}>
                Add a Folder
              </Button>
            )}
            {picker.input}
            <Button tone="primary" icon={<Plus size={17} />} onClick={() => setCreating(true)}>
              Create New Pack
            </Button>
          </div>
        </div>
        <Tabs
          tabs={TABS}
          value={tab}
          onChange={(next) => setParameters(next === 'overview' ? {} : { tab: next }, { replace: true })}
          label="Dashboard"
        >
          <div className="pt-4">
            {tab === 'overview' ? (
              <>
                <Suspense>
                  <OwnCopies className="mb-6" />
                  <OwnComplaints className="mb-6" />
                </Suspense>
                <Overview
                  onNewPack={() => setCreating(true)}
                  onFolder={creator?.status === 'approved' ? setFolder : null}
                />
              </>
            ) : (
              <Suspense>{tab === 'rights' ? <RightsTab /> : <ProfileTab user={user} />}</Suspense>
            )}
          </div>
        </Tabs>
      </div>
      <Suspense>{folder && <FolderDialog files={folder} onClose={() => setFolder(null)} />}</Suspense>
      <Suspense>{creating && <NewPackDialog onClose={() => setCreating(false)} />}</Suspense>
    </CreatorFrame>
  );
}
