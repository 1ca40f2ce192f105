import type { OwnCollection } from '../../../../application/library/collections/contract.js';
import { embedCode } from '../../../../application/pages/values.js';
import { api } from '../../api/api.js';
import { collectionsChanged } from '../../collections/collections-changed.js';
import { Avatar } from '../../ui/avatar.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { Act, CopyLink, ShareLink } from '../../ui/share-link.js';

const HEADING = 'font-semibold';

/** Sends a request that changes the links or the collaborator, then fetches the collections again. */
const changing = (request: () => Promise<unknown>) => () => request().finally(collectionsChanged);

export default function ShareDialog({
  collection,
  onClose,
}: {
  collection: OwnCollection;
  onClose: () => void;
}) {
  const { id, shareUrl, invitationUrl, collaborator } = collection;
  const params = { id };
  // The embedded player finds the collection by the secret, which is the last part of the link.
  const embed = {
    kind: 'collection',
    id: shareUrl?.split('/').at(-1) ?? '',
    title: collection.name,
  } as const;
  return (
    <Dialog open onClose={onClose} title="Share" description={collection.name} width={520}>
      <section>
        <h3 className={HEADING}>Let others listen</h3>
        <p className="mt-1 text-muted">
          {shareUrl
            ? 'Anyone with this link can hear the previews and copy the collection. Your name is not shown.'
            : 'With a link, anyone can hear the previews, see the price and copy the collection.'}
        </p>
        <ShareLink
          url={shareUrl}
          create={changing(() => api('POST /api/collections/own/:id/share', { params }))}
          end={changing(() => api('DELETE /api/collections/own/:id/share', { params }))}
        >
          <p className="mt-4 text-muted">A player for your own page:</p>
          <CopyLink url={embedCode(embed, window.location.origin).html} label="Embed code" />
        </ShareLink>
      </section>
      <section className="mt-6 border-t border-line pt-5">
        <h3 className={HEADING}>Let one person add</h3>
        {collaborator ? (
          <>
            <p className="mt-3 flex items-center gap-3">
              <Avatar name={collaborator.displayName} size={28} />
              <span className="min-w-0 truncate">{collaborator.displayName} adds to this collection.</span>
            </p>
            <Act
              key="remove"
              label={`Remove ${collaborator.displayName}`}
              run={changing(() => api('DELETE /api/collections/own/:id/collaborator', { params }))}
            />
          </>
        ) : (
          <>
            <p className="mt-1 text-muted">
              Send a link to someone with an account. They add samples and remove their own; you see who added
              what.
            </p>
            {invitationUrl ? (
              <>
                <CopyLink url={invitationUrl} label="Invitation" />
                <Act
                  key="withdraw"
                  label="Withdraw the invitation"
                  run={changing(() => api('DELETE /api/collections/own/:id/collaborator', { params }))}
                />
              </>
            ) : (
              <Act
                key="invite"
                label="Create an invitation"
                run={changing(() => api('POST /api/collections/own/:id/invitation', { params }))}
              />
            )}
          </>
        )}
      </section>
    </Dialog>
  );
}
