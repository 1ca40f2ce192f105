import { Download } from 'lucide-react';
import { apiAddress } from '../../api/transport/backend.js';
import { Button, buttonClass } from '../../ui/button.js';

/** A link to a list as a file. @param address path and query of the API */
export const CsvLink = ({ address }: { address: string }) => (
  <a href={apiAddress(address)} download className={buttonClass({ size: 'small' })}>
    <Download size={16} /> CSV
  </a>
);

/** Loads the next page of a list; nothing at its end. */
export function ShowMore(props: {
  of: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> };
}) {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = props.of;
  if (!hasNextPage) return null;
  return (
    <div className="p-4 text-center">
      <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        Show more
      </Button>
    </div>
  );
}
