/** Numbers of ranges that are newer than the library of numbering plans. */
import { expect, test } from "bun:test";
import { type ApiOptions, singleMessage, startApi } from "../support/api.ts";

/** Of a valid length, but in no plan; a fixed line; a digit short. */
const numbers = ["+989801234567", "+982188776655", "+98980123456"];

async function answersTo(taken: ApiOptions["numbers"]) {
  const api = await startApi({ ...(taken && { numbers: taken }) });
  const answers = [];
  for (const recipient of numbers) {
    const response = await api.send("/v1/messages", singleMessage({ recipient }));
    const { errors } = await response.json();
    answers.push(response.status === 202 ? 202 : errors[0].code);
  }
  await api.stop();
  return answers;
}

const refused = "invalid_phone_number";

test("a number newer than the library's plan is refused by default", async () => {
  expect(await answersTo({})).toEqual([refused, refused, refused]);
});

test('a newer number is accepted with recipients "possible", and a known fixed line is not', async () => {
  expect(await answersTo({ recipients: "possible" })).toEqual([202, refused, refused]);
});

test("a newer number must be as long as the country's mobile numbers, whatever else its plan allows", async () => {
  // Iran's plan has numbers of 4, 5, 6, 7 and 10 digits; its mobile numbers have 10, and none begins with the trunk prefix 0.
  const wrong = ["0912", "12345", "8881", "0912123456", "+98980123", "+98980123456", "+9898012345678"];
  for (const recipients of ["valid", "possible"] as const) {
    const api = await startApi({ numbers: { recipients, extraRanges: ["+98"] } });
    const answers = [];
    for (const recipient of wrong) {
      const response = await api.send("/v1/messages", singleMessage({ recipient }));
      answers.push([recipient, response.status]);
    }
    await api.stop();
    expect(answers).toEqual(wrong.map((recipient) => [recipient, 400]));
  }
});

test("a newer number is accepted if the operator lists its range", async () => {
  expect(await answersTo({ extraRanges: ["+98980"] })).toEqual([202, refused, refused]);
  expect(await answersTo({ extraRanges: ["+98981"] })).toEqual([refused, refused, refused]);
});
