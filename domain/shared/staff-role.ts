export const STAFF_ROLES = ['admin', 'finance'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];
