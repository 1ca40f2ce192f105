import { useMutation, useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { Link } from 'react-router-dom';
import { checklistQuery, closePeriod } from '../../api/finance.js';
import { messageOf } from '../../api/transport/http.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { toast } from '../../ui/overlays/toast.js';
import { monthName } from '../../staff/dates.js';
import { Missing } from '../../staff/page-parts.js';

export function CloseDialog({ month, onClose }: { month: string; onClose: () => void }) {
  const { data, error, isFetching } = useQuery(checklistQuery(month));
  const closing = useMutation({
    mutationFn: () => closePeriod(month),
    onSuccess: ({ lastPosition }) => {
      toast({
        title: `${monthName(month)} is closed`,
        description: `To position ${lastPosition.toLocaleString('en')}.`,
      });
      onClose();
    },
  });
  const name = monthName(month);
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Close ${name}?`}
      description={`Closing stores the balance of every account, the last event and its hash. Nothing can be posted to ${name} afterwards, unless two people reopen it.`}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            tone="primary"
            disabled={!data?.ready || isFetching}
            busy={closing.isPending}
            onClick={() => closing.mutate()}
          >
            Close {name}
          </Button>
        </>
      }
    >
      {data && !isFetching ? (
        <ul aria-label="What has to be done" className="-my-2">
          {data.items.map(({ id, done, text, href }) => (
            <li key={id} className="flex items-start gap-3 border-t border-line py-3 first:border-t-0">
              {done ? (
                <CircleCheck size={20} className="mt-0.5 shrink-0 text-ok" aria-label="Done" />
              ) : (
                <CircleAlert size={20} className="mt-0.5 shrink-0 text-warn" aria-label="Not done" />
              )}
              <span className="min-w-0 wrap-anywhere">
                {text}
                {!done && id !== 'turn' && (
                  <Link className="underlined ml-2 text-sm whitespace-nowrap" to={href}>
                    Go there
                  </Link>
                )}
              </span>
            </li>
          ))}
        </ul>
      ) : (
        <Missing error={isFetching ? null : error} loading="Checking the books..." height={220} />
      )}
      {closing.error && (
        <p role="alert" className="mt-4 text-danger">
          {messageOf(closing.error)}
        </p>
      )}
    </Dialog>
  );
}
