import { ROLES, roleAllows } from '#shared/schemas/auth.ts';
import type { Role } from '#shared/schemas/auth.ts';

/** Roles as they are named where one is chosen. */
export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  viewer: 'Viewer',
  operator: 'Operator',
  admin: 'Admin',
};

/** The roles that `own` may give: nobody gives more than they have. */
export function roleOptions(own: Role): readonly { readonly value: Role; readonly label: string }[] {
  return ROLES.filter((role) => roleAllows(own, role)).map((role) => ({
    value: role,
    label: ROLE_NAMES[role],
  }));
}
