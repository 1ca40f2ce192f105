const COMPLAINT = '/complaint';

/** The addresses of complaints, which few pages load. */
export const complaintPaths = {
  file: (about = '') => (about ? `${COMPLAINT}?${new URLSearchParams({ about })}` : COMPLAINT),
  one: (id: string, token = '') => `${COMPLAINT}/${id}${token && `?token=${token}`}`,
  transparency: `${COMPLAINT}/transparency`,
};
