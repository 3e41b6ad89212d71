/** A group's members are imported from a file completely or not at all, and only an approved list is ever sent to. */
import { afterEach, describe, expect, test } from "bun:test";
import { createSendingServer, numbersCsv, type SendingOptions, type SendingServer } from "../support/sending-server.ts";

let server: SendingServer;
afterEach(() => server.stop());

async function withGroup(options: SendingOptions = {}): Promise<void> {
  server = await createSendingServer(options);
  await server.groups.create(1, "spring", "Spring");
}

/** The members of a group's draft or approved list. */
function members(which: "draft" | "approved", code = "spring") {
  const list = server.groups.show({ code })[which];
  return list === null ? null : server.store.tables.groupMembers.slice(list.id, 0, 1_000);
}

const bytes = (text: string) => new TextEncoder().encode(text);

describe("a file of members", () => {
  test("may have a byte order mark, semicolons, Persian headers and digits, and Windows line endings", async () => {
    await withGroup();
    const file = "\ufeffموبایل;نام;نام خانوادگی\r\n۰۹۱۲۱۲۳۴۵۶۷;علی;کریمی\r\n+98 912 000 0001;سارا;\r\n";
    expect(await server.import("spring", file)).toMatchObject({ members: 2, problems: [], merged: 0 });
    expect(members("draft")).toEqual([
      { recipient: "+989121234567", firstName: "علی", lastName: "کریمی", fullName: null },
      { recipient: "+989120000001", firstName: "سارا", lastName: null, fullName: null },
    ]);
  });

  test("may have columns in any order, extra columns, quotes and empty lines", async () => {
    await withGroup();
    const file = 'City,Full Name,Mobile\nTehran,"Karimi, Ali",09121234567\n\n,"Sara ""S""",09121234568\n';
    expect(await server.import("spring", file)).toMatchObject({ members: 2, problems: [] });
    expect(members("draft")?.map(({ fullName }) => fullName)).toEqual(["Karimi, Ali", 'Sara "S"']);
  });

  test("may arrive in pieces that split letters and lines anywhere", async () => {
    await withGroup();
    const whole = bytes("mobile,نام\n09121234567,علی\n09121234568,سارا\n");
    const pieces = Array.from(whole, (byte) => Uint8Array.of(byte));
    expect(await server.import("spring", pieces)).toMatchObject({ members: 2, problems: [] });
    expect(members("draft")?.map(({ firstName }) => firstName)).toEqual(["علی", "سارا"]);
  });

  test("merges repeats of a number into the first, adds missing names from them, and reports each", async () => {
    await withGroup();
    const file =
      "mobile,firstName,lastName\n09121234567,Ali,\n09121234568,Sara,\n00989121234567,Reza,Karimi\n۰۹۱۲۱۲۳۴۵۶۷,,\n";
    const report = await server.import("spring", file);
    expect(report).toMatchObject({ members: 2, merged: 2 });
    expect(report.repeats).toEqual([
      [4, 2],
      [5, 2],
    ]);
    expect(members("draft")?.[0]).toMatchObject({ firstName: "Ali", lastName: "Karimi" });
  });

  test("with any mistake changes nothing, and every bad line is named by its number", async () => {
    await withGroup();
    await server.import("spring", numbersCsv(3));
    const file = [
      "mobile,firstName",
      "09121234567,Ali",
      "0912,too short",
      "",
      ",nobody",
      "02188888888,fixed line",
      "09121234568,Ali,Karimi",
      `09121234569,${"x".repeat(101)}`,
      "09121234570,bell\u0007",
      "09121234571,good",
    ].join("\n");
    const report = await server.import("spring", file);
    expect(report.members).toBeNull();
    expect(report.problems.map(([line]) => line)).toEqual([3, 5, 6, 7, 8, 9]);
    expect(members("draft")).toHaveLength(3);
    await server.groups.settled();
    expect(server.store.tables.groups.looseLists()).toEqual([]);
  });

  test("may have names of a hundred characters at most", async () => {
    await withGroup();
    expect((await server.import("spring", `mobile,firstName\n09121234567,${"ی".repeat(100)}\n`)).problems).toEqual([]);
  });

  test("with an unclosed quotation mark names the line where it opens", async () => {
    await withGroup();
    const { problems } = await server.import("spring", 'mobile,firstName\n09121234567,"Ali\n09121234568,Sara\n');
    expect(problems[0]?.[0]).toBe(2);
  });

  test("that is not UTF-8 is refused in helpful words, with the place", async () => {
    await withGroup();
    const { problems } = await server.import("spring", [
      bytes("mobile,firstName\n09121234567,"),
      Uint8Array.of(0xc7, 0x0a),
    ]);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.[0]).toBe(2);
    expect(problems[0]?.[1]).toContain("UTF-8");
  });

  test("without a header, without members, or empty is refused", async () => {
    await withGroup();
    for (const file of [
      "",
      "\n\n",
      "mobile,firstName\n",
      "09121234567,Ali\n",
      "name,city\nAli,Tehran\n",
      "mobile,phone\n1,2\n",
    ]) {
      const report = await server.import("spring", file);
      expect(report.members).toBeNull();
      expect(report.problems).toHaveLength(1);
    }
  });

  test("may have as many members as a group, and not one more", async () => {
    await withGroup({ membersMax: 1_200 });
    const report = await server.import("spring", numbersCsv(1_200));
    expect(report.members).toBe(1_200);
    // The operator sees its progress.
    expect(report.progress.length).toBeGreaterThanOrEqual(3);
    const more = await server.import("spring", numbersCsv(1_201));
    expect(more).toMatchObject({ members: null, problems: [[1_202, expect.stringContaining("1200 members")]] });
    expect(members("draft")).toHaveLength(1_000);
  });

  test("does not count repeats towards that limit", async () => {
    await withGroup({ membersMax: 2 });
    const file = "mobile\n09121234567\n09121234568\n09121234567\n";
    expect(await server.import("spring", file)).toMatchObject({ members: 2, merged: 1 });
  });
});

