/** The columns of a member list, by the names used in spreadsheets in English and Persian. */

export const memberColumns = ["mobile", "firstName", "lastName", "fullName"] as const;
export type MemberColumn = (typeof memberColumns)[number];

/** In the form that `plainHeader` produces. */
const headers: Readonly<Record<MemberColumn, readonly string[]>> = {
  mobile: [
    "mobile",
    "mobilenumber",
    "mobilephone",
    "phone",
    "phonenumber",
    "cell",
    "cellphone",
    "msisdn",
    "recipient",
    "number",
    "موبایل",
    "شمارهموبایل",
    "تلفنهمراه",
    "شمارهتلفنهمراه",
    "شمارههمراه",
    "همراه",
    "شماره",
    "تلفن",
    "شمارهتلفن",
    "گیرنده",
  ],
  firstName: ["firstname", "givenname", "forename", "نام", "اسم", "نامکوچک"],
  lastName: ["lastname", "surname", "familyname", "family", "نامخانوادگی", "فامیل", "فامیلی", "نامفامیل"],
  fullName: ["fullname", "name", "نامکامل", "نامونامخانوادگی", "اسمکامل"],
};

const columnByHeader = new Map(memberColumns.flatMap((column) => headers[column].map((header) => [header, column])));

/** Arabic keyboards write ي and ك; spaces, dashes, underscores, joiners and case are ignored. */
function plainHeader(header: string): string {
  return header
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll("ي", "ی")
    .replaceAll("ك", "ک")
    .replace(/[\s_\-.\u200b-\u200f\u202a-\u202e\ufeff]/g, "");
}

/** Longer texts are not column names: a line of accents alone takes seconds to normalise. */
const headerLengthMax = 100;

/** The column that a header names, or null. */
export function memberColumnOf(header: string): MemberColumn | null {
  if (header.length > headerLengthMax) return null;
  return columnByHeader.get(plainHeader(header)) ?? null;
}
