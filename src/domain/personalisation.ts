/** Personalisation of group texts: the variables, and the source of their values. */
import type { Template } from "./template.ts";

/** Contract, "POST /v1/approved-groups/{groupCode}/messages". */
export const memberVariables = ["firstName", "lastName", "fullName", "mobile"] as const;
export type MemberVariable = (typeof memberVariables)[number];

/** A member as stored in the approved list. */
export interface Member {
  /** E.164. */
  recipient: string;
  firstName: string | null;
  lastName: string | null;
  fullName: string | null;
}

/** A member's value, or null if the list has none. */
function memberValue(member: Member, variable: MemberVariable, spellMobile: (recipient: string) => string) {
  switch (variable) {
    case "mobile":
      return spellMobile(member.recipient);
    case "fullName":
      return member.fullName ?? joinedName(member);
    default:
      return member[variable];
  }
}

function joinedName({ firstName, lastName }: Member): string | null {
  if (firstName === null || lastName === null) return firstName ?? lastName;
  return `${firstName} ${lastName}`;
}

/** The values of the template's variables for one member; null if the list has none. `spellMobile` takes E.164. */
export function memberValues(
  template: Template,
  member: Member,
  spellMobile: (recipient: string) => string,
): Record<string, string | null> {
  const used = memberVariables.filter((variable) => template.variables.includes(variable));
  return Object.fromEntries(used.map((variable) => [variable, memberValue(member, variable, spellMobile)]));
}