describe("approval of a group", () => {
  test("makes it usable, and keeps who approved when", async () => {
    await withGroup();
    await server.import("spring", numbersCsv(2));
    expect(server.groups.usable(1)).toEqual([]);
    await server.groups.approve({ code: "spring" }, "maryam");
    const approvedAt = server.clock.now();
    expect(server.groups.usable(1)).toEqual([{ code: "spring", name: "Spring", recipientCount: 2, approvedAt }]);
    expect(server.groups.usable(2)).toEqual([]);
    await server.clock.advance(1_000);
    await server.groups.suspend({ code: "spring" }, "reza");
    expect(server.groups.usable(1)).toEqual([]);
    const told = server.groups.show({ code: "spring" }).decisions;
    expect(
      told.map(({ action, decidedBy, decidedAt, memberCount }) => [action, decidedBy, decidedAt, memberCount]),
    ).toEqual([
      ["approved", "maryam", approvedAt, 2],
      ["suspended", "reza", approvedAt + 1_000, 2],
    ]);
  });

  test("of changed members is separate: they wait beside the approved list", async () => {
    await withGroup();
    await server.import("spring", numbersCsv(2));
    await server.groups.approve({ code: "spring" }, "maryam");
    await server.import("spring", numbersCsv(5));
    expect(server.groups.usable(1)[0]?.recipientCount).toBe(2);
    expect(members("approved")).toHaveLength(2);
    expect(members("draft")).toHaveLength(5);
    await server.groups.approve({ code: "spring" }, "maryam");
    expect(server.groups.usable(1)[0]?.recipientCount).toBe(5);
    expect(members("draft")).toBeNull();
    await server.groups.settled();
    expect(server.store.tables.groups.looseLists()).toEqual([]);
    expect(server.store.tables.groupMembers.slice(1, 0, 10)).toEqual([]);
  });

  test("lets a suspended group send again, and is refused if there is nothing to approve", async () => {
    await withGroup();
    await server.groups.approve({ code: "spring" }, "maryam");
    await expect(server.groups.approve({ code: "spring" }, "maryam")).rejects.toMatchObject({
      code: "nothing_to_approve",
    });
    await server.groups.suspend({ code: "spring" }, "maryam");
    await server.groups.suspend({ code: "spring" }, "maryam");
    await server.groups.approve({ code: "spring" }, "maryam");
    expect(server.groups.show({ code: "spring" }).decisions.map(({ action }) => action)).toEqual([
      "approved",
      "suspended",
      "approved",
    ]);
  });

  test("codes are unique within an account, and the account must be named if two share one", async () => {
    await withGroup();
    await expect(server.groups.create(1, "spring", "Again")).rejects.toMatchObject({ code: "group_exists" });
    await server.groups.create(2, "spring", "Another's");
    await expect(server.groups.approve({ code: "spring" }, "x")).rejects.toMatchObject({ code: "code_ambiguous" });
    await expect(server.groups.approve({ code: "autumn" }, "x")).rejects.toMatchObject({ code: "group_not_found" });
    await expect(server.groups.create(9, "spring", "Nobody's")).rejects.toMatchObject({ code: "account_not_found" });
    expect((await server.groups.approve({ code: "spring", accountId: 2 }, "x")).group.status).toBe("approved");
    expect(server.groups.list(1).map(({ group }) => group.status)).toEqual(["draft"]);
    expect(server.groups.list()).toHaveLength(2);
  });

  test("an import interrupted by a crash leaves nothing behind after the next start", async () => {
    await withGroup();
    const { store } = server;
    await store.write((tables) => {
      const list = { groupId: 1, memberCount: 0, createdAt: 0, approvedAt: null, approvedBy: null };
      const { id } = tables.groups.insertList(list);
      const member = { recipient: "+989121234567", firstName: null, lastName: null, fullName: null };
      for (let position = 0; position < 1_500; position += 1) tables.groupMembers.insert(id, position, member);
    });
    server.groups.tidy();
    await server.groups.settled();
    expect(store.tables.groups.looseLists()).toEqual([]);
    expect(members("draft")).toEqual([]);
  });
});

test("a list of very many groups shows members and waiting list of each", async () => {
  await withGroup();
  await server.import("spring", numbersCsv(3));
  await server.groups.approve({ code: "spring" }, "ops");
  await server.import("spring", numbersCsv(5));
  for (let number = 0; number < 1_100; number += 1) await server.groups.create(1, `g-${number}`, "Empty");
  await server.groups.create(1, "zz", "Last");
  await server.import("zz", numbersCsv(2));
  const sizes = new Map(
    server.groups.list().map(({ group, approved, draft }) => [group.code, [approved?.memberCount, draft?.memberCount]]),
  );
  expect(sizes.size).toBe(1_102);
  expect([sizes.get("spring"), sizes.get("g-7"), sizes.get("zz")]).toEqual([
    [3, 5],
    [undefined, 0],
    [undefined, 2],
  ]);
});
