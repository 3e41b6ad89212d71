/**
 * A process of customers that bind and idle until it is killed: then all of them go at once.
 * Arguments: the port, how many binds each has, and their system_ids.
 */
import { SmppCustomer } from "./smpp-customer.ts";

const [port, bindsEach, ...systemIds] = process.argv.slice(2);
const idle: SmppCustomer[] = [];
for (const systemId of systemIds) {
  const credential = { systemId, password: "pass1234" };
  const binds = Array.from({ length: Number(bindsEach) }, () =>
    SmppCustomer.bound(Number(port), credential, "receiver"),
  );
  idle.push(...(await Promise.all(binds)));
}
process.stdout.write(`${idle.length}\n`);
