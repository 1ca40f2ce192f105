import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { User } from '../../../application/accounts/contract.js';
import type { CreatorState } from '../../../application/publishing/contract.js';
import { creatorQuery } from '../api/account.js';
import { loadSession } from '../session/session.js';

/** Whether the visitor may publish. After an approval on an open page, header and menus update without a reload. */
export function useCreatorState({ isCreator }: Pick<User, 'isCreator'>): CreatorState | undefined {
  const { data } = useQuery(creatorQuery);
  const isNew = data?.status === 'approved' && !isCreator;
  useEffect(() => {
    if (isNew) void loadSession('user-updated');
  }, [isNew]);
  return data;
}
