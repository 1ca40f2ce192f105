import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from 'react-router-dom';
import type { Person } from '../../../application/accounts/contract.js';
import { PEOPLE_SEARCH_MIN_LENGTH } from '../../../application/accounts/values.js';
import { peopleQuery } from '../api/admin.js';
import { staffPaths } from '../../../application/pages/staff-paths.js';
import { Finder, type FinderProps } from './finder.js';
import { PersonCard } from './person-card.js';

/** The `state` of a location that is about a person. */
export interface AboutPerson {
  person?: Person;
}

function useFoundPeople(text: string, enabled: boolean) {
  const { data, error, isPlaceholderData } = useQuery({ ...peopleQuery(text), enabled });
  return { items: data?.items, error, isPlaceholderData };
}

const CHOSEN_HERE: readonly string[] = [staffPaths.adminRefunds, staffPaths.adminSessions];

/**
 * Searches people while the user types. The chosen person opens on the current page if that is about a person,
 * otherwise in Credits.
 */
export function PersonField(props: FinderProps) {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  return (
    <Finder
      {...props}
      label="Find a person, id or e-mail"
      listLabel="People found"
      nothing="No person"
      minLength={PEOPLE_SEARCH_MIN_LENGTH}
      useFound={useFoundPeople}
      keyOf={({ id }) => id}
      render={(person) => <PersonCard person={person} />}
      onChoose={(person) => {
        const state: AboutPerson = { person };
        void navigate(CHOSEN_HERE.includes(pathname) ? pathname : staffPaths.adminCredits, { state });
      }}
    />
  );
}
