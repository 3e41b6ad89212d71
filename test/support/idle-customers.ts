/**
 * A process of customers that bind and stay idle until it is killed: then all of them disconnect at once. Arguments:
 * the port, the number of binds each, and their system_ids.
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
