import { Download } from 'lucide-react';
import { apiAddress } from '../../api/transport/backend.js';
import { Button, buttonClass } from '../../ui/button.js';

/** A link that downloads a list as a CSV file. @param address the path and query of the API request */
export const CsvLink = ({ address }: { address: string }) => (
  <a href={apiAddress(address)} download className={buttonClass({ size: 'small' })}>
    <Download size={16} /> CSV
  </a>
);

/** A button that loads the next page of a list; renders nothing at the end of the list. */
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
