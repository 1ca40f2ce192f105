const COMPLAINT = '/complaint';

/** Addresses of complaints, in a module of their own because few pages need them. */
export const complaintPaths = {
  file: (about = '') => (about ? `${COMPLAINT}?${new URLSearchParams({ about })}` : COMPLAINT),
  one: (id: string, token = '') => `${COMPLAINT}/${id}${token && `?token=${token}`}`,
  transparency: `${COMPLAINT}/transparency`,
};
