/** What of a mail is sent as a message. */
import { expect, test } from "bun:test";
import { mailMessage, ownWords, unknownMailVariables, withinParts } from "../../src/domain/mail-text.ts";
import { codePointLength, measureText } from "../../src/domain/text.ts";

const template = "{{subject}}: {{text}}";

test("subject and text fill the template; where one is empty, the other stands alone", () => {
  expect(mailMessage(template, { subject: " Door ", text: "\r\nopen\r\n\r\n\r\n\r\nnow\r\n" }, 3)).toBe(
    "Door: open\n\nnow",
  );
  expect(mailMessage(template, { subject: "Door", text: " \n" }, 3)).toBe("Door");
  expect(mailMessage(template, { subject: "", text: "open" }, 3)).toBe("open");
  expect(mailMessage("UPS: {{text}}", { subject: "Door", text: "" }, 3)).toBe("");
  expect(mailMessage("Look at the panel", { subject: "", text: "" }, 3)).toBe("Look at the panel");
  expect(mailMessage(template, { subject: "{{text}}", text: "a\u0007b\u0000" }, 3)).toBe("{{text}}: ab");
  expect(unknownMailVariables("{{subject}} {{from}} {{text}}")).toEqual(["from"]);
});

test("quoted replies, what introduces them, and signatures are no words of the mail", () => {
  expect(ownWords("yes\r\n\r\nOn Monday, A <a@b.c>\r\nwrote:\r\n> no\r\n> > why\r\n\r\nand\r\n-- \r\nAcme")).toBe(
    "yes\n\n\nand",
  );
  expect(ownWords("yes\n-----Original Message-----\nFrom: a")).toBe("yes");
  expect(ownWords("در ۳ آذر نوشت:\n> سلام\nباشد")).toBe("باشد");
  expect(ownWords("a list:\n- one\n-- two")).toBe("a list:\n- one\n-- two");
});

test("a longer text is cut at a word, and always to the parts and characters that a message may have", () => {
  expect(withinParts("short", 1)).toBe("short");
  expect(withinParts(`${"word ".repeat(40)}end`, 1)).toBe(`${"word ".repeat(31).trimEnd()}...`);
  expect(withinParts("ا".repeat(100), 1)).toBe(`${"ا".repeat(67)}...`);
  for (const text of ["😀".repeat(3_000), "[ ".repeat(2_000), "سلام ".repeat(900), "a".repeat(200_000)]) {
    for (const parts of [1, 2, 3, 10]) {
      const cut = withinParts(text, parts);
      expect(measureText(cut).partCount).toBeLessThanOrEqual(parts);
      expect(codePointLength(cut)).toBeLessThanOrEqual(2_000);
      expect(cut.isWellFormed()).toBe(true);
    }
  }
});
