/** Sends one message after the other until the file STOP is there, and at least so many as are wanted; prints the tracking code of each. */
import { existsSync } from "node:fs";
import { Peyk } from "peyk-client";

const { PEYK_NAME: name, PEYK_STOP: stop, PEYK_MESSAGES: wanted } = process.env;
const peyk = new Peyk({ retriesMax: 30 });
const codes = [];
while (!existsSync(stop) || codes.length < Number(wanted)) {
  const clientReference = `${name}-${codes.length}-`;
  const { trackingCode } = await peyk.sendMessage({
    sender: "30001234",
    recipient: "09121234567",
    message: "سلام",
    clientReference,
  });
  codes.push(trackingCode);
  await new Promise((resolve) => setTimeout(resolve, 5));
}
console.log(JSON.stringify(codes));
